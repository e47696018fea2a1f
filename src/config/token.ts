/** Reads the bearer token from a private file or the environment; `ps` would show a flag. */

import { closeSync, fstatSync, readFileSync } from "node:fs";
import { tryTo } from "../core/errors.ts";
import { openRegularSync } from "../core/files.ts";
import { ConfigError } from "./option.ts";
import { TOKEN_VARIABLE } from "./options.ts";

/** The contents of a token file. */
export interface TokenFile {
  readonly text: string;
  /** Permission bits, or `null` where the system has none. */
  readonly mode: number | null;
  /** Whether it is of this user or of root. */
  readonly isOurs: boolean;
  /** Whether this user is in its group. */
  readonly isOurGroups: boolean;
}

/** The token of `--token-file`, else of the environment, else none. */
export function readToken(
  path: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => TokenFile,
): string | undefined {
  if (path !== undefined) return readTokenAt(path, readFile);
  const value = env[TOKEN_VARIABLE];
  if (value === undefined) return undefined;
  return checkToken(value, `The variable ${TOKEN_VARIABLE}`);
}

/**
 * The token in a file of this user or of root that, beside the owner, at most a group of this user can
 * read.
 * @throws ConfigError
 */
export function readTokenAt(
  path: string,
  readFile: (path: string) => TokenFile = readTokenFile,
): string {
  let file: TokenFile;
  try {
    file = readFile(path);
  } catch (error) {
    throw new ConfigError(`--token-file "${path}": cannot be read: ${explainReadError(error)}`, {
      cause: error,
    });
  }
  if (!file.isOurs) {
    throw new ConfigError(
      `--token-file "${path}": belongs to another user, and must be root's or that of the service`,
    );
  }
  // a mounted Secret is root's with mode 440, and its group is that of the pod
  const allowed = file.isOurGroups ? OWNER | GROUP_READS : OWNER;
  const mode = (file.mode ?? 0) & PERMISSIONS;
  if ((mode & ~allowed) !== 0) {
    throw new ConfigError(
      `--token-file "${path}": other users can access it (mode ${mode.toString(8)}): ` +
        `run chmod 600 "${path}", or mount it with defaultMode 0440 and an fsGroup`,
    );
  }
  return checkToken(file.text, `--token-file "${path}"`);
}

const PERMISSIONS = 0o777;
const OWNER = 0o700;
const GROUP_READS = 0o040;

/**
 * A token must fit into an HTTP header; surrounding white space, such as an editor's, is removed.
 */
function checkToken(text: string, where: string): string {
  const token = text.trim();
  if (token === "") throw new ConfigError(`${where}: is empty: put a token into it`);
  if (token.length > 4_096 || !/^[\x21-\x7e]+$/.test(token)) {
    throw new ConfigError(
      `${where}: the token must be one line of at most 4096 visible ASCII characters without spaces`,
    );
  }
  return token;
}

function explainReadError(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  return error instanceof Error && error.constructor === Error
    ? error.message
    : String((error as Error)?.name);
}

// Reads the file of `--token-file`, behind all links: in a mounted Secret it is one into a folder that
// is exchanged as a whole when the Secret changes.

/** @throws Error with a plain message, or the system's own error. */
export function readTokenFile(path: string): TokenFile {
  const named = Deno.statSync(path);
  if (named.isDirectory) throw new Deno.errors.IsADirectory();
  if (!named.isFile) throw new Error("it is not a regular file"); // reading a FIFO could block
  const file = openRegularSync(path);
  try {
    const { mode, uid, gid, size } = fstatSync(file); // of what is read, wherever the links lead by now
    if (size > MAX_BYTES) throw new Error("it is too large for a token");
    const hasOwners = Deno.uid() !== null;
    return {
      text: new TextDecoder().decode(readFileSync(file)),
      mode: hasOwners ? mode : null,
      isOurs: !hasOwners || uid === 0 || uid === Deno.uid(),
      isOurGroups: hasOwners && readGroups().has(gid),
    };
  } finally {
    closeSync(file);
  }
}

/** More than the longest token with white space around it. */
const MAX_BYTES = 16 * 1024;

/** The groups of this process; where the system does not list them, the first one. */
function readGroups(): ReadonlySet<number> {
  const own = Deno.gid() ?? -1;
  const status = tryTo(() => Deno.readTextFileSync("/proc/self/status")) ?? "";
  const others = /^Groups:(.*)$/m.exec(status)?.[1] ?? "";
  return new Set([own, ...(others.match(/\d+/g) ?? []).map(Number)]);
}
