/** Callers that change windows, open programs and wait for windows, while programs are slow, hang, ask and close them. */

import { unlessAborted } from "../../src/core/deadline.ts";
import { ServiceError } from "../../src/core/errors.ts";
import type { WindowEntry } from "../../src/features/window/window_answer.ts";
import { available } from "../../src/platform/capability.ts";
import type {
  Command,
  CommandLine,
  Processes,
  Window,
  WindowChange,
  WindowId,
  Windows,
} from "../../src/platform/types/mod.ts";
import { testApp } from "../support/client.ts";
import { FakeWindows } from "../support/fake_windows.ts";
import {
  type Call,
  Callers,
  describe,
  isDone,
  operationOf,
  simulate,
  type Started,
} from "./callers.ts";
import { type Choice, type Scenario, World } from "./world.ts";

/** What is so for this time is seen by everybody who waits for it, in milliseconds. */
const SEEN_MS = 5_000;
/** What checks may take beside the times that are asked for. */
const REST_MS = 5_000;
const TITLES = 4;

interface WindowCall extends Call {
  /** What it waits for, or leads to; of the windows that are there. */
  isSo?(windows: readonly Window[]): boolean;
  /** Of a wait; that of a change begins only when it is its turn. */
  readonly timeoutMs?: number;
}

/** @throws Error as {@link simulate} */
export async function simulateWindows(
  { seed, calls, failures, operations }: Scenario,
): Promise<void> {
  const world = new World(seed, { share: failures, operations });
  await simulate(world, async () => {
    const run = new WindowsRun(world);
    await run.callers.callAll(calls, (number) => run.randomCall(number), run.others, {
      come: 0.3,
      leave: 0.02,
    });
    await run.callers.end();
  });
}

class WindowsRun {
  readonly callers: Callers<WindowCall>;
  readonly others: readonly Choice[];
  readonly #fake = new FakeWindows();
  readonly #desk: Desk;

  constructor(private readonly world: World) {
    const desk = this.#desk = new Desk(world, this.#fake);
    const app = testApp({ platform: { processes: new SimulatedPrograms(world, desk) } });
    app.platform.screen().windows = available(desk.port);
    this.callers = new Callers(world, app, (each) => this.#checkAnswer(each));
    const one = () => world.pick(this.#fake.shown)?.id;
    this.others = [
      { what: "a window opens", weight: 0.1, run: () => desk.open(null) },
      { what: "a window closes", weight: 0.1, run: () => desk.close(one()) },
      {
        what: "a window has another title",
        weight: 0.1,
        run: () => desk.name(one(), `title ${world.below(TITLES)}`),
      },
      { what: "a person uses another window", weight: 0.1, run: () => desk.focus(one()) },
    ];
  }

  randomCall(number: number): WindowCall {
    const { world } = this;
    const id = world.pick(["w0", ...this.#fake.shown.map((each) => each.id)]);
    const at = { x: 10 + number, y: 20 + number };
    const title = `title ${world.below(TITLES)}`;
    const timeout_ms = world.pick([0, 2_000, 10_000]);
    const window = { window: { title } };
    const isThere = (windows: readonly Window[]) => windows.some((each) => each.title === title);
    const find = (windows: readonly Window[]) => windows.find((each) => each.id === id);
    const wait = { path: "display/wait", timeoutMs: timeout_ms };
    return {
      expected: [404],
      ...world.pickKind<WindowCall>([
        { ...wait, body: { until: window, timeout_ms }, isSo: isThere },
        {
          ...wait,
          body: { until: { gone: window }, timeout_ms },
          isSo: (windows) => !isThere(windows),
        },
        {
          path: "window/focus",
          body: { id },
          isSo: (windows) => find(windows)?.states.includes("active") ?? false,
        },
        { path: "window/close", body: { id }, isSo: (windows) => !find(windows) },
        {
          path: "window/move",
          body: { id, ...at },
          isSo: (windows) => find(windows)?.frame?.x === at.x,
        },
        {
          path: "window/minimize",
          body: { id },
          isSo: (windows) => find(windows)?.states.includes("minimized") ?? false,
        },
        { path: "window/open", body: { program: "xterm", timeout_ms }, timeoutMs: timeout_ms },
        { path: "mouse/click", body: at },
        world.random() < 0.3
          ? { path: "system/release-all", body: {} }
          : { path: "window/list", body: {}, method: "GET" },
      ], operationOf),
    };
  }

  #checkAnswer(each: Started<WindowCall>): void {
    const { call, answer, startedMs } = each;
    const { text, endedMs } = answer!;
    const { timeoutMs } = call;
    if (timeoutMs !== undefined && endedMs - startedMs > timeoutMs + REST_MS) {
      throw new Error(`${describe(each)} took ${endedMs - startedMs} ms`);
    }
    if (!isDone(each)) return;
    const { status, result, ...found } = text === "" ? {} : JSON.parse(text);
    if (call.path === "window/open") return this.#checkOpened(each, found);
    if (call.isSo === undefined) return;
    const isSo = call.isSo.bind(call);
    if (status === "timeout") {
      if (!this.#desk.was(endedMs - SEEN_MS, endedMs, (windows) => !isSo(windows))) {
        throw new Error(`${describe(each)} has missed what was so`);
      }
    } else if (result !== "adjusted" && !this.#desk.was(startedMs, endedMs, isSo)) {
      throw new Error(`${describe(each)} succeeded, and was never so`);
    }
  }

  #checkOpened(
    each: Started<WindowCall>,
    opened: {
      readonly process_id: number;
      readonly window: WindowEntry | null;
      readonly active: boolean;
    },
  ): void {
    const { endedMs } = each.answer!;
    const { process_id: pid, window, active } = opened;
    const isOwn = (one: Window) => window ? one.id === window.id : one.pid === pid;
    const isThere = (windows: readonly Window[]) => windows.some(isOwn);
    const isActive = (windows: readonly Window[]) =>
      windows.some((one) => isOwn(one) && one.states.includes("active"));
    const was = (isSo: (windows: readonly Window[]) => boolean, fromMs: number) =>
      this.#desk.was(fromMs, endedMs, isSo);
    // one that has ended may have handed over to another
    const isOfOther = window !== null && window.pid !== pid && this.#desk.running.has(pid);
    if (isOfOther || window && !was(isThere, each.startedMs)) {
      throw new Error(`${describe(each)} opened a window that was not there`);
    }
    if (active && !was(isActive, each.startedMs)) {
      throw new Error(`${describe(each)} says that its window has the keyboard`);
    }
    const [isSo, what] = window ? [isActive, "the keyboard of"] as const : [isThere, ""] as const;
    if (active || was((windows) => !isSo(windows), endedMs - SEEN_MS)) return;
    throw new Error(`${describe(each)} has missed ${what} its window`);
  }
}

/** The windows of a display: each belongs to a program that obeys soon, late or never. */
class Desk {
  readonly port: Windows;
  /** The programs that run. */
  readonly running = new Set<number>();
  readonly #history: { readonly ms: number; readonly windows: readonly Window[] }[] = [];
  #last = 0;

  constructor(private readonly world: World, private readonly fake: FakeWindows) {
    const ask = <T>(value: () => T, signal: AbortSignal) =>
      unlessAborted(world.answer("the windows", value, "windows"), signal);
    const find = (id: WindowId) => {
      const found = fake.shown.find((each) => each.id === id);
      if (found) return found;
      throw new ServiceError("not_found", `There is no window "${id}"`);
    };
    this.port = {
      changes: fake.changes,
      list: (signal) => ask(() => [...fake.shown], signal),
      active: (signal) =>
        ask(() => fake.shown.find(({ states }) => states.includes("active")) ?? null, signal),
      find: (id, signal) => ask(() => find(id), signal),
      change: (id, change, signal) => ask(() => this.#ask(find(id), change), signal),
      at: (_, signal) => ask(() => fake.shown[0]?.id, signal),
      changed: (signal) => fake.changed(signal),
    };
    this.#note();
    for (let count = 0; count < 3; count++) this.open(null);
  }

  /** Whether this was so at a time between two. */
  was(fromMs: number, toMs: number, isSo: (windows: readonly Window[]) => boolean): boolean {
    return this.#history.some(({ ms, windows }, index) => {
      const endMs = this.#history[index + 1]?.ms ?? Infinity;
      return ms <= toMs && endMs >= fromMs && isSo(windows);
    });
  }

  open(pid: number | null): WindowId {
    const id = `w${++this.#last}`;
    const title = `title ${this.world.below(TITLES)}`;
    const isFirst = this.world.random() < 0.5;
    if (isFirst) this.fake.open({ id, title, pid });
    else this.fake.show(...this.fake.shown, { id, title, pid });
    this.#note();
    return id;
  }

  close(id: WindowId | undefined): void {
    if (id) this.fake.close(id);
    this.#note();
  }

  name(id: WindowId | undefined, title: string): void {
    if (id) this.fake.update(id, { title });
    this.#note();
  }

  focus(id: WindowId | undefined): void {
    if (id) this.#apply(id, { kind: "focus" });
  }

  /** What a window is asked for it does soon, late or never; one that is to close may open another. */
  #ask({ id }: Window, change: WindowChange): void {
    const { world } = this;
    const asked = Number(id.slice(1)) % 4;
    if (asked === 0) return; // it hangs
    const ms = asked === 1 ? 1_000 + world.below(4_000) : world.below(500);
    setTimeout(() => {
      if (asked === 2 && change.kind === "close") this.open(null);
      else this.#apply(id, change);
    }, ms);
  }

  async #apply(id: WindowId, change: WindowChange): Promise<void> {
    await this.fake.change(id, change).catch(() => {}); // it has closed
    this.#note();
  }

  #note(): void {
    this.#history.push({ ms: this.world.time.now, windows: [...this.fake.shown] });
  }
}

/** Programs that open a window some time after their start, or none. */
class SimulatedPrograms implements Processes {
  readonly home = "/nonexistent/home";
  readonly opener = ["opener"];
  #last = 100;

  constructor(private readonly world: World, private readonly desk: Desk) {}

  start(_: CommandLine): Command {
    const { world, desk } = this;
    const pid = ++this.#last;
    const ended = Promise.withResolvers<number>();
    desk.running.add(pid);
    let id: WindowId | undefined;
    if (world.random() < 0.8) {
      setTimeout(() => {
        if (!desk.running.has(pid)) return;
        id = desk.open(pid);
        if (world.random() < 0.5) setTimeout(() => desk.focus(id), world.below(1_000));
      }, world.below(4_000));
    }
    const end = (code: number) => {
      desk.running.delete(pid);
      desk.close(id);
      ended.resolve(code);
    };
    if (world.random() < 0.2) setTimeout(() => end(world.below(2)), world.below(6_000));
    return {
      pid,
      ended: ended.promise,
      input: undefined,
      read: () => ended.promise.then(() => undefined),
      isAlive: () => Promise.resolve(desk.running.has(pid)),
      holds: (other) => Promise.resolve(other === pid && desk.running.has(pid)),
      gone: () => ended.promise.then(() => {}),
      signal: () => Promise.resolve(end(137)),
      close: () => Promise.resolve(),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
