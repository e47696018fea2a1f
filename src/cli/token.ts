/** `token`: adds, lists and revokes tokens. A service that runs notices within a second. */

import {
  addToken,
  hasExpired,
  readTokens,
  revokeToken,
  type StoredToken,
  tokensPath,
} from "../http/tokens/token_store.ts";
import { checkStateFolder } from "../platform/private_folder.ts";
import { type CommandLineResult, orCommandError } from "./command.ts";
import type { TokenRequest } from "./command_line.ts";

/** @throws CommandError */
export async function runToken(
  request: TokenRequest,
  { stateDir }: { readonly stateDir: string },
): Promise<CommandLineResult> {
  return { code: 0, lines: await orCommandError(execute(request, stateDir)) };
}

async function execute(request: TokenRequest, stateDir: string): Promise<readonly string[]> {
  switch (request.action) {
    case "add": {
      const { name, scopes, desk, validMs } = request;
      const expires = validMs === undefined ? undefined : Date.now() + validMs;
      return [await addToken(stateDir, { name, scopes, desk, expires })]; // alone: it may go to a file
    }
    case "revoke":
      await revokeToken(stateDir, request.name);
      return [`The token ${JSON.stringify(request.name)} is revoked`];
    case "list": {
      await checkStateFolder(stateDir);
      const tokens = await readTokens(tokensPath(stateDir)) ?? [];
      if (request.json) return [JSON.stringify(tokens.map(describe), undefined, 2)];
      if (tokens.length > 0) return formatTable(tokens);
      return [`There are no tokens (state folder ${JSON.stringify(stateDir)})`];
    }
  }
}

/** One element of the output of `token list --json`. */
function describe(token: StoredToken) {
  const { name, scopes, desk = null, created, expires } = token;
  return { name, scopes, desk, created, expires, expired: hasExpired(token) };
}

function formatTable(tokens: readonly StoredToken[]): string[] {
  const rows = tokens.map((token) => [
    token.name,
    token.scopes.join(",") + (token.desk === undefined ? "" : ` on ${token.desk}`),
    `since ${token.created.slice(0, 10)}`,
    formatEnd(token),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}

function formatEnd(token: StoredToken): string {
  if (token.expires === null) return "without end";
  return `${hasExpired(token) ? "expired" : "until"} ${token.expires.slice(0, 16)}Z`;
}
