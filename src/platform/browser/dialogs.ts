/** Dialogs of pages: an open one blocks its page until it is answered. */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { PageDialog } from "../types/browser.ts";
import type { BrowserJobs } from "../types/browser_jobs.ts";
import type { RunningBrowser } from "./running_browser.ts";

const CLOSE_MS = 2_000;

export function listDialogs(browser: RunningBrowser): readonly PageDialog[] {
  return [...browser.tabs.values()].flatMap(({ dialog }) => dialog ?? []);
}

/** @throws ServiceError `not_found` when there is none */
export async function answerDialog(
  browser: RunningBrowser,
  { tab: id, accept, text }: BrowserJobs["answerDialog"][0],
): Promise<PageDialog> {
  const dialog = listDialogs(browser).find(({ tab }) => id === undefined || tab === id);
  if (dialog === undefined) throw new ServiceError("not_found", "No dialog of a page is open");
  const tab = browser.tab(dialog.tab);
  const closed = Promise.withResolvers<void>();
  using _ = tab.listen((method) => method === "Page.javascriptDialogClosed" && closed.resolve());
  await tab.connection.call("Page.handleJavaScriptDialog", {
    accept,
    ...(text === undefined ? {} : { promptText: text }),
  }, { session: tab.session });
  await within(closed.promise, CLOSE_MS);
  return dialog;
}
