/** A program of Windows with a window, which a test starts and looks at. */

import type { Window } from "../../../src/platform/types/mod.ts";
import { waitFor } from "../wait.ts";
import type { WindowsDesktop } from "./desktop.ts";

export interface StartedProgram extends AsyncDisposable {
  readonly pid: number;
  /** Its window, as it was when it had appeared. */
  readonly window: Window;
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<unknown>;
}

const NEVER = new AbortController().signal;

/** Starts it, and waits until its window has the keyboard. */
export async function openProgram(
  { display }: WindowsDesktop,
  program: string,
  args: readonly string[] = [],
): Promise<StartedProgram> {
  const child = new Deno.Command(program, {
    args: [...args],
    ...{ stdin: "null", stdout: "null", stderr: "null" },
  }).spawn();
  const find = async () => {
    const active = await display.windows.use.active(NEVER);
    return active?.pid === child.pid && active;
  };
  const window = await waitFor(find, { what: `the window of ${program}`, timeoutMs: 60_000 });
  return {
    pid: child.pid,
    window,
    ended: child.status,
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // it has ended already
      }
      await child.status;
    },
  };
}
