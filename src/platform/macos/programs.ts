/** Where the programs are that the service drives on macOS, and how long each may take. */

import type { Host } from "../host.ts";

export type Program =
  | "cliclick"
  | "osascript"
  | "pbcopy"
  | "pbpaste"
  | "screencapture"
  | "system_profiler";

/** Where Homebrew (Apple silicon, Intel) and MacPorts put programs; a service that launchd starts has neither on its PATH. */
const MORE_FOLDERS = ["/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin"];

/** What to do where cliclick is missing. */
export const INSTALL_CLICLICK = "cliclick is not installed: run brew install cliclick";

export interface Programs {
  /** The path of a program, or `undefined` when it is not installed. */
  find(program: Program): string | undefined;
  /** How long a program may take before it is killed. */
  readonly timeoutMs: number;
}

export function openPrograms(
  host: Host,
  { timeoutMs }: { readonly timeoutMs: number },
): Programs {
  return {
    find: (program) =>
      host.which(program) ??
        MORE_FOLDERS.map((folder) => `${folder}/${program}`).find((path) => host.exists(path)),
    timeoutMs,
  };
}
