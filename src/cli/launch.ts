/** How the program was built and started: for `--version` and for service files. */

import { dirname } from "node:path";
import { VERSION } from "../config/config.ts";
import type { Started } from "../platform/host.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Launch {
  /** `0.1.0 (compiled, Deno 2.9.5)` */
  readonly version: string;
  /** The program and arguments that start it again, without its own flags. */
  readonly command: readonly string[];
  /** The folder that a self-extracting file has unpacked. */
  readonly unpacked?: string;
  /** Whether `deno task` has started it and waits for it. */
  readonly byTask?: boolean;
}

/**
 * The values of COMPUTER_CONTROL_KIND, set by the head of a self-extracting file, the command file
 * of a folder, or the launcher of the npm package.
 */
const KINDS: Readonly<Record<string, string>> = {
  "self-extracting": "self-extracting",
  "folder": "folder",
  "npm": "npm package",
};

export function readLaunch({ env, standalone, program, script, deno }: Started): Launch {
  const unpacked = KINDS[env["COMPUTER_CONTROL_KIND"] ?? ""];
  const executable = env["COMPUTER_CONTROL_EXECUTABLE"];
  const version = (kind: string) => `${VERSION} (${kind}, Deno ${deno})`;
  if (standalone) return { version: version("compiled"), command: [program] };
  if (unpacked !== undefined && executable) {
    const folder = unpacked === "self-extracting" ? { unpacked: dirname(script) } : {};
    return { version: version(unpacked), command: [executable], ...folder };
  }
  const kind = env["COMPUTER_CONTROL_KIND"] === "npm" ? KINDS["npm"]! : "from source";
  const byTask = env["COMPUTER_CONTROL_TASK"] === "1";
  return { version: version(kind), command: [program, "run", "--allow-all", script], byTask };
}

/**
 * Our own settings, and variables with which Deno would override our flags: the address to listen
 * on, the client's address.
 */
const HIDDEN = /^(?:COMPUTER_CONTROL_.*|DENO_SERVE_ADDRESS|DENO_TRUST_PROXY_HEADERS)$/is;

/**
 * The changes to the environment: hides these variables from Deno and from the programs that we
 * start, and restores those that our own launcher has changed.
 */
export function environmentChanges(env: Env): Map<string, string | undefined> {
  const hidden = Object.keys(env).filter((name) => HIDDEN.test(name));
  const changes = new Map<string, string | undefined>(hidden.map((name) => [name, undefined]));
  if (KINDS[env["COMPUTER_CONTROL_KIND"] ?? ""] === undefined) return changes;
  return changes
    .set("DENO_DIR", env["COMPUTER_CONTROL_DENO_DIR"] || undefined)
    .set("DENO_NO_UPDATE_CHECK", undefined);
}
