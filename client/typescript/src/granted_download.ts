/** Downloads of files that an application has allowed, as `openai/helpers/browser` has them. */

import type { BrowserFileOutcome } from "openai/helpers/browser";
import { type CallOptions, type ComputerControl, ComputerControlError } from "./mod.ts";

type Browser = ComputerControl["browser"];

/** Between two looks, in milliseconds. */
const LOOK_MS = 100;
/** A file whose download has not begun by then is shown by the browser as a page. */
const BEGIN_MS = 3_000;

/** Opens the address of a file in the browser, and waits until it is there. */
export async function downloadFile(
  browser: Browser,
  url: string,
  options: CallOptions,
): Promise<BrowserFileOutcome> {
  const before = new Set((await browser.downloads({}, options)).map(({ id }) => id));
  await browser.navigate({ url }, options).catch((error) => {
    // a page whose file is downloaded stays where it is
    if (!(error instanceof ComputerControlError && error.status === 503)) throw error;
  });
  const end = performance.now() + BEGIN_MS;
  for (;;) {
    const download = (await browser.downloads({}, options)).find(({ id }) => !before.has(id));
    if (download?.state === "completed") {
      return { version: 1, cleanup: "completed", status: "completed", effect: "completed" };
    }
    if (download?.state === "failed") {
      return { version: 1, cleanup: "completed", status: "interrupted", effect: "none" };
    }
    if (!download && performance.now() >= end) {
      return { version: 1, cleanup: "completed", status: "unknown", effect: "unknown" };
    }
    options.signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
