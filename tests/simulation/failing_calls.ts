/**
 * A platform of which one call to a port fails, the first, the second and so on: whatever the service does
 * with that, it says what its documentation allows, and leaves nothing behind.
 */

import { ServiceError } from "../../src/core/errors.ts";
import { encodeText } from "../../src/core/texts.ts";
import { itemToText } from "../../src/features/secrets/stored.ts";
import { available } from "../../src/platform/capability.ts";
import type { Clipboard, ClipboardContent } from "../../src/platform/types/mod.ts";
import { type Received, type TestApp, testApp } from "../support/client.ts";
import { isDocumented } from "../support/documented.ts";
import { FAKE_BROWSER_WINDOW, FakeBrowser } from "../support/fake_browser.ts";
import { FakeProcesses } from "../support/fake_processes.ts";
import { FakeAccessibility } from "../support/fake_accessibility.ts";
import { FakeWindows } from "../support/fake_windows.ts";
import { simulate, stepUntil } from "./callers.ts";
import { settle } from "./virtual_time.ts";
import { World } from "./world.ts";

export interface Failure {
  /** As ports say what went wrong, or as nobody has expected it. */
  readonly kind: "refused" | "broken";
  /** Whether the call has had its effect by then; one that sends at once has not. */
  readonly isDone: boolean;
}

/** What never fails, as the ports say. */
const SAFE = ["backends", "readiness"];
/** The longest that a call may wait, in virtual milliseconds. */
const MAX_WAIT_MS = 60_000;
/** Operations that leave something pressed if they succeed. */
const HOLDING = ["keyboard/hold", "mouse/down"];

/**
 * One operation again and again, until it has had all calls without a failure.
 * @returns the calls to ports that have failed, by their names: `keyboard.press`
 * @throws Error as {@link simulate}: which call failed, and what was wrong then
 */
export async function failEachCall(
  path: string,
  body: object | undefined,
  failure: Failure,
): Promise<readonly string[]> {
  const promises = new Set<string>();
  const failed: string[] = [];
  let usual: number | undefined;
  for (let nth = 0;; nth++) {
    const world = new World(1);
    let calls = 0;
    await simulate(world, async () => {
      const run = new FailingRun(world, { nth, failure, promises });
      const input = await run.prepare(body);
      const status = await run.call(path, input);
      calls = run.stop();
      usual ??= status;
      if (usual >= 300) throw new Error(`${path} is answered ${usual} where nothing fails`);
      await run.check({ path, body: input, status, usual });
      if (run.failed !== undefined) failed.push(run.failed);
    });
    if (nth > calls) return failed;
  }
}

interface Plan {
  /** Which call fails, counted from 1. */
  readonly nth: number;
  readonly failure: Failure;
  /** The calls that have answered with a promise, by their names. */
  readonly promises: Set<string>;
}

class FailingRun {
  readonly #app: TestApp;
  readonly #browser = new FakeBrowser();
  readonly #processes = new FakeProcesses();
  readonly #wrapped = new WeakMap<object, object>();
  #count = 0;
  #isCounting = true;
  #failed: string | undefined;

  constructor(private readonly world: World, private readonly plan: Plan) {
    this.#app = testApp({
      config: { browserEvaluate: true },
      platform: { processes: this.#processes },
      around: (platform) => this.#wrap(platform, "platform"),
    });
    this.#app.platform.browser = available(this.#browser);
    const { secrets } = this.#app.platform;
    secrets.stored.set("shop", itemToText(new Map([["password", "a-value-of-the-shop"]])));
    const screen = this.#app.platform.screen();
    const windows = new FakeWindows();
    const { bounds, title, pid } = FAKE_BROWSER_WINDOW;
    windows.show(
      { id: "w1", title: "Editor", pid: 7 },
      { id: "w2", title, pid: pid!, bounds, frame: bounds },
    );
    const accessibility = new FakeAccessibility();
    accessibility.roots = [{
      ...{ id: "r1", role: "window", name: "Editor", pid: 7, window: "w1" },
      bounds: { x: 100, y: 100, width: 400, height: 300 },
      children: [{
        ...{ id: "b1", role: "button", name: "Save", abilities: ["click", "focus"] },
        bounds: { x: 110, y: 110, width: 40, height: 20 },
      }, {
        ...{ id: "t1", role: "textbox", name: "Name", value: "old" },
        abilities: ["focus", "set value"],
        states: ["focused", "editable"],
        bounds: { x: 110, y: 150, width: 100, height: 20 },
      }],
    }];
    Object.assign(screen, {
      windows: available(windows),
      accessibility: available(accessibility),
      clipboard: available(new FakeClipboard()),
    });
  }

  /** The call that has failed. */
  get failed(): string | undefined {
    return this.#failed;
  }

  /** From now on every call works; gives how many there were. */
  stop(): number {
    this.#isCounting = false;
    return this.#count;
  }

  /** Takes the refs that the operation needs, before anything fails. */
  async prepare(body: object | undefined): Promise<object | undefined> {
    const ref = body && Reflect.get(body, "ref") as string | undefined;
    if (ref === undefined) return body;
    this.#isCounting = false;
    for (const path of ["accessibility/snapshot", "browser/snapshot"]) {
      const { json } = await this.#send(path, {});
      const found = new RegExp(`"${ref}".*\\[ref=(\\w+)\\]`).exec(
        String(json.snapshot ?? json.text ?? json),
      );
      if (found === null) continue;
      this.#isCounting = true;
      return { ...body, ref: found[1] };
    }
    throw new Error(`There is no element ${ref}`);
  }

  /** Below `/api/`; without a body by GET. Gives the status. */
  async call(path: string, body: object | undefined): Promise<number> {
    return (await this.#send(path, body)).status;
  }

  async #send(path: string, body: object | undefined): Promise<Received> {
    const { world } = this;
    const began = world.time.now;
    let answered: Received | undefined;
    const answer = body === undefined
      ? this.#app.send("GET", `/api/${path}`)
      : this.#app.post(`/api/${path}`, body);
    answer.then((received) => {
      answered = received;
      world.history.push(`${path}: ${received.status} ${received.text.slice(0, 200)}`);
    });
    const isLate = () => world.time.now - began > MAX_WAIT_MS;
    await settle(); // no time passes for what needs none
    await stepUntil(world, () => answered !== undefined || isLate());
    if (answered === undefined) throw new Error(`${path} has no answer`);
    return answered;
  }

  /** @param usual the status where nothing fails */
  async check(
    { path, body, status, usual }: {
      readonly path: string;
      readonly body: object | undefined;
      readonly status: number;
      readonly usual: number;
    },
  ): Promise<void> {
    const { kind } = this.plan.failure;
    const isKnown = isDocumented(path, body === undefined ? "get" : "post", status);
    if (!isKnown || status === 500 && kind === "refused") {
      throw new Error(`${path} was answered ${status}, which it does not document`);
    }
    const { mouse, keyboard } = this.#app.platform.screen().fake;
    const pressed = () => [...mouse.down, ...keyboard.down];
    const mayHold = status < 300 && HOLDING.includes(path) || this.#failed?.endsWith(".release");
    if (!mayHold && pressed().length > 0) throw new Error(`${pressed()} stay pressed`);
    if (path !== "bash/command" && this.#processes.running.size > 0) {
      throw new Error("A command is left running");
    }
    const expect = async (other: string, input: object | undefined, wanted: number) => {
      const found = await this.call(other, input);
      if (found !== wanted) throw new Error(`Then ${other} was answered ${found}`);
    };
    await expect("system/release-all", {}, 204);
    if (pressed().length > 0) throw new Error(`release-all leaves ${pressed()} pressed`);
    await expect(path, body, usual);
    await expect("system/release-all", {}, 204);
    await expect("mouse/click", { x: 7, y: 7 }, 204);
    await expect("keyboard/key", { key: "a" }, 200);
    const left = [...pressed(), ...this.#browser.down]; // which itself releases what fails
    if (left.length > 0) throw new Error(`At the end ${left} are pressed`);
  }

  /** The same, but that its functions count, and one of them fails. */
  #wrap<T extends object>(target: T, name: string): T {
    const known = this.#wrapped.get(target);
    if (known !== undefined) return known as T;
    const proxy = new Proxy(target, {
      get: (_, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof key === "symbol") return isFunction(value) ? value.bind(target) : value;
        if (SAFE.includes(key)) return (value as () => unknown).bind(target);
        if (isFunction(value)) return this.#wrapFunction(target, value, `${name}.${key}`);
        // what is `use`d of a capability is called as that
        return isPort(value) ? this.#wrap(value, key === "use" ? name : key) : value;
      },
      set: (_, key, value) => Reflect.set(target, key, value, target),
    });
    this.#wrapped.set(target, proxy);
    return proxy;
  }

  #wrapFunction(target: object, call: (...args: unknown[]) => unknown, name: string) {
    const { promises, failure } = this.plan;
    const wrapResult = (result: unknown) => isPort(result) ? this.#wrap(result, name) : result;
    return (...args: unknown[]): unknown => {
      const isFailing = this.#isCounting && ++this.#count === this.plan.nth;
      if (!isFailing) {
        const result = call.apply(target, args);
        if (!(result instanceof Promise)) return wrapResult(result);
        promises.add(name);
        return result.then(wrapResult);
      }
      this.#failed = name;
      this.world.history.push(`${name} fails`);
      const error = failure.kind === "refused"
        ? new ServiceError("unavailable", "The display went away; try again")
        : new Error("The connection broke");
      if (!promises.has(name)) throw error;
      if (!failure.isDone) return Promise.reject(error);
      return Promise.resolve(call.apply(target, args)).then(() => Promise.reject(error));
    };
  }
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === "function";
}

/** What has functions of its own, and no data. */
function isPort(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const data = [Promise, ArrayBuffer, Map, Set, Date, AbortSignal, Error, Blob];
  return !ArrayBuffer.isView(value) && !data.some((kind) => value instanceof kind);
}

class FakeClipboard implements Clipboard {
  #content: ClipboardContent = { text: [...encodeText("before")] };

  read(): ReturnType<Clipboard["read"]> {
    const content = this.#content;
    return Promise.resolve({ content, available: ["text"], types: ["UTF8_STRING"] });
  }

  write(content: ClipboardContent): Promise<void> {
    this.#content = content;
    return Promise.resolve();
  }

  clear(): Promise<void> {
    this.#content = {};
    return Promise.resolve();
  }

  beginPasting(press: () => Promise<void>): ReturnType<Clipboard["beginPasting"]> {
    const before = this.#content;
    return {
      paste: async (text) => {
        this.#content = { text: [...encodeText(text)] };
        await press();
      },
      [Symbol.asyncDispose]: () => {
        this.#content = before;
        return Promise.resolve();
      },
    };
  }
}
