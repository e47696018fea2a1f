/** Fills fields of forms as their kind asks for, and reads them again. */

import { poll } from "../../../core/deadline.ts";
import { unlessStopped } from "../../../core/serve_jobs.ts";
import { FieldError, ServiceError } from "../../../core/errors.ts";
import { shortOrMark } from "../../../core/texts.ts";
import type { Filled, FillValue, PageElement } from "../../types/browser.ts";
import {
  callOn,
  checkUse,
  describeElement,
  findElement,
  NO_FOCUS,
  refuseElement,
  type ResolvedElement,
  reveal,
  type RevealedElement,
} from "../elements.ts";
import { pressDelete } from "../keys/keyboard.ts";
import { clickAt } from "../pointer.ts";
import type { BrowserCaller, BrowserJob, RunningBrowser } from "../running_browser.ts";

/** How long a page may take to show what was chosen. */
const FOLLOWING = { everyMs: 25, timeoutMs: 500 };
const CONFIRMED: Filled = { result: "confirmed", reason: "The field has the requested value." };
const CHANGED: Filled = {
  result: "unverified",
  reason: "The field has another value than requested: the page has changed it.",
};

export const fill: BrowserJob<"fill"> = async (browser, { element, value }, { checkStop }) => {
  const { found, revealed } = await showField(browser, element);
  const { kind, blocked } = await callOn<FieldKind>(found, KIND);
  const what = describeElement(element);
  if (!kind) throw new ServiceError("conflict", `${what} is gone: take a new snapshot`);
  if (kind === "file") throw new FieldError("ref", `${what} accepts files: use browser/upload`);
  if (!Object.hasOwn(FILLERS, kind)) throw new FieldError("ref", `${what} is not a form field`);
  if (blocked !== undefined) throw new ServiceError("conflict", `${what} is ${blocked} now`);
  checkStop();
  return await FILLERS[kind]!({ found, value, revealed, checkStop });
};

interface Filling extends Pick<BrowserCaller, "checkStop"> {
  readonly found: ResolvedElement;
  readonly value: FillValue;
  readonly revealed: RevealedElement | undefined;
}

type Filler = (filling: Filling) => Promise<Filled>;

const FILLERS: Readonly<Record<string, Filler>> = {
  async text({ found, value, checkStop }) {
    const text = toText(value);
    const { tab, element } = found;
    if (await callOn(found, SELECT_ALL) !== true) throw refuseElement(element, NO_FOCUS);
    checkStop();
    if (text === "") await pressDelete(tab, checkStop);
    else await unlessStopped(tab.act("Input.insertText", { text }), checkStop);
    return await isTrueSoon(found, HOLDS, text) ? CONFIRMED : CHANGED;
  },
  async set({ found, value }) {
    const { refused, min, max } = await callOn<SetValue>(found, SET_VALUE, [toText(value)]);
    if (refused !== undefined) {
      const bounds = [min && `at least ${min}`, max && `at most ${max}`].filter((each) => each);
      const and = bounds.length > 0 ? `, ${bounds.join(", ")}` : "";
      throw new FieldError(
        "value",
        `This field accepts ${FORMATS[refused] ?? "other values"}${and}`,
      );
    }
    return CONFIRMED;
  },
  async checkbox({ found, value, revealed, checkStop }) {
    if (typeof value !== "boolean") {
      throw new FieldError("value", "This field accepts true or false");
    }
    const isChecked = async () => await callOn(found, IS_CHECKED) === value;
    if (await isChecked()) return CONFIRMED;
    // many pages draw a box of their own over the real one, which is hidden
    if (revealed) await clickAt(found.tab, revealed.middle, checkStop);
    else await callOn(found, CLICK);
    if (found.tab.dialog) {
      return { result: "unverified", reason: "The click has opened a dialog of the page." };
    }
    return await poll(isChecked, FOLLOWING) ? CONFIRMED : CHANGED;
  },
  async select({ found, value }) {
    const wanted = Array.isArray(value) ? value.map(String) : [toText(value)];
    const { options, isDisabled } = await callOn<SelectOptions>(found, SELECT_OPTIONS, [wanted]);
    if (options !== undefined) {
      const all = options.map((each) => JSON.stringify(shortOrMark(each))).join(", ");
      throw new FieldError("value", `There is no such option: the field has ${all}`);
    }
    if (isDisabled) throw new ServiceError("conflict", "That option is disabled now");
    return await isTrueSoon(found, HAS_SELECTED, wanted) ? CONFIRMED : CHANGED;
  },
};

/** What fields that take no free text expect. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "a date as YYYY-MM-DD",
  time: "a time as HH:MM",
  month: "a month as YYYY-MM",
  week: "a week as YYYY-Www",
  "datetime-local": "date and time as YYYY-MM-DDTHH:MM",
  color: "a color as #rrggbb",
  range: "a number",
  number: "a number",
};

async function isTrueSoon(
  found: ResolvedElement,
  script: string,
  wanted: unknown,
): Promise<boolean> {
  const holds = async () => await callOn(found, script, [wanted]) === true;
  return await poll(holds, FOLLOWING) === true;
}

function toText(value: FillValue): string {
  if (Array.isArray(value)) throw new FieldError("value", "This field accepts one value");
  return String(value);
}

// Brings a field into view before it is filled; one that a page has hidden behind its own is found, too.

/** `revealed` is absent where it cannot be clicked. */
async function showField(browser: RunningBrowser, element: PageElement) {
  try {
    const revealed = await reveal(browser, element);
    return { found: revealed.found, revealed };
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "conflict")) throw error;
    return { found: await findElement(browser, element) }; // throws if it is gone
  }
}

// Gives files to a field of a page.

export const upload: BrowserJob<"upload"> = async (browser, { element, paths }, { checkStop }) => {
  const { found } = await showField(browser, element);
  const { kind } = await callOn<FieldKind>(found, KIND);
  if (kind !== "file") {
    throw new FieldError("ref", `${describeElement(element)} accepts no files`);
  }
  const { tab, session, objectId } = found;
  checkStop();
  await tab.call("DOM.setFileInputFiles", { files: [...paths], objectId }, { session });
  const names = await callOn(found, FILES);
  const wanted = paths.map((path) => path.split(/[\\/]/).at(-1));
  return JSON.stringify(names) === JSON.stringify(wanted)
    ? { result: "confirmed", reason: "The field has the files." }
    : {
      result: "unverified",
      reason: "The field has other files, or none: the page has removed them.",
    };
};

// Puts stored values into fields, in the document of the field: no other one can get a part of them.

/**
 * Types into the field, which has the focus of its document, within one task of that document: a key
 * of the display would go to the next page when this one leaves just then. The page gets events of
 * keys (that are not trusted) and those of its input, as by a person.
 * @throws ServiceError `conflict`: it loses the focus to another element, which gets nothing, or does
 *   not keep what is typed
 */
export const enterSecret: BrowserJob<"enterSecret"> = async (
  browser,
  { element, text, clear },
  { checkStop },
) => {
  const found = await findElement(browser, element);
  checkUse(found, "secret");
  const args = [text.replaceAll(/\r\n?/g, "\n"), clear];
  checkStop();
  const refusal = await callOn<string | null>(found, ENTER, args);
  if (refusal === null) return;
  throw refuseElement(element, REFUSALS[refusal] ?? "did not accept the value");
};

const REFUSALS: Readonly<Record<string, string>> = {
  focus: "has lost the keyboard focus: nothing more was typed",
  lines: "is a single-line field, and the value has line breaks: nothing was typed",
  kept: "cannot be cleared: nothing was typed",
  short: "does not have the typed value: its page limits or changes it",
};

/** Gives a key of {@link REFUSALS}, or null. Long texts are put in at once: each piece costs layout. */
const ENTER = `function (text, clear) {
  const element = this.nodeType === 1 ? this : this.parentElement;
  const findActive = () => {
    if (!element?.isConnected || element.ownerDocument !== document) return null;
    const active = element.getRootNode().activeElement;
    return active != null && (active === element || element.contains(active)) ? active : null;
  };
  const field = findActive();
  if (!field) return "focus";
  const hasFocus = () => findActive() === field;
  const isPlain = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  const measure = () => (isPlain ? field.value : field.innerText.replace(/\\n$/, "")).length;
  const edit = (command, value) =>
    Document.prototype.execCommand.call(document, command, false, value);
  if (field instanceof HTMLInputElement && text.includes("\\n")) return "lines";
  if (clear && measure() > 0) {
    if (isPlain) field.select();
    else getSelection().selectAllChildren(field);
    if (!hasFocus()) return "focus";
    edit("delete");
    if (measure() > 0) return "kept";
  }
  const isLong = text.length > 256;
  for (const piece of isLong ? [text] : text) {
    const options = { bubbles: true, cancelable: true, composed: true };
    const key = { ...options, key: piece === "\\n" ? "Enter" : piece };
    const press = (type) => isLong || field.dispatchEvent(new KeyboardEvent(type, key));
    const before = () =>
      field.dispatchEvent(new InputEvent("beforeinput", { ...options, data: piece, inputType: "insertText" }));
    if (!hasFocus()) return "focus";
    if (press("keydown") && hasFocus() && before()) {
      if (!hasFocus()) return "focus";
      edit("insertText", piece);
    }
    press("keyup");
  }
  return measure() < text.length ? "short" : null;
}`;

// Functions that fill fields, as text for the page; each is called with the element as `this`.

/** The control itself: that of a label, the element of a text. What is gone gives an empty object. */
const CONTROL = `
  const given = this.nodeType === 1 ? this : this.parentElement;
  const element = given?.tagName === "LABEL" && given.control ? given.control : given;
  if (!element?.isConnected) return {};
`;

interface FieldKind {
  readonly kind?: string;
  readonly blocked?: "disabled" | "readonly";
}

/** What kind of field it is, and whether it can be filled now. */
const KIND = `function () {
  ${CONTROL}
  const tag = element.tagName;
  const role = element.getAttribute("role");
  const blocked = element.matches(":disabled") || element.getAttribute("aria-disabled") === "true"
    ? "disabled" : element.readOnly || element.getAttribute("aria-readonly") === "true"
    ? "readonly" : undefined;
  if (tag === "SELECT") return { kind: "select", blocked };
  if (tag === "TEXTAREA") return { kind: "text", blocked };
  if (tag === "INPUT") {
    const { type } = element;
    if (type === "checkbox" || type === "radio") return { kind: "checkbox", blocked };
    if (type === "file") return { kind: "file", blocked };
    if (["button", "submit", "reset", "image", "hidden"].includes(type)) return { kind: "none" };
    const set = ["date", "time", "month", "week", "datetime-local", "color", "range", "number"];
    return { kind: set.includes(type) ? "set" : "text", blocked };
  }
  if (role === "checkbox" || role === "switch" || role === "radio" || role === "menuitemcheckbox")
    return { kind: "checkbox", blocked };
  if (element.isContentEditable) return { kind: "text", blocked };
  return { kind: "none" };
}`;

/**
 * Selects everything in it, so that the next text replaces that, and says whether it would: a page
 * can put the focus elsewhere. Inside an editable element it is that one that has the focus.
 */
const SELECT_ALL = `function () {
  ${CONTROL}
  element.focus({ preventScroll: true });
  if (element.select) element.select();
  else getSelection().selectAllChildren(element);
  const active = element.getRootNode().activeElement;
  return active === element || active?.isContentEditable === true && active.contains(element);
}`;

const HOLDS = `function (wanted) {
  ${CONTROL}
  const plain = (text) => text.replaceAll("\\u00a0", " ").replaceAll("\\r\\n", "\\n").replace(/\\n+$/, "");
  const has = element.value ?? element.innerText ?? "";
  return has === wanted || plain(has) === plain(wanted);
}`;

/** `refused` is the type of the field. */
interface SetValue {
  readonly refused?: string;
  readonly min?: string;
  readonly max?: string;
}

/** Sets the value of a field that takes no typed text, as a person's choice does. */
const SET_VALUE = `function (value) {
  ${CONTROL}
  element.focus({ preventScroll: true });
  const before = element.value;
  element.value = value;
  const isTaken = element.type === "number" || element.type === "range"
    ? element.value !== "" && Number(element.value) === Number(value)
    : element.value.toLowerCase() === String(value).toLowerCase() ||
      (element.value !== "" && element.value.startsWith(value));
  if (!isTaken && !(value === "" && element.value === "")) {
    element.value = before;
    return { refused: element.type, min: element.min, max: element.max };
  }
  if (element.value !== before) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return {};
}`;

const IS_CHECKED = `function () {
  ${CONTROL}
  return element.checked ?? element.getAttribute("aria-checked") === "true";
}`;

const CLICK = `function () {
  ${CONTROL}
  element.click();
}`;

interface SelectOptions {
  /** Those that there are, where one of the requested ones is missing. */
  readonly options?: readonly string[];
  readonly isDisabled?: true;
}

/** Chooses options by value or label; without one of them, nothing is changed. */
const SELECT_OPTIONS = `function (wanted) {
  ${CONTROL}
  const label = (option) => option.label.replace(/\\s+/g, " ").trim();
  const all = [...element.options];
  const chosen = wanted.map((text) => all.find((option) => option.value === text) ??
    all.find((option) => label(option) === text.trim()) ??
    all.find((option) => label(option).toLowerCase() === text.trim().toLowerCase()));
  if (chosen.includes(undefined)) return { options: all.slice(0, 20).map((each) => {
    const text = label(each);
    return text.length > 200 ? "…" : text;
  }) };
  if (chosen.some((option) => option.disabled || option.parentElement?.disabled)) return { isDisabled: true };
  element.focus({ preventScroll: true });
  const before = all.map((option) => option.selected).join();
  for (const option of all) {
    const select = chosen.includes(option);
    if (option.selected !== select) option.selected = select;
  }
  if (all.map((option) => option.selected).join() !== before) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return {};
}`;

/** Whether exactly these options are chosen. */
const HAS_SELECTED = `function (wanted) {
  ${CONTROL}
  const label = (option) => option.label.replace(/\\s+/g, " ").trim().toLowerCase();
  const chosen = [...element.selectedOptions];
  const fits = (option, text) => option.value === text || label(option) === text.trim().toLowerCase();
  return chosen.length === new Set(wanted).size &&
    wanted.every((text) => chosen.some((option) => fits(option, text)));
}`;

const FILES = `function () {
  ${CONTROL}
  return [...(element.files ?? [])].map(({ name }) => name);
}`;
