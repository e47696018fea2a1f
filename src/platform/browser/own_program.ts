/**
 * Starts a browser with a profile of its own, and ends both. It is controlled over a pipe that only
 * this process holds: unlike a port, no other user or program of the computer can connect to it,
 * and the browser ends by itself when the pipe closes, even by a SIGKILL of the service.
 */

import { join } from "node:path";
import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { lastLine } from "../../core/texts.ts";
import { captureTail, PIPED, spawnInSession } from "../helper_program.ts";
import { makeOwnedFolder, noteOwner } from "../owned_folder.ts";
import { killSession } from "../posix/process_table.ts";
import { recordBrowser } from "./browser_records.ts";
import { overPipe, type Transport } from "./cdp/connection.ts";
import type { BrowserSource } from "./page_scripts.ts";

/** What a browser is reached by. */
export interface BrowserProgram {
  /** Absent where the service has not started it. */
  readonly pid: number | undefined;
  readonly transport: Transport;
  /** The message of an error. */
  failure(): string;
  /** Ends it, by force after this time; one at an address is left alone. */
  end(how: { readonly graceMs: number }): Promise<void>;
}

/** Chromium reads commands from descriptor 3 and writes answers to descriptor 4. */
const WITH_PIPE = 'exec 3<&0 4>&1 </dev/null >/dev/null; exec "$@"';

/**
 * @param profile a folder for the browser's own data
 * @throws Error when the program cannot be started; ServiceError `unavailable`
 */
export function startOwnProgram(
  { program, args, env, cwd, url, stateDirs }: Extract<BrowserSource, { kind: "own" }>,
  profile: string,
): BrowserProgram {
  const all = ["--remote-debugging-pipe", `--user-data-dir=${profile}`, ...args, url];
  const child = spawnInSession(["/bin/sh", "-c", WITH_PIPE, "sh", program, ...all], {
    env: { ...env },
    clearEnv: true,
    ...(cwd !== undefined && { cwd }),
    ...PIPED,
  });
  const record = recordOrEnd(stateDirs, child); // before it can load anything
  noteOwner(profile, child.pid);
  const errors = captureTail(child.stderr);
  const transport = overPipe(child.stdin, child.stdout);
  return {
    pid: child.pid,
    transport,
    /** What to say when it is no browser, with the last line that it wrote. */
    failure() {
      const line = lastLine(errors.text);
      return `Cannot start the browser "${program}"${line === "" ? "" : `: ${line}`}`;
    },
    /** And everything that it has started. */
    async end({ graceMs }) {
      transport.close();
      await within(child.status, graceMs);
      killSession(child); // and what the program left running, too
      await child.status;
      record[Symbol.dispose]();
    },
  };
}

/** @throws ServiceError `unavailable`: unrecorded, its pages could use the service */
function recordOrEnd(stateDirs: readonly string[], child: Deno.ChildProcess): Disposable {
  try {
    return recordBrowser(stateDirs, child.pid);
  } catch (cause) {
    killSession(child);
    const message = `Cannot start the browser: ${(cause as Error).message}`;
    throw new ServiceError("unavailable", message, { cause });
  }
}

// The folder of the browser's own data, with settings for a browser that a program uses.

const PROFILE_PREFIX = "computer-control-browser-";

/** It asks nothing of its own: what it would ask lies over its pages, and takes clicks and keys. */
const PREFERENCES = {
  credentials_enable_service: false,
  profile: {
    password_manager_enabled: false,
    password_manager_leak_detection: false,
    exit_type: "Normal",
  },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  translate: { enabled: false },
  download_bubble: { partial_view_enabled: false },
  signin: { allowed: false, allowed_on_next_startup: false },
};

/** A new profile where temporary files are. */
export async function makeProfile(): Promise<string> {
  const path = await makeOwnedFolder(PROFILE_PREFIX);
  await Deno.mkdir(join(path, "Default"), { mode: 0o700 });
  await Deno.writeTextFile(join(path, "Default", "Preferences"), JSON.stringify(PREFERENCES));
  return path;
}
