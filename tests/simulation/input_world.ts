/** Callers that send input to one display, all at the same time, and what must hold whatever happens in which order. */

import { available } from "../../src/platform/capability.ts";
import type { Delivery, Focus, Input } from "../../src/platform/types/mod.ts";
import { testApp } from "../support/client.ts";
import type { FakeInput } from "../support/fake_input.ts";
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

interface InputCall extends Call {
  /** The lines of the input that it sends if it succeeds, with nothing of others between. */
  readonly sends: readonly string[];
  /** The key that nobody else presses, and that is up when the call is answered. */
  readonly ownKey?: string;
}

/** Alpha, and from there one letter for each call: no other call and none of {@link STEPS} presses it. */
const FIRST_OWN_KEY = 0x3b1;
const BUTTONS = ["left", "middle", "right"] as const;
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

/** @throws Error as {@link simulate} */
export async function simulateInput(
  { seed, calls, failures, operations }: Scenario,
): Promise<void> {
  const world = new World(seed, { share: failures, operations });
  await simulate(world, async () => {
    const run = new InputRun(world);
    await run.callAll(calls);
    if (failures === 0) run.checkOrder();
    await run.end();
  });
}

/**
 * One call again and again: each time another answer of the system is a failure, until the call has
 * had all without one. The next call works.
 * @returns how many answers the call has needed
 * @throws Error as {@link simulate}
 */
export async function failEachAnswer(path: string, body: object): Promise<number> {
  for (let nth = 1;; nth++) {
    const world = new World(1, { nth });
    let wasNeeded = true;
    await simulate(world, async () => {
      const run = new InputRun(world);
      await run.callers.call({ path, body, sends: [] });
      wasNeeded = world.answered >= nth;
      if (wasNeeded) {
        const next = { path: "mouse/move", body: { x: 9, y: 9 }, sends: ["move 9,9"] };
        const status = await run.callers.call(next);
        if (status !== 204) throw new Error(`The next call was answered ${status}`);
      }
      await run.end();
    });
    if (!wasNeeded) return nth - 1;
  }
}

const CURSOR: InputCall = {
  path: "tool",
  body: {},
  sends: [],
  tool: { name: "cursor_position", arguments: {} },
};

class InputRun {
  readonly callers: Callers<InputCall>;
  readonly #input: FakeInput;
  /** How much of the input the system has processed. */
  #processed = 0;
  /** Whether a window manager has a click that it has not delivered. */
  #isHeldBack = false;
  /** Whether release-all came after it: nothing waits for that click any more. */
  #isGivenUp = false;
  /** Whether the system has said, since the last button went down, where keys go. */
  #isPressAnswered = false;
  #releasesAll = false;
  /** Whether some call by MCP. */
  readonly #usesTools: boolean;
  readonly #overtaken: string[] = [];
  /** The keys that somebody has held since everything was released. */
  readonly #held = new Set<string>();
  readonly #late: string[] = [];

  constructor(private readonly world: World) {
    const app = testApp();
    this.#usesTools = world.random() < 0.3;
    const screen = app.platform.screen();
    this.callers = new Callers(world, app, (each) => this.#checkAnswer(each));
    this.#input = screen.fake;
    const { port, mouse, keyboard } = this.#input;
    const input: Input = {
      ...port,
      confirm: () => this.#confirm(),
      releaseAll: async () => {
        this.#releasesAll = true;
        this.#held.clear();
        await port.releaseAll();
        this.#releasesAll = false;
        this.#isGivenUp = true;
        await this.#confirm();
      },
    };
    const focus: Focus = {
      keyTarget: () =>
        this.#ask(() => {
          this.#isPressAnswered = true;
          return this.#isHeldBack ? "held back" : world.pick(["clicked", "elsewhere"]);
        }),
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
    keyboard.prepare = () => this.#ask(() => {});
    keyboard.heldByOthers = available({
      seen: () => keyboard.others.length > 0,
      modifiers: () => this.#ask(() => keyboard.others),
    });
    this.#holdBackClicks();
  }

  async callAll(count: number): Promise<void> {
    const { world } = this;
    const { keyboard } = this.#input;
    if (this.#usesTools) await this.callers.call(CURSOR); // the door is opened by the first call
    const person: Choice = {
      what: "a person presses or releases Ctrl",
      weight: 0.05,
      run: () => keyboard.others = keyboard.others.length > 0 ? [] : ["ctrl"],
    };
    // at once, or while others send
    const weights = world.pick([{ come: 1.5, leave: 0.1 }, { come: 0.1, leave: 0.01 }]);
    await this.callers.callAll(count, (number) => this.#randomCall(number), [person], weights);
  }

  /** Input comes in the order of arrival. */
  checkOrder(): void {
    let last = -1;
    for (const each of this.callers.all) {
      if (!isDone(each) || each.call.sends.length === 0) continue;
      const { from } = this.#find(each);
      if (from < last) throw new Error(`${describe(each)} came before an earlier one`);
      last = from;
    }
  }

  /** When nobody holds anything any more, nothing is pressed. */
  async end(): Promise<void> {
    await this.callers.end();
    if (this.#late.length > 0) throw new Error(`${this.#late[0]} is pressed after its release`);
    if (this.#overtaken.length > 0) throw new Error(`${this.#overtaken[0]} overtook a click`);
    const pressed = [...this.#input.mouse.down, ...this.#input.keyboard.down];
    if (pressed.length > 0) throw new Error(`${pressed.join(", ")} stay pressed`);
  }

  /** Without the pauses between clicks. */
  get #sent(): readonly string[] {
    return this.#input.sent.filter((line) => !line.startsWith("separate "));
  }

  /**
   * A window manager keeps some clicks for a while; no key may overtake one before release-all. It
   * keeps them from their press on: one that it has passed on is no longer kept when its button,
   * which was held down, goes up, at any time if its caller leaves.
   */
  #holdBackClicks(): void {
    const { world } = this;
    const { mouse, keyboard, sent } = this.#input;
    const pressButton = mouse.press.bind(mouse);
    mouse.press = (button) => {
      this.#isPressAnswered = false;
      pressButton(button);
    };
    const release = mouse.release.bind(mouse);
    mouse.release = (button) => {
      const isClick = sent.at(-1) === `press ${button}` && !this.#isPressAnswered;
      release(button);
      if (!isClick || this.#releasesAll || world.random() < 0.7) return;
      this.#isHeldBack = true;
      this.#isGivenUp = false;
      const deliver = () => void (this.#isHeldBack = false);
      world.answer("delivery of a click", deliver).catch(deliver);
    };
    const press = keyboard.press.bind(keyboard);
    keyboard.press = (key) => {
      if (this.#isHeldBack && !this.#isGivenUp) this.#overtaken.push(`key ${key.name}`);
      this.#checkHold(key.name.toLowerCase());
      press(key);
    };
  }

  /** What is pressed again after a text is still held. */
  #checkHold(key: string): void {
    if (!/^f\d+$/.test(key) || this.#held.has(key)) return;
    const isAsked = this.callers.all.some(({ call, answer }) =>
      call.path === "keyboard/hold" && (call.body as { readonly key: string }).key === key &&
      (answer === undefined || answer.status === 499) // who has left may still be served
    );
    if (isAsked) this.#held.add(key);
    else this.#late.push(key);
  }

  #ask<T>(value: () => T): Promise<T> {
    return this.world.answer("question", value, "display");
  }

  #confirm(): Promise<void> {
    const sent = this.#sent.length;
    const process = () => void (this.#processed = Math.max(this.#processed, sent));
    return this.world.answer("confirmation", process, "display");
  }

  #checkAnswer(each: Started<InputCall>): void {
    const { ownKey } = each.call;
    if (ownKey !== undefined && this.#input.keyboard.down.has(ownKey)) {
      throw new Error(`${describe(each)} left its key pressed`);
    }
    if (isDone(each) && this.#find(each).to > this.#processed) {
      throw new Error(`${describe(each)} succeeded before the system had its input`);
    }
  }

  /**
   * Where in the input that of a call begins and ends; what was held too long, or by a call that
   * failed, may be released within it.
   */
  #find(each: Started<InputCall>): { readonly from: number; readonly to: number } {
    const { sends } = each.call;
    if (sends.length === 0) return { from: 0, to: 0 };
    const sent = this.#sent;
    const from = sent.indexOf(sends[0]!);
    let to = from;
    for (const line of sends) {
      while (sent[to] !== line && sent[to]?.startsWith("release ")) to++;
      if (from < 0 || sent[to++] !== line) {
        const found = sent.slice(Math.max(0, from), from + sends.length + 1);
        throw new Error(`${describe(each)} sent ${found.join()}`);
      }
    }
    return { from, to };
  }

  /** Its input is recognized by a point or a character of its own. */
  #randomCall(number: number): InputCall {
    const { world } = this;
    const at = { x: number % 700, y: Math.floor(number / 700) };
    const move = `move ${at.x},${at.y}`;
    const button = world.pick(BUTTONS);
    const clicked = [`press ${button}`, `release ${button}`];
    const character = String.fromCodePoint(0x4e00 + number);
    const length = 1 + world.below(120);
    const key = `f${1 + world.below(12)}`;
    const ownKey = String.fromCodePoint(FIRST_OWN_KEY + number);
    const durationMs = world.below(2) * 500;
    const times = 1 + world.below(3);
    const call = (path: string, body: object, sends: readonly string[] = []) => ({
      path,
      body,
      sends,
    });
    const type = { text: character.repeat(length), typing_delay: world.below(2) * 12 };
    const modifiers = ["shift", ownKey];
    const coordinate = [at.x, at.y];
    const byTool = (name: string, args: object, sends: readonly string[]) => ({
      ...call(`tool ${name}`, args, sends),
      tool: { name, arguments: args },
    });
    const held = { text: ownKey, duration: durationMs / 1_000 };
    if (this.#usesTools && world.random() < 0.5) {
      return world.pickKind<InputCall>([
        byTool("mouse_move", { coordinate }, [move]),
        byTool(`${button}_click`, { coordinate }, [move, ...clicked]),
        byTool("type", { text: type.text }, Array(length).fill(`type ${character}`)),
        { ...byTool("hold_key", held, []), ownKey },
      ], operationOf);
    }
    return world.pickKind<InputCall>([
      call("mouse/move", at, [move]),
      call("mouse/click", { ...at, button }, [move, ...clicked]),
      call("mouse/down", { ...at, button }),
      call("mouse/up", { button }),
      call("mouse/drag", { ...at, duration_ms: durationMs }),
      call("keyboard/hold", { key }),
      call("keyboard/release", { key }),
      call("keyboard/type", type, Array(length).fill(`type ${character}`)),
      call("system/release-all", {}),
      { ...call("keyboard/key", { key: ownKey, duration_ms: durationMs, repeat: times }), ownKey },
      { ...call("mouse/click", { ...at, button, modifiers, click_count: times }), ownKey },
      { ...call("batch", { steps: this.#randomSteps(ownKey) }), ownKey },
    ], operationOf);
  }

  #randomSteps(key: string): object[] {
    return Array.from({ length: 1 + this.world.below(5) }, () => {
      const steps = [...STEPS, ["keyboard.hold", { key }] as const];
      const [operation, input] = this.world.pickKind(steps, ([operation]) => operation);
      return { operation, input };
    });
  }
}
