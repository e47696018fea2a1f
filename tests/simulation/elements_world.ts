/** Callers that read elements, wait for them, click them and fill them, while their program changes them, hangs and lies. */

import { available } from "../../src/platform/capability.ts";
import type { ElementState } from "../../src/platform/types/mod.ts";
import { testApp } from "../support/client.ts";
import {
  type Call,
  Callers,
  describe,
  isDone,
  operationOf,
  simulate,
  type Started,
} from "./callers.ts";
import { type Known, PASSWORD, ROLES, type Seen, SimulatedForm } from "./simulated_form.ts";
import { type Choice, type Scenario, World } from "./world.ts";

/** What is so for this time is seen by everybody who waits for it, in milliseconds. */
const SEEN_MS = 8_000;
/** What checks may take beside the times that are asked for. */
const REST_MS = 10_000;
/** Longer than the first reading takes, in milliseconds. */
const READ_MS = 2_500;
interface ElementCall extends Call {
  readonly known?: Known;
  /** What it waits for or brings about; of the elements that can be seen. */
  isSo?(elements: readonly Seen[]): boolean;
  readonly timeoutMs?: number;
  /** What it types: a character that nobody else types. */
  readonly types?: string;
}

/** @throws Error as {@link simulate} */
export async function simulateElements(
  { seed, calls, failures, operations }: Scenario,
): Promise<void> {
  const world = new World(seed, { share: failures, operations });
  await simulate(world, async () => {
    const run = new ElementsRun(world);
    await run.callers.callAll(calls, (number) => run.randomCall(number), run.others, {
      come: 0.3,
      leave: 0.02,
    });
    await run.end();
  });
}

class ElementsRun {
  readonly callers: Callers<ElementCall>;
  readonly others: readonly Choice[];
  readonly #form: SimulatedForm;
  readonly #known: Known[] = [];

  constructor(private readonly world: World) {
    const app = testApp();
    const screen = app.platform.screen();
    const form = this.#form = new SimulatedForm(world, screen.fake);
    screen.accessibility = available(form.port);
    screen.windows = available(form.windows);
    this.callers = new Callers(world, app, (each) => this.#checkAnswer(each));
    const change = (what: string, weight: number, run: () => void) => ({
      what,
      weight,
      run: () => form.change(run),
    });
    this.others = [
      change("a list gives a row to another entry", 0.03, () => form.rename()),
      change("two elements change places", 0.03, () => form.swap()),
      change("an element goes or comes back", 0.03, () => form.toggle()),
      change("a person uses another field", 0.02, () => form.usePerson()),
      change("a program hangs or goes on", 0.01, () => form.hang()),
      change("another window covers it, or goes", 0.01, () => form.cover()),
    ];
  }

  /** When nobody calls any more, nothing is pressed. */
  async end(): Promise<void> {
    await this.callers.end();
    const pressed = this.#form.pressed;
    if (pressed.length > 0) throw new Error(`${pressed.join(", ")} stay pressed`);
  }

  randomCall(number: number): ElementCall {
    const { world } = this;
    const known = world.random() < 0.2 ? undefined : this.#known.at(-1 - world.below(12));
    return { expected: [404, 504], ...known ? this.#use(known, number) : this.#look() };
  }

  #look(): ElementCall {
    const { world } = this;
    const role = world.pick(ROLES);
    return world.pickKind<ElementCall>([
      { path: "accessibility/find", body: { role } },
      { path: "accessibility/find", body: { role, window: "all" } },
      { path: "accessibility/snapshot", body: { format: "json" } },
    ], operationOf);
  }

  /** What is done with an element; some of it its role does not take. */
  #use(known: Known, number: number): ElementCall {
    const { world } = this;
    const { ref, id, name } = known;
    const find = (elements: readonly Seen[]) => elements.find((each) => each.id === id);
    const has = (state: ElementState) => (elements: readonly Seen[]) =>
      find(elements)?.states.includes(state) ?? false;
    const act = (action: string, isSo?: ElementCall["isSo"], more = {}): ElementCall => ({
      path: "accessibility/act",
      body: { ref, action, method: world.pick(["auto", "program", "input"]), ...more },
      known,
      ...isSo && { isSo },
    });
    const isChosen = (elements: readonly Seen[]) =>
      has("checked")(elements) || has("selected")(elements);
    const character = String.fromCodePoint(0x4e00 + number);
    const value = character.repeat(1 + world.below(60));
    const timeout_ms = world.pick([0, 2_000, 10_000]);
    const wait = { path: "display/wait", timeoutMs: timeout_ms };
    const element = { name, exact: true };
    const isThere = (elements: readonly Seen[]) => elements.some((each) => each.name === name);
    return world.pickKind<ElementCall>([
      { path: "mouse/click", body: { ref }, known },
      { path: "mouse/click", body: { ref, click_count: 2 }, known },
      { path: "keyboard/type", body: { ref, text: value, typing_delay: 5 }, known, types: value },
      { path: "accessibility/value", body: { ref }, known },
      act("click"),
      act("focus", has("focused")),
      act("set_value", (elements) => find(elements)?.value === value, { value }),
      act("select", isChosen),
      act("unselect", (elements) => !isChosen(elements)),
      act("expand", has("expanded")),
      act("collapse", has("collapsed")),
      { ...wait, body: { until: { element }, timeout_ms }, isSo: isThere },
      {
        ...wait,
        body: { until: { gone: { element } }, timeout_ms },
        isSo: (elements) => !isThere(elements),
      },
      { path: "system/release-all", body: {} },
    ], operationOf);
  }

  #checkAnswer(each: Started<ElementCall>): void {
    const { call, answer, startedMs } = each;
    const { text, endedMs } = answer!;
    if (text.includes(PASSWORD)) throw new Error(`${describe(each)} shows a password`);
    if (call.timeoutMs !== undefined && endedMs - startedMs > call.timeoutMs + REST_MS) {
      throw new Error(`${describe(each)} took ${endedMs - startedMs} ms`);
    }
    if (!isDone(each)) return;
    const { path, known, types } = call;
    const during = { fromMs: startedMs, toMs: endedMs };
    if (path === "mouse/click" && !this.#form.gotClick(known!, during)) {
      throw new Error(`${describe(each)} succeeded, and ${known!.name} got no click`);
    }
    if (types && !this.#form.gotText(known!, types, during)) {
      throw new Error(`${describe(each)} succeeded, and ${known!.name} has not got the text`);
    }
    const { status, result, elements, root } = (text === "" ? undefined : JSON.parse(text)) ?? {};
    if (path === "accessibility/find") this.#learn(each, elements);
    if (path === "accessibility/snapshot") this.#learn(each, nodesOf(root));
    if (call.isSo === undefined || result === "unverified") return;
    const isSo = call.isSo.bind(call);
    if (status === "timeout") {
      const late = { fromMs: endedMs - SEEN_MS, toMs: endedMs };
      if (this.#form.wasHanging(late)) return;
      if (this.#form.wasVisible(late, (seen) => !isSo(seen))) return;
      throw new Error(`${describe(each)} has missed what was so`);
    }
    const was = result ? this.#form.was(during, isSo) : this.#form.wasVisible(during, isSo);
    // a program that hangs from the beginning counts as showing nothing
    const isSilent = status === "gone" &&
      this.#form.wasHanging({ fromMs: startedMs, toMs: startedMs + READ_MS });
    if (!was && !isSilent) throw new Error(`${describe(each)} succeeded, and was never so`);
  }

  /** What is answered was so at the time; its refs can be used from now on. */
  #learn(each: Started<ElementCall>, nodes: readonly Node[]): void {
    const during = { fromMs: each.startedMs, toMs: each.answer!.endedMs };
    for (const { ref, role, name, value } of nodes) {
      if (!ROLES.some((known) => known === role)) continue;
      let id: string | undefined;
      this.#form.was(during, (elements) => {
        const found = elements.find((one) => one.role === role && one.name === name);
        if (!found || value !== undefined && value !== found.value) return false;
        id = found.id;
        return true;
      });
      if (id === undefined) {
        throw new Error(`${describe(each)} shows a ${role} ${name} ${value ?? ""} of no time`);
      }
      this.#known.push({ ref, id, name });
    }
  }
}

interface Node {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

function nodesOf(node: Node | readonly Node[] | undefined): readonly Node[] {
  if (node === undefined) return [];
  const nodes = Array.isArray(node) ? node as readonly Node[] : [node as Node];
  return nodes.flatMap((each) => [each, ...nodesOf(each.children)]);
}
