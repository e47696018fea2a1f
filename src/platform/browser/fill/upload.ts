/** Gives files to a field of a page. */

import { ValueFault } from "../../../core/errors.ts";
import type { Filled } from "../../types/browser.ts";
import type { BrowserJobs } from "../../types/browser_jobs.ts";
import { callOn, describeElement } from "../elements.ts";
import type { RunningBrowser } from "../running_browser.ts";
import { FILES, KIND } from "./fill_scripts.ts";
import { showField } from "./show_field.ts";

export async function upload(
  browser: RunningBrowser,
  { element, paths }: BrowserJobs["upload"][0],
): Promise<Filled> {
  const { found } = await showField(browser, element);
  const { kind } = await callOn(found, KIND);
  if (kind !== "file") {
    throw new ValueFault("ref", `${describeElement(element)} takes no files`);
  }
  const { tab, session, objectId } = found;
  await tab.call("DOM.setFileInputFiles", { files: paths, objectId }, { session });
  const { names } = await callOn(found, FILES);
  const wanted = paths.map((path) => path.split(/[\\/]/).at(-1));
  return JSON.stringify(names) === JSON.stringify(wanted)
    ? { result: "confirmed", reason: "The field has the files." }
    : { result: "unverified", reason: "The field has other files, or none: the page took them." };
}
