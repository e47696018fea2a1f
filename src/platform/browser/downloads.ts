/** Notes what the browser says of its downloads. */

import type { BrowserDownload } from "../types/browser.ts";
import type { CdpResult } from "./cdp/connection.ts";
import { cut } from "./cut.ts";

/** The newest ones are kept. */
const MAX_DOWNLOADS = 100;
const STATES = { inProgress: "running", completed: "completed", canceled: "failed" } as const;

export function noteDownload(
  downloads: Map<string, BrowserDownload>,
  method: string,
  params: CdpResult,
): void {
  const { guid: id } = params;
  if (method === "Browser.downloadWillBegin") {
    const [url, name] = [cut(String(params.url)), cut(String(params.suggestedFilename))];
    downloads.set(id, { id, url, name, state: "running", path: null, bytes: 0 });
    if (downloads.size > MAX_DOWNLOADS) downloads.delete(downloads.keys().next().value!);
    return;
  }
  const known = downloads.get(id);
  if (!known) return;
  const { state, receivedBytes: bytes, filePath } = params;
  const path = state === "completed" ? filePath ?? null : null;
  downloads.set(id, { ...known, bytes, state: STATES[state as keyof typeof STATES], path });
}
