/** Puts stored values into fields, in the document of the field: no other one can get a part of them. */

import { ServiceError } from "../../../core/errors.ts";
import type { BrowserJobs } from "../../types/browser_jobs.ts";
import { callOn, checkUse, describeElement, findElement } from "../elements.ts";
import { capital } from "../reveal.ts";
import type { RunningBrowser } from "../running_browser.ts";

/**
 * Types into the field, which has the focus of its document, within one task of that document: a key
 * of the display would go to the next page when this one leaves just then. The page gets events of
 * keys (that are not trusted) and those of its input, as by a person.
 * @throws ServiceError `conflict`: it loses the focus to another element, which gets nothing, or does
 *   not keep what is typed
 */
export async function enterSecret(
  browser: RunningBrowser,
  { element, text, clear }: BrowserJobs["enterSecret"][0],
): Promise<void> {
  const found = await findElement(browser, element);
  checkUse(found, "secret");
  const fault = await callOn(found, ENTER, [text.replaceAll(/\r\n?/g, "\n"), clear]);
  if (fault === null) return;
  const why = FAULTS[String(fault)] ?? "did not take the value";
  throw new ServiceError("conflict", `${capital(describeElement(element))} ${why}`);
}

const FAULTS: Readonly<Record<string, string>> = {
  focus: "has lost the keyboard focus: nothing more was typed",
  lines: "is a field of one line, and the value has line breaks: nothing was typed",
  kept: "does not let itself be emptied: nothing was typed",
  short: "does not hold what was typed: its page limits or changes that",
};

/** Gives a key of {@link FAULTS}, or null. Long texts are put in at once: each piece costs layout. */
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
