/** Reads the bearer token from a private file or the environment; `ps` would show a flag. */

import { ConfigError } from "./config_error.ts";
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
      `--token-file "${path}": other users can reach it (mode ${
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
