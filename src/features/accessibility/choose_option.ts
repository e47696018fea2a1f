/** Chooses an option of a list that opens, by its name. */

import { pause } from "../../core/deadline.ts";
import { ValueFault } from "../../core/errors.ts";
import type { Element } from "../../platform/types/mod.ts";
import {
  type Acting,
  attempt,
  confirmed,
  type Outcome,
  typeForReal,
  unverified,
} from "./acting.ts";
import { ElementTarget } from "./element_target.ts";
import { redactNames } from "./redact_elements.ts";

/** How long a program has to show the option as chosen, in milliseconds. */
const CHOSEN_MS = 700;
const LOOK_MS = 40;
const READ_MS = 2_000;
const MAX_OPTIONS = 2_000;
/** Names that a message lists. */
const MAX_LISTED = 20;
const OPTION = /^(option|menuitem|menuitemradio|listitem|cell|treeitem)$/;

/** The list and its options, as they are now. */
interface Options {
  readonly list: Element;
  readonly all: readonly Element[];
}

/** @throws ValueFault on `value` for a name that no option has */
export async function chooseOption(acting: Acting, value: string): Promise<Outcome> {
  const { method, context: { signal } } = acting;
  const before = await readOptions(acting);
  const option = findOption(before, value);
  if (!option) throw await noSuchOption(acting, before);
  if (isChosen(before, value)) return confirmed("program", "It was chosen already.", before.list);
  if (method !== "input") {
    const chosen = toTarget(acting, option);
    const kind = option.abilities.has("click") ? "click" : "select";
    const asked = await chosen.ask(kind === "click" ? { kind } : { kind, selected: true }, signal);
    const after = asked === "refused" ? before : await awaitChoice(acting, value, before);
    if (isChosen(after, value, before)) return confirmed("program", CHOSEN, after.list);
    if (method === "program") return unverified("program", NOT_CHOSEN, after.list);
  }
  // lists choose what begins with the keys that they get
  const failure = await attempt(() => typeForReal(acting, { text: option.name, clear: false }));
  if (failure !== undefined) return unverified("program", `${NOT_CHOSEN} ${failure}.`, before.list);
  const after = await awaitChoice(acting, value, before);
  return isChosen(after, value, before)
    ? confirmed("input", CHOSEN, after.list)
    : unverified("input", NOT_CHOSEN, after.list);
}

const CHOSEN = "The option is chosen.";
const NOT_CHOSEN = "Nothing shows that the option is chosen.";

async function awaitChoice(acting: Acting, value: string, before: Options): Promise<Options> {
  const end = performance.now() + CHOSEN_MS;
  for (;;) {
    const now = await readOptions(acting);
    if (isChosen(now, value, before) || performance.now() >= end) return now;
    await pause(LOOK_MS, acting.context.signal);
  }
}

/** Options of a closed list do not show, and are there. */
async function readOptions({ target, context: { signal } }: Acting): Promise<Options> {
  const { accessibility } = await target.open();
  const list = await target.look(signal);
  const { roots } = await accessibility.read({
    ...{ scope: { element: target.id }, hidden: true, maxElements: MAX_OPTIONS, maxDepth: 6 },
    ...{ timeMs: READ_MS, signal },
  });
  return { list, all: roots.flatMap(({ children }) => optionsIn(children)) };
}

function optionsIn(elements: readonly Element[]): Element[] {
  return elements.flatMap((element) => [
    ...(OPTION.test(element.role) && element.name !== "" ? [element] : []),
    ...optionsIn(element.children),
  ]);
}

function findOption({ all }: Options, value: string): Element | undefined {
  return all.find(({ name }) => name === value) ??
    all.find(({ name }) => fold(name) === fold(value));
}

/**
 * Some programs show it at the option, others as the value or the name of the list. That name is
 * the label of the list where the choice shows elsewhere, and may be the name of an option, too.
 */
function isChosen(now: Options, value: string, before = now): boolean {
  const { all, list } = now;
  if (findOption(now, value)?.states.has("selected")) return true;
  if (list.value !== undefined && fold(list.value) === fold(value)) return true;
  const isLabel = list.name === before.list.name &&
    (list.value !== undefined || all.some(isMarked));
  return !isLabel && fold(list.name) === fold(value);
}

/** Items of a menu are selected when the mouse is over them. */
function isMarked({ role, states }: Element): boolean {
  return !role.startsWith("menu") && states.has("selected");
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

function toTarget({ context, target }: Acting, element: Element): ElementTarget {
  const { displayNum, top: id, window } = target;
  const top = { id, name: "", ...(window && { window }) };
  return new ElementTarget(context, { displayNum, element, top });
}

async function noSuchOption({ context, target }: Acting, { all }: Options): Promise<ValueFault> {
  const shown = await redactNames(context, all.slice(0, MAX_LISTED).map(({ name }) => name));
  const names = shown.map((name) => JSON.stringify(name));
  const listed = names.length === 0
    ? "it tells of none"
    : `it has ${names.join(", ")}${all.length > MAX_LISTED ? ", …" : ""}`;
  return new ValueFault("value", `The ${target.role} has no such option: ${listed}`);
}
