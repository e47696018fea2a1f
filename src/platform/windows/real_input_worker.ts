/**
 * A thread whose hooks hear of all input of the desktop before programs do: each event says whether a
 * program has injected it (winuser.h, MSLLHOOKSTRUCT and KBDLLHOOKSTRUCT).
 */

import { memory } from "../../../ffi/memory.ts";
import { openKernel32 } from "../../../ffi/windows/kernel32.ts";
import {
  HOOKPROC,
  KBDLLHOOKSTRUCT,
  LLKHF_INJECTED,
  LLMHF_INJECTED,
  MSG_BYTES,
  MSLLHOOKSTRUCT,
  MWMO_INPUTAVAILABLE,
  openUser32,
  PM_REMOVE,
  QS_ALLINPUT,
  WH_KEYBOARD_LL,
  WH_MOUSE_LL,
} from "../../../ffi/windows/user32.ts";
import { type JobCaller, serveJobs } from "../../core/serve_jobs.ts";

/** How often it is looked whether to end. */
const WAIT_MS = 100;
/** A mouse makes up to a thousand events in a second. */
const REPORT_INTERVAL_MS = 20;

/** What a watching thread says. */
export type Report = "watching" | "used";

serveJobs((_: null, caller) => watch(caller));

/** Watches until it is stopped, and keeps the thread: each input waits for its hooks. */
function watch({ isStopped, notify }: JobCaller): void {
  const { symbols: user32 } = openUser32();
  const module = openKernel32().symbols.GetModuleHandleW(null);
  const report = (what: Report) => notify(what);
  let reportedAt = -Infinity;
  using hooks = new DisposableStack();

  /** @param flags the offset of an event's flags, of which `injected` is one */
  function hook(id: number, flags: number, injected: number): void {
    const procedure = new Deno.UnsafeCallback(HOOKPROC, (code, message, event) => {
      const now = performance.now();
      if (code >= 0 && event !== null && now - reportedAt >= REPORT_INTERVAL_MS) {
        const isReal = (new Deno.UnsafePointerView(event).getUint32(flags) & injected) === 0;
        if (isReal) {
          reportedAt = now;
          report("used");
        }
      }
      return user32.CallNextHookEx(null, code, message, event);
    });
    hooks.defer(() => procedure.close());
    const handle = user32.SetWindowsHookExW(id, procedure.pointer, module, 0);
    if (handle === null) throw new Error("Windows does not let the service hear of its input");
    hooks.defer(() => void user32.UnhookWindowsHookEx(handle));
  }

  hook(WH_MOUSE_LL, MSLLHOOKSTRUCT.flags, LLMHF_INJECTED);
  hook(WH_KEYBOARD_LL, KBDLLHOOKSTRUCT.flags, LLKHF_INJECTED);
  report("watching");
  const message = memory(MSG_BYTES);
  while (!isStopped()) {
    user32.MsgWaitForMultipleObjectsEx(0, null, WAIT_MS, QS_ALLINPUT, MWMO_INPUTAVAILABLE);
    while (user32.PeekMessageW(message, 0n, 0, 0, PM_REMOVE) !== 0); // it calls the hooks, too
  }
}
