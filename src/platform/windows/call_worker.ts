/** A thread for calls of one kind, in which programs may keep it waiting. */

import { serveJobs } from "../../core/serve_jobs.ts";
import type { ReadClipboard } from "../types/mod.ts";
import { openElementCalls } from "./accessibility/uia/uia_source.ts";
import { type Call, type KindOfCall, listBuffers } from "./call_thread.ts";
import { openClipboardCalls } from "./clipboard/clipboard_calls.ts";
import { openNativeWindows } from "./windows/native_windows.ts";

const OPEN = {
  clipboard: openClipboardCalls,
  element: openElementCalls,
  window: openNativeWindows,
} satisfies Record<KindOfCall, unknown>;

type Calls = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

let calls: Calls | undefined;

serveJobs(({ kind, method, args }: Call, { isStopped }): unknown => {
  calls ??= OPEN[kind]() as Calls;
  return calls[method]!(...args, isStopped);
}, (result) => hasContent(result) ? listBuffers(result.content) : []);

function hasContent(result: unknown): result is ReadClipboard {
  return typeof result === "object" && result !== null && "content" in result;
}
