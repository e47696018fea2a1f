/** Callers that send input to one display, all at the same time, and what must hold whatever happens in which order. */

import { fileURLToPath } from "node:url";
import { available } from "../../src/platform/capability.ts";
import type { Delivery, Focus, Input } from "../../src/platform/types/mod.ts";
import { type TestApp, testApp } from "../support/client.ts";
import type { FakeInput } from "../support/fake_input.ts";
import { settle } from "./virtual_time.ts";
import { World } from "./world.ts";

/** One request, and what it must have sent if it succeeds. */
interface Call {
  readonly path: string;
  readonly body: object;
  /** The lines of the input that it sends, in this order and with nothing of others between. */
  readonly sends: readonly string[];
  /** The key that nobody else presses, and that is up when the call is answered. */
  readonly ownKey?: string;
}

interface Sent extends Call {
  readonly number: number;
  readonly startedMs: number;
  readonly abort: AbortController;
  answer?: { readonly status: number; readonly text: string; readonly confirmed: number };
}

/** Scenarios that have failed once. */
export const SEEDS = fileURLToPath(new URL("./seeds.json", import.meta.url));

export interface Scenario {
  readonly seed: number;
  readonly calls: number;
  /** How likely each answer of the system is a failure, from 0 to 1. */
  readonly failures: number;
}

/** The longest that any caller may wait, in virtual milliseconds. */
const MAX_WAIT_MS = 10 * 60_000;
const BUTTONS = ["left", "middle", "right"] as const;

/**
 * Many callers at once.
 * @throws Error that names the seed, what went wrong, and what happened last
 */
export async function simulateInput({ seed, calls, failures }: Scenario): Promise<void> {
  await simulate(new World(seed, { share: failures }), async (run) => {
    await run.callAll(calls);
    if (failures === 0) run.checkOrder();
    await run.end();
  });
}

/**
 * One call again and again: each time another answer of the system is a failure, until the call has
 * had all without one. The next call works.
 * @returns how many answers the call has needed
 * @throws Error as {@link simulateInput}
 */
export async function failEachAnswer(path: string, body: object): Promise<number> {
  for (let nth = 1;; nth++) {
    const world = new World(1, { nth });
    let wasNeeded = true;
    await simulate(world, async (run) => {
      await run.call({ path, body, sends: [] });
      wasNeeded = world.answered >= nth;
      if (!wasNeeded) return await run.end();
      const next = await run.call({
        path: "mouse/move",
        body: { x: 9, y: 9 },
        sends: ["move 9,9"],
      });
      if (next !== 204) throw new Error(`The next call was answered ${next}`);
      await run.end();
    });
    if (!wasNeeded) return nth - 1;
  }
}

async function simulate(given: World, work: (run: InputRun) => Promise<void>): Promise<void> {
  using world = given;
  const unhandled: string[] = [];
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    unhandled.push(String(event.reason));
  };
  globalThis.addEventListener("unhandledrejection", note);
  try {
    await work(new InputRun(world));
    if (unhandled.length > 0) throw new Error(`Unhandled: ${unhandled.join("; ")}`);
  } catch (error) {
    const last = world.history.slice(-60).join("\n");
    throw new Error(`Seed ${world.seed}: ${(error as Error).message}\n${last}`, { cause: error });
  } finally {
    globalThis.removeEventListener("unhandledrejection", note);
  }
}

class InputRun {
  readonly #app: TestApp = testApp();
  readonly #input: FakeInput;
  readonly #all: Sent[] = [];
  /** How much of the input the system has processed. */
  #processed = 0;
  /** Whether a window manager has a click that it has not delivered. */
  #isHeldBack = false;
  #releasesAll = false;
  readonly #overtaken: string[] = [];

  constructor(private readonly world: World) {
    const screen = this.#app.platform.screen();
    this.#input = screen.fake;
    const { port, mouse } = this.#input;
    const input: Input = {
      ...port,
      confirm: () => this.#confirm(),
      releaseAll: async () => {
        this.#releasesAll = true;
        await port.releaseAll();
        this.#releasesAll = false;
        await this.#confirm();
      },
    };
    const focus: Focus = {
      keyTarget: () =>
        this.#ask(() => this.#isHeldBack ? "held back" : world.pick(["clicked", "elsewhere"])),
    };
    const delivery: Delivery = {
      heldBack: () => this.#ask(() => this.#isHeldBack),
      handled: () => this.#ask(() => world.random() < 0.9),
      keysHandled: () => this.#ask(() => world.random() < 0.9),
    };
    Object.assign(screen, {
      input: available(input),
      focus: available(focus),
      delivery: available(delivery),
    });
    mouse.position = () => this.#ask(() => mouse.cursor);
    this.#holdBackClicks();
    const { keyboard } = this.#input;
    keyboard.heldByOthers = available({
      seen: () => keyboard.others.length > 0,
      modifiers: () => this.#ask(() => keyboard.others),
    });
  }

  /** A window manager keeps some clicks for a while; no key may overtake one. */
  #holdBackClicks(): void {
    const { world } = this;
    const { mouse, keyboard, sent } = this.#input;
    const release = mouse.release.bind(mouse);
    mouse.release = (button) => {
      const isClick = sent.at(-1) === `press ${button}`;
      release(button);
      if (!isClick || this.#releasesAll || world.random() < 0.7) return;
      this.#isHeldBack = true;
      world.answer("delivery of a click", () => this.#isHeldBack = false).catch(() => {
        this.#isHeldBack = false;
      });
    };
    const press = keyboard.press.bind(keyboard);
    keyboard.press = (key) => {
      if (this.#isHeldBack) this.#overtaken.push(`key ${key.name}`);
      press(key);
    };
  }

  #ask<T>(value: () => T): Promise<T> {
    return this.world.answer("question", value, "x");
  }

  /** Without the pauses between clicks. */
  get #sent(): readonly string[] {
    return this.#input.sent.filter((line) => !line.startsWith("separate "));
  }

  async callAll(count: number): Promise<void> {
    const { world } = this;
    for (let left = count;;) {
      const open = this.#all.filter(({ answer }) => answer === undefined);
      const choices = [
        ...left === 0 ? [] : [{
          what: "a caller comes",
          weight: 1.5,
          run: () => {
            left--;
            this.#start(this.#randomCall(this.#all.length));
          },
        }],
        {
          what: "a person presses or releases Ctrl",
          weight: 0.05,
          run: () => {
            const { keyboard } = this.#input;
            keyboard.others = keyboard.others.length > 0 ? [] : ["ctrl"];
          },
        },
        ...open.length === 0 ? [] : [{
          what: "a caller leaves",
          weight: 0.1,
          run: () => world.pick(open).abort.abort(),
        }],
      ];
      if (left === 0 && open.length === 0) return;
      if (!await world.step(choices)) {
        throw new Error(`Nothing can happen, and ${open.length} callers wait: ${name(open)}`);
      }
      for (const each of open) {
        if (each.answer === undefined && world.time.now - each.startedMs > MAX_WAIT_MS) {
          throw new Error(`${name([each])} has no answer`);
        }
      }
    }
  }

  /** One call alone, to its answer. */
  async call(call: Call): Promise<number> {
    const sent = this.#start(call);
    while (sent.answer === undefined) {
      if (!await this.world.step([])) await settle();
    }
    return sent.answer.status;
  }

  /** Input comes in the order of arrival. */
  checkOrder(): void {
    let last = -1;
    for (const each of this.#all) {
      if (each.answer?.status !== 200 && each.answer?.status !== 204) continue;
      if (each.sends.length === 0) continue;
      const { from } = this.#find(each);
      if (from < last) throw new Error(`${name([each])} came before an earlier one`);
      last = from;
    }
  }

  /** When nobody holds anything any more, nothing is pressed. */
  async end(): Promise<void> {
    const { world } = this;
    const { mouse, keyboard } = this.#input;
    if (world.random() < 0.5) {
      let hasEnded = false;
      this.#app.session[Symbol.asyncDispose]().then(() => hasEnded = true);
      for (let idle = 0; !hasEnded;) {
        idle = await world.step([]) ? 0 : idle + 1;
        if (idle > 100) throw new Error("The end of the service never comes");
        if (idle > 0) await settle();
      }
    } else {
      while (world.time.next !== undefined) await world.step([]);
    }
    if (this.#overtaken.length > 0) throw new Error(`${this.#overtaken[0]} overtook a click`);
    const pressed = [...mouse.down, ...keyboard.down];
    if (pressed.length > 0) throw new Error(`${pressed.join(", ")} stay pressed`);
  }

  #confirm(): Promise<void> {
    const sent = this.#sent.length;
    return this.world.answer("confirmation", () => {
      this.#processed = Math.max(this.#processed, sent);
    }, "x");
  }

  #start(call: Call): Sent {
    const number = this.#all.length;
    const { world } = this;
    world.history.push(`  ${number}: ${call.path} ${JSON.stringify(call.body)}`);
    const abort = new AbortController();
    const each: Sent = { ...call, number, startedMs: world.time.now, abort };
    this.#all.push(each);
    const request = new Request(`http://localhost/api/${call.path}`, {
      method: "POST",
      headers: { host: "localhost", "content-type": "application/json" },
      body: JSON.stringify(call.body),
      signal: abort.signal,
    });
    (async () => {
      const response = await this.#app.fetch(request);
      const confirmed = this.#processed;
      each.answer = { status: response.status, text: await response.text(), confirmed };
      world.history.push(`  ${number}: ${response.status} ${each.answer.text.slice(0, 100)}`);
      this.#checkAnswer(each);
    })();
    return each;
  }

  #checkAnswer(each: Sent): void {
    const { status, text, confirmed } = each.answer!;
    if (![200, 204, 409, 499, 503].includes(status)) {
      throw new Error(`${name([each])} was answered ${status}: ${text}`);
    }
    if (each.ownKey !== undefined && this.#input.keyboard.down.has(each.ownKey)) {
      throw new Error(`${name([each])} left its key pressed`);
    }
    if (status !== 200 && status !== 204) return;
    if (this.#find(each).to > confirmed) {
      throw new Error(`${name([each])} succeeded before the system had its input`);
    }
  }

  /**
   * Where in the input that of a call begins and ends; what was held too long, or by a call that
   * failed, may be released within it.
   */
  #find({ sends, ...call }: Sent): { readonly from: number; readonly to: number } {
    if (sends.length === 0) return { from: 0, to: 0 };
    const from = this.#sent.indexOf(sends[0]!);
    let to = from;
    for (const line of sends) {
      while (this.#sent[to] !== line && this.#sent[to]?.startsWith("release ")) to++;
      if (from < 0 || this.#sent[to++] !== line) {
        const found = this.#sent.slice(Math.max(0, from), from + sends.length + 1);
        throw new Error(`${name([{ ...call, sends }])} sent ${found.join()}`);
      }
    }
    return { from, to };
  }

  #randomSteps(key: string): object[] {
    return Array.from({ length: 1 + this.world.below(5) }, () => {
      const [operation, input] = this.world.pick([...STEPS, ["keyboard.hold", { key }] as const]);
      return { operation, input };
    });
  }

  /** Its input is recognized by a point or a character of its own. */
  #randomCall(number: number): Call {
    const { world } = this;
    const [x, y] = [number % 700, Math.floor(number / 700)];
    const move = `move ${x},${y}`;
    const button = world.pick(BUTTONS);
    const clicked = [`press ${button}`, `release ${button}`];
    const character = String.fromCodePoint(0x4e00 + number);
    const length = 1 + world.below(120);
    const key = `f${1 + world.below(12)}`;
    const ownKey = String.fromCharCode("a".charCodeAt(0) + number % 26);
    const ofLetter = number < 26 ? { ownKey } : {};
    return world.pick<() => Call>([
      () => ({ path: "mouse/move", body: { x, y }, sends: [move] }),
      () => ({ path: "mouse/click", body: { x, y, button }, sends: [move, ...clicked] }),
      () => ({ path: "mouse/down", body: { x, y, button }, sends: [] }),
      () => ({ path: "mouse/up", body: { button }, sends: [] }),
      () => ({ path: "keyboard/hold", body: { key }, sends: [] }),
      () => ({ path: "keyboard/release", body: { key }, sends: [] }),
      () => ({
        path: "keyboard/key",
        body: { key: ownKey, duration_ms: world.below(2) * 500, repeat: 1 + world.below(3) },
        sends: [],
        ...ofLetter,
      }),
      () => ({
        path: "mouse/click",
        body: { x, y, button, modifiers: ["shift", ownKey], click_count: 1 + world.below(3) },
        sends: [],
        ...ofLetter,
      }),
      () => ({ path: "mouse/drag", body: { x, y, duration_ms: world.below(400) }, sends: [] }),
      () => ({
        path: "keyboard/type",
        body: { text: character.repeat(length), typing_delay: world.below(2) * 12 },
        sends: Array<string>(length).fill(`type ${character}`),
      }),
      () => ({ path: "system/release-all", body: {}, sends: [] }),
      () => ({ path: "batch", body: { steps: this.#randomSteps(ownKey) }, sends: [], ...ofLetter }),
    ])();
  }
}

const STEPS = [
  ["mouse.down", { button: "left" }],
  ["mouse.up", { button: "left" }],
  ["mouse.move", { x: 790, y: 590 }],
  ["mouse.click", { button: "right" }],
  ["keyboard.hold", { key: "shift" }],
  ["keyboard.release", { key: "shift" }],
  ["keyboard.key", { key: "ctrl+a" }],
  ["keyboard.type", { text: "step" }],
] as const;

function name(calls: readonly (Call & { readonly number: number })[]): string {
  return calls.map(({ number, path, body }) => `${number} ${path} ${JSON.stringify(body)}`).join(
    "; ",
  );
}
