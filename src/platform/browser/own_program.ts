/**
 * Starts a browser with a profile of its own, and ends both. It is controlled over a pipe that only
 * this process holds: unlike a port, no other user or program of the computer can connect to it,
 * and the browser ends by itself when the pipe closes, even by a SIGKILL of the service.
 */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { lastLine } from "../../core/texts.ts";
import { captureTail } from "../helper_program.ts";
import { sendSignal } from "../posix/process_table.ts";
import { recordBrowser } from "./browser_records.ts";
import { overPipe } from "./cdp/transport.ts";
import { noteBrowser } from "./profile.ts";
import type { BrowserSource } from "./page_scripts.ts";

/** Chromium reads commands from descriptor 3 and writes answers to descriptor 4. */
const WITH_PIPE = 'exec 3<&0 4>&1 </dev/null >/dev/null; exec "$@"';

/** @throws Error when the program cannot be started; ServiceError `unavailable` */
export function startOwnProgram(
  { program, args, env, url, stateDirs }: Extract<BrowserSource, { kind: "own" }>,
  profile: string,
) {
  const all = ["--remote-debugging-pipe", `--user-data-dir=${profile}`, ...args, url];
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", WITH_PIPE, "sh", program, ...all],
    env: { ...env },
    clearEnv: true,
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const record = recordOrEnd(stateDirs, child.pid); // before it can load anything
  noteBrowser(profile, child.pid);
  const errors = captureTail(child.stderr);
  const transport = overPipe(child.stdin, child.stdout);
  return {
    pid: child.pid,
    transport,
    /** The last line that it wrote before it ended, for an error message. */
    lastLine: () => lastLine(errors.text),
    /** Ends it and everything that it has started, by force after this time. */
    async end({ graceMs }: { readonly graceMs: number }): Promise<void> {
      transport.close();
      await within(child.status, graceMs);
      sendSignal(-child.pid, "SIGKILL"); // what the program left running, too
      await child.status;
      record[Symbol.dispose]();
    },
  };
}

/** @throws ServiceError `unavailable`: unrecorded, its pages could use the service */
function recordOrEnd(stateDirs: readonly string[], pid: number): Disposable {
  try {
    return recordBrowser(stateDirs, pid);
  } catch (cause) {
    sendSignal(-pid, "SIGKILL");
    const message = `Cannot start the browser: ${(cause as Error).message}`;
    throw new ServiceError("unavailable", message, { cause });
  }
}
