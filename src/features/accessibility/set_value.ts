/** Sets the value of an element, and reads it back: some programs say that they did, and did not. */

import { ValueFault } from "../../core/errors.ts";
import type { Element } from "../../platform/types/mod.ts";
import {
  type Acting,
  attempt,
  confirmed,
  lasts,
  type Outcome,
  pressForReal,
  typeForReal,
  unverified,
} from "./acting.ts";
import { chooseOption } from "./choose_option.ts";
import { isTextField } from "./describe_element.ts";

/** How long a program has to show a value that it has accepted, in milliseconds. */
const ACCEPTED_MS = 500;

/** Cells take keys where they are, and keep them when Enter is pressed. */
const CELL = /^(cell|gridcell)$/;

/** Lists whose value is the name of an option. */
const LIST = /^(combobox|listbox)$/;

/** @throws ValueFault on `action` for an element that holds no value */
export async function setValue(acting: Acting, element: Element, value: string): Promise<Outcome> {
  const { target, method } = acting;
  if (LIST.test(element.role) && !element.states.has("editable")) {
    return await chooseOption(acting, value);
  }
  const isTyped = isTextField(element) || CELL.test(element.role);
  if (!isTyped && !element.abilities.has("set value")) {
    throw new ValueFault("action", `The ${target.role} takes no value`);
  }
  if (element.states.has("readonly")) {
    throw new ValueFault("action", `The ${target.role} can only be read`);
  }
  const isSecret = element.states.has("protected");
  // what a password field has become cannot be read, so keys are surer than what its program says
  const isAsked = method === "program" ||
    method === "auto" && !(isSecret && isTyped) && !(element.needsInput && isTyped);
  const asked = isAsked ? await askProgram(acting, value) : undefined;
  if (asked?.result === "confirmed" || method === "program" || (asked && !isTyped)) return asked!;
  if (!isTyped) throw new ValueFault("method", `A ${target.role} is not set by keys`);
  return await typeValue(acting, { element: asked?.now ?? element, value, asked });
}

async function askProgram(acting: Acting, value: string): Promise<Outcome> {
  const { target, context: { signal } } = acting;
  const asked = await target.ask({ kind: "set value", value }, signal);
  const has = (now: Element) => hasValue(now, value);
  let now = await target.lookUntil(has, signal, asked === "refused" ? 0 : ACCEPTED_MS);
  if (has(now)) ({ now } = await lasts(acting, has));
  if (has(now)) {
    return now.needsInput
      ? unverified("program", SHOWS_IT, now)
      : confirmed("program", HAS_IT, now);
  }
  const reason = now.states.has("protected")
    ? UNREADABLE
    : asked === "refused"
    ? "Its program does not take values for it."
    : "Its program has taken the value, and holds another one.";
  return unverified("program", reason, now);
}

const HAS_IT = "It holds the value.";
const SHOWS_IT = "It shows the value, and its program may not keep it: `input` is surer.";
const UNREADABLE = "The content of a password field is not read.";

interface Typing {
  readonly element: Element;
  readonly value: string;
  /** What the program did before, if it was asked. */
  readonly asked: Outcome | undefined;
}

async function typeValue(acting: Acting, { element, value, asked }: Typing): Promise<Outcome> {
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
      await target.lookUntil((one) => hasLength(one, ""), signal);
    }
    await typeForReal(acting, { text: value, clear: !isCell });
    if (isCell) await pressForReal(acting, "enter");
  };
  const failure = asked ? await attempt(type) : await type();
  if (failure !== undefined) return unverified("input", `${failure}.`, element);
  // keys are still on their way, and would go into the field that gets the focus next
  const has = (one: Element) => isSecret ? hasLength(one, value) : hasValue(one, value);
  const now = await target.lookUntil(has, signal);
  if (hasValue(now, value)) return confirmed("input", HAS_IT, now);
  const reason = now.states.has("protected")
    ? UNREADABLE
    : "It holds another value than was typed.";
  return unverified("input", reason, now);
}

/** Where its program does not say how much the field holds, there is nothing to wait for. */
function hasLength({ length }: Element, wanted: string): boolean {
  return length === undefined || length === [...wanted].length;
}

const NUMERIC = /^(slider|spinbutton|progressbar|scrollbar|meter|dial)$/;

function hasValue({ role, name, value, states }: Element, wanted: string): boolean {
  if (states.has("protected")) return false;
  const held = value ?? (CELL.test(role) ? name : undefined);
  if (held === undefined) return wanted === "";
  if (normalize(held) === normalize(wanted)) return true;
  const isNumber = NUMERIC.test(role) && held.trim() !== "" && wanted.trim() !== "";
  return isNumber && Number(held) === Number(wanted);
}

/** Programs have their own line ends, and some add one at the end. */
function normalize(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
}
