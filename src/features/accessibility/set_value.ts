/** Sets the value of an element, and reads it back: some programs say that they did, and did not. */

import { poll } from "../../core/deadline.ts";
import { FieldError } from "../../core/errors.ts";
import type { Element } from "../../platform/types/mod.ts";
import {
  type Acting,
  attempt,
  confirmed,
  type ElementActionResult,
  lasts,
  pressForReal,
  typeForReal,
  unverified,
  VISIBLE_ONLY,
} from "./element_actions.ts";
import { foldName, isTextField } from "./outline.ts";
import { ElementTarget } from "./element_target.ts";
import { listNames } from "./redact_elements.ts";

/** How long a program has to show a value that it has accepted, in milliseconds. */
const ACCEPTED_MS = 500;

/**
 * Cells take keys where they are, and keep them when Enter is pressed; numbers are taken over, and
 * brought into their range, when the keyboard leaves them.
 */
const CELL = /^(cell|gridcell)$/;

/** Lists whose value is the name of an option. */
const LIST = /^(combobox|listbox)$/;

/** @throws FieldError on `action` for an element that holds no value */
export async function setValue(
  acting: Acting,
  element: Element,
  value: string,
): Promise<ElementActionResult> {
  const { target, method } = acting;
  if (LIST.test(element.role) && !element.states.has("editable")) {
    return await chooseOption(acting, value);
  }
  const isTyped = isTextField(element) || CELL.test(element.role);
  if (!isTyped && !element.abilities.has("set value")) {
    throw new FieldError("action", `The ${target.role} takes no value`);
  }
  if (element.states.has("readonly")) {
    throw new FieldError("action", `The ${target.role} can only be read`);
  }
  const isSecret = element.states.has("protected");
  // what a password field has become cannot be read, so keys are surer than what its program says
  const isRequested = method === "program" ||
    method === "auto" && !(isSecret && isTyped) && !(element.needsInput && isTyped);
  const requested = isRequested ? await requestValueChange(acting, value) : undefined;
  if (requested?.result === "confirmed" || method === "program" || (requested && !isTyped)) {
    return requested!;
  }
  if (!isTyped) throw new FieldError("method", `A ${target.role} is not set by keys`);
  return await typeValue(acting, { element: requested?.now ?? element, value, requested });
}

async function requestValueChange(acting: Acting, value: string): Promise<ElementActionResult> {
  const { target, context: { signal } } = acting;
  const response = await target.request({ kind: "set value", value }, signal);
  const has = (now: Element) => hasValue(now, value);
  let now = await target.pollUntil(has, signal, response === "refused" ? 0 : ACCEPTED_MS);
  if (has(now)) ({ now } = await lasts(acting, has));
  if (has(now)) {
    return now.needsInput
      ? unverified("program", SHOWS_IT, now)
      : confirmed("program", HAS_IT, now);
  }
  const reason = now.states.has("protected")
    ? UNREADABLE
    : response === "refused"
    ? "Its program does not accept values for it."
    : "Its program accepted the value, but the element has another one.";
  return unverified("program", reason, now);
}

const HAS_IT = "It has the value.";
const SHOWS_IT = `The value is visible, ${VISIBLE_ONLY}`;
const UNREADABLE = "The content of a password field is not read.";

interface Typing {
  readonly element: Element;
  readonly value: string;
  /** What the program did before, if that was requested. */
  readonly requested: ElementActionResult | undefined;
}

async function typeValue(
  acting: Acting,
  { element, value, requested }: Typing,
): Promise<ElementActionResult> {
  const { target, context: { signal } } = acting;
  const isCell = CELL.test(element.role);
  if (/[\r\n]/.test(value) && !element.states.has("multiline")) {
    const reason = "It takes one line, and Enter might send it: nothing was typed.";
    return unverified("input", reason, element);
  }
  const isSecret = element.states.has("protected");
  const type = async () => {
    if (isSecret && element.length) {
      // a field that is empty first shows by its length when it has got all keys
      await typeForReal(acting, { text: "", clear: true });
      await target.pollUntil((one) => hasLength(one, ""), signal);
    }
    await typeForReal(acting, { text: value, clear: !isCell });
    const key = element.role === "spinbutton" ? "tab" : isCell ? "enter" : undefined;
    if (key !== undefined) await pressForReal(acting, key);
  };
  const failure = requested ? await attempt(type) : await type();
  if (failure !== undefined) return unverified("input", `${failure}.`, element);
  // keys are still on their way, and would go into the field that gets the focus next
  const has = (one: Element) => isSecret ? hasLength(one, value) : hasValue(one, value);
  const now = await target.pollUntil(has, signal);
  if (hasValue(now, value)) return confirmed("input", HAS_IT, now);
  const reason = now.states.has("protected")
    ? UNREADABLE
    : "Its value differs from what was typed.";
  return unverified("input", reason, now);
}

/** Where its program does not say how much the field holds, there is nothing to wait for. */
function hasLength({ length }: Element, wanted: string): boolean {
  return length === undefined || length === [...wanted].length;
}

/** Some programs write a unit after it. */
const NUMBER = /[+-]?\d+(\.\d+)?(e[+-]?\d+)?/i;
const NUMERIC = /^(slider|spinbutton|progressbar|scrollbar|meter|dial)$/;

function hasValue({ role, name, value, states }: Element, wanted: string): boolean {
  if (states.has("protected")) return false;
  const held = value ?? (CELL.test(role) ? name : undefined);
  if (held === undefined) return wanted === "";
  if (normalize(held) === normalize(wanted)) return true;
  const [number] = NUMERIC.test(role) && NUMBER.exec(held) || [];
  return number !== undefined && wanted.trim() !== "" && Number(number) === Number(wanted);
}

/** Programs have their own line ends, and some add one at the end. */
function normalize(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
}

// Chooses an option of a list that opens, by its name.

/** How long a program has to show the option as chosen, in milliseconds. */
const CHOICE_TIMEOUT_MS = 700;
const POLL_INTERVAL_MS = 40;
const READ_TIMEOUT_MS = 2_000;
const MAX_OPTIONS = 2_000;
const OPTION = /^(option|menuitem|menuitemradio|listitem|cell|treeitem)$/;

/** The list and its options, as they are now. */
interface Options {
  readonly list: Element;
  readonly all: readonly Element[];
}

/** @throws FieldError on `value` for a name that no option has */
async function chooseOption(acting: Acting, value: string): Promise<ElementActionResult> {
  const { method, context: { signal } } = acting;
  const before = await readOptions(acting);
  const option = findOption(before, value);
  if (!option) throw await noSuchOption(acting, before);
  if (isChosen(before, value)) return confirmed("program", "It was chosen already.", before.list);
  if (method === "program" || method === "auto" && !option.needsInput) {
    const { context, target: { displayNum, topElement } } = acting;
    const chosen = new ElementTarget(context, { displayNum, element: option, top: topElement });
    const kind = option.abilities.has("click") ? "click" : "select";
    const response = await chosen.request(
      kind === "click" ? { kind } : { kind, selected: true },
      signal,
    );
    const after = response === "refused" ? before : await awaitChoice(acting, value, before);
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
const NOT_CHOSEN = "It could not be verified that the option is chosen.";

async function awaitChoice(acting: Acting, value: string, before: Options): Promise<Options> {
  let now = before;
  const check = async () => isChosen(now = await readOptions(acting), value, before);
  await poll(check, {
    everyMs: POLL_INTERVAL_MS,
    timeoutMs: CHOICE_TIMEOUT_MS,
    signal: acting.context.signal,
  });
  return now;
}

/** Options of a closed list exist, although they are not visible. */
async function readOptions({ target, context: { signal } }: Acting): Promise<Options> {
  const { accessibility } = await target.open();
  const list = await target.refresh(signal);
  const { roots } = await accessibility.read({
    scope: { element: target.id },
    hidden: true,
    maxElements: MAX_OPTIONS,
    maxDepth: 6,
    timeMs: READ_TIMEOUT_MS,
    signal,
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
    all.find(({ name }) => foldName(name) === foldName(value));
}

/**
 * Some programs show it at the option, others as the value or the name of the list. That name is
 * the label of the list where the choice shows elsewhere, and may be the name of an option, too.
 */
function isChosen(now: Options, value: string, before = now): boolean {
  const { all, list } = now;
  if (list.value !== undefined && foldName(list.value) === foldName(value)) return true;
  // what is selected in a closed list of Qt is not what its program has
  const option = findOption(now, value);
  if (option?.needsInput) return foldName(list.name) === foldName(value);
  if (option?.states.has("selected")) return true;
  const isLabel = list.name === before.list.name &&
    (list.value !== undefined || all.some(isMarked));
  return !isLabel && foldName(list.name) === foldName(value);
}

/** Items of a menu are selected when the mouse is over them. */
function isMarked({ role, states }: Element): boolean {
  return !role.startsWith("menu") && states.has("selected");
}

async function noSuchOption({ context, target }: Acting, { all }: Options): Promise<FieldError> {
  const names = all.map(({ name }) => name);
  const listed = await listNames(context, names, "its program reports none");
  return new FieldError("value", `The ${target.role} has no such option: ${listed}`);
}
