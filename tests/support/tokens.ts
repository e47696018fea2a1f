/** An app whose tokens are in a store of its own, as those of a service are. */

import { addToken, type NewToken } from "../../src/http/tokens/token_store.ts";
import { Tokens } from "../../src/http/tokens/tokens.ts";
import { type TestApp, testApp, type TestAppOptions } from "./client.ts";
import { testFolder } from "./folder.ts";
import { createStrictLog } from "./strict_log.ts";

export interface TokenApp extends AsyncDisposable {
  readonly app: TestApp;
  readonly stateDir: string;
  /** What the tokens have logged. */
  readonly logged: readonly string[];
  add(name: string, more?: Partial<NewToken>): Promise<string>;
}

/** @param first tokens that are there when the service starts; they are for everything */
export async function tokenApp(
  first: readonly string[] = [],
  options: Omit<TestAppOptions, "tokens"> = {},
): Promise<TokenApp & { readonly tokens: readonly string[] }> {
  const folder = await testFolder();
  const stateDir = folder.path;
  const add = (name: string, more: Partial<NewToken> = {}) =>
    addToken(stateDir, { name, scopes: ["all"], ...more });
  const tokens: string[] = [];
  for (const name of first) tokens.push(await add(name));
  const logged: string[] = [];
  const log = createStrictLog((line) => logged.push(line));
  const token = options.config?.token;
  const known = await Tokens.open({ stateDir, ...(token === undefined ? {} : { token }) }, log);
  const app = testApp({ ...options, tokens: known });
  return {
    app,
    stateDir,
    logged,
    tokens,
    add,
    async [Symbol.asyncDispose]() {
      await app.session[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
