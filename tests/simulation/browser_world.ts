/** Callers that send input to pages and wait for them, while pages hang and open dialogs, and what must hold. */

import { thisHost } from "../../src/platform/host.ts";
import { requireCapability } from "../../src/platform/capability.ts";
import { openBrowser } from "../../src/platform/browser/open_browser.ts";
import type { Browser } from "../../src/platform/types/mod.ts";
import { testApp } from "../support/client.ts";
import {
  type Call,
  Callers,
  describe,
  isDone,
  operationOf,
  simulate,
  type Started,
  stepUntil,
} from "./callers.ts";
import { settle } from "./virtual_time.ts";
import { type PageInput, SimulatedBrowser, type SimulatedPage } from "./simulated_browser.ts";
import { type Choice, type Scenario, World } from "./world.ts";

interface BrowserCall extends Call {
  /** Whether an event of the input that a page has is one of its own. */
  isOwn?(input: PageInput): boolean;
  /** What a page has at least when it succeeds: types of input, and how many. */
  readonly arrives?: readonly (readonly [type: string, count: number])[];
  /** The longest that it may take, in milliseconds, whatever others do. */
  readonly withinMs?: number;
}

const LIST_TABS: BrowserCall = { path: "browser/tabs", body: {}, method: "GET", expected: [504] };
/** Whoever leaves is answered, and sends nothing more, after this time. */
const LEAVE_MS = 2_000;
/** A page that hangs may delay one question by this time. */
const QUESTION_MS = 12_000;
/** What pages show. */
const TEXTS = 5;
const ANSWER_DIALOG: BrowserCall = {
  path: "browser/dialog",
  body: { accept: true },
  withinMs: QUESTION_MS,
  expected: [404, 504],
};

/** @throws Error as {@link simulate} */
export async function simulateBrowser(
  { seed, calls, failures, operations }: Scenario,
): Promise<void> {
  const world = new World(seed, { share: failures, operations });
  await simulate(world, async () => {
    const browser = new SimulatedBrowser(world);
    using _installed = browser.install();
    const run = new BrowserRun(world, browser);
    await run.callAll(calls, failures > 0);
    await run.end();
  });
}

class BrowserRun {
  readonly #callers: Callers<BrowserCall>;
  readonly #pages: readonly SimulatedPage[];
  readonly #browser: Browser;
  #tabs: readonly string[] = [];
  /** Whether nearly all calls are long waits for nothing: more than wait at the same time. */
  readonly #areWaits: boolean;

  constructor(private readonly world: World, private readonly simulated: SimulatedBrowser) {
    const app = testApp();
    this.#pages = simulated.pages;
    this.#areWaits = world.isGiven("browser/wait") || world.random() < 0.1;
    this.#callers = new Callers(world, app, (each) => this.#checkAnswer(each));
    const config = { browserAddress: "ws://simulated.test/", stateDirs: [] };
    const browser = openBrowser(thisHost(), config, () => undefined);
    app.platform.browser = browser;
    this.#browser = requireCapability(browser);
  }

  async callAll(count: number, losesConnections: boolean): Promise<void> {
    const { world } = this;
    while (this.#tabs.length === 0) await this.#callers.call(LIST_TABS);
    const person: Choice = {
      what: "a person answers the dialogs",
      weight: world.pick([0.05, 0.002]), // so that some outlive a connection
      run: () => this.#answerDialogs(),
    };
    const change: Choice = {
      what: "a page has another text",
      weight: 0.05,
      run: () => world.pick(this.#pages).text = `text ${world.below(TEXTS)}`,
    };
    const loss: Choice = {
      what: "the connection is lost",
      weight: world.pick([0.01, 0.001]),
      run: () => this.simulated.hangUp(),
    };
    const others = [person, change, ...losesConnections ? [loss] : []];
    // most leave while a page hangs, or most see its end
    const leave = world.pick([0.015, 0.0005]);
    const weights = this.#areWaits ? { come: 5, leave: 0 } : { come: 0.1, leave };
    await this.#callers.callAll(count, (number) => this.#randomCall(number), others, weights);
  }

  /** What is down belongs to somebody; afterwards all is released, and the browser ends. */
  async end(): Promise<void> {
    await this.#drain();
    for (const { name, buttons, keys } of this.#pages) {
      if (keys.size > 0) throw new Error(`${[...keys].join(", ")} stay pressed in ${name}`);
      for (const [button, presses] of buttons) {
        const callers = this.#callers.all.filter(({ call }) =>
          presses.some((each) => call.isOwn?.(each))
        );
        if (callers.some((each) => each.call.path === "browser/pointer" && isDone(each))) continue;
        const who = callers.map(describe).join() || "a batch";
        throw new Error(`${who} left the ${button} button pressed in ${name}`);
      }
    }
    const inputs = this.#pages.flatMap((page) => page.inputs);
    for (const each of this.#callers.all) {
      this.#checkLate(each, inputs);
      this.#checkArrived(each, inputs);
    }
    for (const page of this.#pages) this.#checkWhole(page);
    await this.#callers.call({ path: "system/release-all", body: {} });
    await this.#drain();
    const down = this.#pages.flatMap(({ buttons }) => [...buttons.keys()]);
    if (down.length > 0) throw new Error(`${down.join(", ")} stay pressed after release-all`);
    await this.#stepUntil(this.#browser[Symbol.asyncDispose]());
  }

  async #stepUntil<T>(end: PromiseLike<T>): Promise<T> {
    let isOver = false;
    Promise.resolve(end).finally(() => isOver = true).catch(() => {});
    await stepUntil(this.world, () => isOver);
    return await end;
  }

  /** Pages go on, until there is nothing more to come. */
  async #drain(): Promise<void> {
    do {
      this.#answerDialogs();
      await settle(); // what has waited for them can come now
    } while (await this.world.step([]));
  }

  #answerDialogs(): void {
    for (const page of this.#pages) if (page.hasDialog) page.closeDialog();
  }

  #checkAnswer(each: Started<BrowserCall>): void {
    const { call, startedMs, leftMs, answer } = each;
    if (call === LIST_TABS && isDone(each)) { // with each connection they have new ids
      this.#tabs = (JSON.parse(answer!.text) as { readonly id: string }[]).map(({ id }) => id);
    }
    const now = this.world.time.now;
    if (leftMs !== undefined && now - leftMs > LEAVE_MS) {
      throw new Error(`${describe(each)} left, and was answered ${now - leftMs} ms later`);
    }
    if (call.withinMs !== undefined && now - startedMs > call.withinMs) {
      throw new Error(`${describe(each)} took ${now - startedMs} ms`);
    }
  }

  /** Nothing is pressed or typed for whoever has left. */
  #checkLate({ call, leftMs }: Started<BrowserCall>, inputs: readonly PageInput[]): void {
    if (leftMs === undefined || call.isOwn === undefined) return;
    const late = inputs.find((input) =>
      !/Released|keyUp/.test(input.type) && input.sentMs - leftMs > LEAVE_MS && call.isOwn!(input)
    );
    if (late) throw new Error(`${call.path} sent ${late.type} after its caller had left`);
  }

  /** Success means that the page has had all of it. */
  #checkArrived(each: Started<BrowserCall>, inputs: readonly PageInput[]): void {
    const { call } = each;
    if (!isDone(each) || call.arrives === undefined) return;
    const own = inputs.filter((input) => call.isOwn!(input));
    const missing = call.arrives.find(([type, count]) => {
      return own.filter((input) => input.type === type).length < count;
    });
    if (missing) throw new Error(`${describe(each)} succeeded with fewer than ${missing}`);
  }

  /** What one call presses, moves and types has no input of others between, but releases. */
  #checkWhole({ name, inputs }: SimulatedPage): void {
    const sent = inputs.filter(({ type }) =>
      type !== "keyDown" && type !== "rawKeyDown" && type !== "keyUp"
    );
    for (const { call } of this.#callers.all.filter(({ call }) => call.isOwn)) {
      const from = sent.findIndex((input) => call.isOwn!(input));
      const to = sent.findLastIndex((input) =>
        call.isOwn!(input) && input.type !== "mouseReleased"
      );
      const other = sent.slice(from, Math.max(from, to)).find((input) => {
        return !call.isOwn!(input) && input.type !== "mouseReleased";
      });
      if (other) throw new Error(`${JSON.stringify(other)} came into ${call.path} in ${name}`);
    }
  }

  #randomCall(number: number): BrowserCall {
    const { world } = this;
    if (world.random() < (this.#areWaits ? 0.9 : 0.1)) return this.#wait();
    if (this.#areWaits) return ANSWER_DIALOG;
    if (world.random() < 0.1) return LIST_TABS;
    const tab_id = world.pick([undefined, ...this.#tabs]);
    const [x, y] = [number, number];
    const at = { x, y, tab_id };
    const isThere = (input: PageInput) => input.y === y;
    const button = world.pick(["left", "middle", "back", "forward"]);
    const action = world.pick(["down", "down", "up", "move"]);
    const character = String.fromCodePoint(0x4e00 + number);
    const text = character.repeat(1 + world.below(80));
    const key = world.pick(["ctrl+shift+k", "a", "shift+Tab"]);
    const duration_ms = world.pick([0, 500, 5_000]);
    const path = [{ x, y }, { x: x + 50, y }];
    const call = world.pickKind<BrowserCall>([
      { path: "browser/click", body: at, isOwn: isThere, arrives: [["mousePressed", 1]] },
      {
        path: "browser/drag",
        body: { path, tab_id },
        isOwn: isThere,
        arrives: [["mousePressed", 1], ["mouseMoved", 1]],
      },
      { path: "browser/pointer", body: { ...at, button, action }, isOwn: isThere },
      {
        path: "browser/type",
        body: { text, tab_id },
        isOwn: (input) => input.text === character,
        arrives: [["insertText", text.length]],
      },
      { path: "browser/key", body: { key, duration_ms, tab_id } },
      { path: "browser/type", body: { text: "Hello", tab_id } },
      { path: "browser/scroll", body: { ...at, clicks: 1 }, isOwn: isThere },
      ANSWER_DIALOG,
      { path: "system/release-all", body: {} },
      {
        path: "batch",
        body: {
          steps: [{ operation: "browser.pointer", input: { ...at, button, action: "down" } }],
        },
      },
    ], operationOf);
    return { ...call, expected: [404, 504] };
  }

  #wait(): BrowserCall {
    const path = "browser/wait";
    if (this.#areWaits) return { path, body: { text: "never there", timeout_ms: 20_000 } };
    const timeout_ms = this.world.pick([500, 60_000]);
    const text = `text ${this.world.below(2 * TEXTS)}`; // half of them are never there
    const tab_id = this.world.pick([undefined, ...this.#tabs]);
    const body = { text, timeout_ms, tab_id };
    return { path, body, withinMs: timeout_ms + QUESTION_MS, expected: [404] };
  }
}
