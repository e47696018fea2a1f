/** Fills fields of forms as their kind asks for, and reads them again. */

import { pause } from "../../../core/deadline.ts";
import { ServiceError, ValueFault } from "../../../core/errors.ts";
import type { Filled, FillValue } from "../../types/browser.ts";
import type { BrowserJobs } from "../../types/browser_jobs.ts";
import { callOn, describeElement, type FoundElement } from "../elements.ts";
import { clickAt } from "../pointer.ts";
import { refuseFocus, type Shown } from "../reveal.ts";
import type { RunningBrowser } from "../running_browser.ts";
import {
  CLICK,
  HAS_SELECTED,
  HOLDS,
  IS_CHECKED,
  KIND,
  SELECT_ALL,
  SELECT_OPTIONS,
  SET_VALUE,
} from "./fill_scripts.ts";
import { showField } from "./show_field.ts";

/** How long a page may take to show what was chosen. */
const FOLLOW_MS = 500;
const LOOK_MS = 25;
const CONFIRMED: Filled = { result: "confirmed", reason: "The field holds what was filled in." };
const CHANGED: Filled = {
  result: "unverified",
  reason: "The field holds something else than what was filled in: the page has changed it.",
};

export async function fill(
  browser: RunningBrowser,
  { element, value }: BrowserJobs["fill"][0],
): Promise<Filled> {
  const field = await showField(browser, element);
  const { found } = field;
  const { kind, blocked } = await callOn(found, KIND);
  const what = describeElement(element);
  if (kind === "gone") throw new ServiceError("conflict", `${what} is gone: take a new snapshot`);
  if (kind === "file") throw new ValueFault("ref", `${what} takes files: use browser/upload`);
  if (!Object.hasOwn(FILLERS, kind)) throw new ValueFault("ref", `${what} is no field of a form`);
  if (blocked !== undefined) throw new ServiceError("conflict", `${what} is ${blocked} now`);
  return await FILLERS[kind]!(found, value, field.shown);
}

type Filler = (found: FoundElement, value: FillValue, shown?: Shown) => Promise<Filled>;

const FILLERS: Readonly<Record<string, Filler>> = {
  async text(found, value) {
    const text = toText(value);
    const { tab, element } = found;
    if (!(await callOn(found, SELECT_ALL)).hasFocus) throw refuseFocus(element);
    if (text === "") {
      const key = { key: "Delete", code: "Delete", windowsVirtualKeyCode: 46 };
      await tab.act("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
      await tab.act("Input.dispatchKeyEvent", { type: "keyUp", ...key });
    } else await tab.act("Input.insertText", { text });
    return await isTrueSoon(found, HOLDS, text) ? CONFIRMED : CHANGED;
  },
  async set(found, value) {
    const { refused, min, max } = await callOn(found, SET_VALUE, [toText(value)]);
    if (refused !== undefined) {
      const bounds = [min && `at least ${min}`, max && `at most ${max}`].filter((each) => each);
      const and = bounds.length > 0 ? `, ${bounds.join(", ")}` : "";
      throw new ValueFault("value", `This field takes ${FORMATS[refused] ?? "other values"}${and}`);
    }
    return CONFIRMED;
  },
  checkbox: check,
  radio: check,
  async select(found, value) {
    const wanted = Array.isArray(value) ? value.map(String) : [toText(value)];
    const { missing, off, options } = await callOn(found, SELECT_OPTIONS, [wanted]);
    if (missing !== undefined) {
      throw new ValueFault("value", `There is no such option: the field has ${list(options)}`);
    }
    if (off !== undefined) throw new ServiceError("conflict", "That option is disabled now");
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

async function check(found: FoundElement, value: FillValue, shown?: Shown): Promise<Filled> {
  if (typeof value !== "boolean") {
    throw new ValueFault("value", "This field takes true or false");
  }
  const isChecked = async () => (await callOn(found, IS_CHECKED)).checked === value;
  if (await isChecked()) return CONFIRMED;
  // many pages draw a box of their own over the real one, which is hidden
  if (shown) await clickAt(found.tab, shown.middle);
  else await callOn(found, CLICK);
  if (found.tab.dialog) {
    return { result: "unverified", reason: "The click has opened a dialog of the page." };
  }
  for (const end = performance.now() + FOLLOW_MS; performance.now() < end; await pause(LOOK_MS)) {
    if (await isChecked()) return CONFIRMED;
  }
  return CHANGED;
}

async function isTrueSoon(found: FoundElement, script: string, wanted: unknown): Promise<boolean> {
  for (const end = performance.now() + FOLLOW_MS; performance.now() < end; await pause(LOOK_MS)) {
    if ((await callOn(found, script, [wanted])).holds) return true;
  }
  return false;
}

function toText(value: FillValue): string {
  if (Array.isArray(value)) throw new ValueFault("value", "This field takes one value");
  return String(value);
}

function list(options: readonly string[]): string {
  return options.map((each) => JSON.stringify(each.toWellFormed())).join(", ");
}
