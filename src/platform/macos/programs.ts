/** Finds the programs that the service drives on macOS, and sets their time limit. */

import type { Host } from "../host.ts";

export type Program =
  | "cliclick"
  | "osascript"
  | "pbcopy"
  | "pbpaste"
  | "screencapture"
  | "system_profiler";

/**
 * Where Homebrew (Apple silicon, Intel) and MacPorts install programs; these folders are not on the
 * PATH of a service that launchd starts.
 */
const MORE_FOLDERS = ["/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin"];

/** What to do when cliclick is missing. */
export const INSTALL_CLICLICK = "cliclick is not installed: run brew install cliclick";

export interface Programs {
  /** The path of a program, or `undefined` when it is not installed. */
  find(program: Program): string | undefined;
  /** Time after which a program is killed. */
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
