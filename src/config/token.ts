/** Reads the bearer token from a private file or the environment; `ps` would show a flag. */

import { closeSync, fstatSync, readFileSync } from "node:fs";
import { openRegularSync } from "../core/open_regular.ts";
import { ConfigError } from "./option.ts";
import { TOKEN_VARIABLE } from "./options.ts";

/** The contents of a token file. */
export interface TokenFile {
  readonly text: string;
  /** Permission bits, or `null` where the system has none. */
  readonly mode: number | null;
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

function readTokenAt(path: string, readFile: (path: string) => TokenFile): string {
  let file: TokenFile;
  try {
    file = readFile(path);
  } catch (error) {
    throw new ConfigError(`--token-file "${path}": cannot be read: ${explainReadError(error)}`, {
      cause: error,
    });
  }
  if (file.mode !== null && (file.mode & 0o077) !== 0) {
    throw new ConfigError(
      `--token-file "${path}": other users can access it (mode ${
        (file.mode & 0o777).toString(8)
      }): run chmod 600 "${path}"`,
    );
  }
  return checkToken(file.text, `--token-file "${path}"`);
}

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

// Reads the file of `--token-file`, and detects when it is replaced between check and reading.

/** @throws Error with a plain message, or the system's own error. */
export function readTokenFile(path: string): TokenFile {
  const named = Deno.lstatSync(path);
  if (named.isSymlink) throw new Error("it is a symbolic link: name the file itself");
  if (named.isDirectory) throw new Deno.errors.IsADirectory();
  if (!named.isFile) throw new Error("it is not a regular file"); // reading a FIFO could block
  const file = openRegularSync(path);
  try {
    const { ino, dev, size } = fstatSync(file);
    if (named.ino !== null && (ino !== named.ino || dev !== named.dev)) {
      throw new Error("it was replaced in the meantime");
    }
    if (size > MAX_BYTES) throw new Error("it is too large for a token");
    return { text: new TextDecoder().decode(readFileSync(file)), mode: named.mode };
  } finally {
    closeSync(file);
  }
}

/** More than the longest token with white space around it. */
const MAX_BYTES = 16 * 1024;
