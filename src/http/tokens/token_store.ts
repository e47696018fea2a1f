/**
 * The tokens that `computer-control token` keeps: a private file in the state folder with a name,
 * scopes, an end and a hash for each; the token itself is nowhere.
 */

import { join } from "node:path";
import { z } from "zod";
import { poll } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { DESK_NAME, TOKEN_SCOPES, type TokenScope } from "../../core/groups.ts";
import { hashSecret, makeSecret } from "../../core/random_secrets.ts";
import { tryParseJson } from "../../core/texts.ts";
import { MAX_NAME_LENGTH, NAME, NAME_RULE } from "../../features/actor.ts";
import {
  lockPrivate,
  readPrivate,
  replacePrivate,
  unusable,
} from "../../platform/keychain/private_file.ts";
import { openStateFolder } from "../../platform/private_folder.ts";

const StoredToken = z.object({
  name: z.string().min(1).max(MAX_NAME_LENGTH),
  /** SHA-256 of the token, in hexadecimal digits. */
  hash: z.string().regex(/^[\da-f]{64}$/),
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1).max(TOKEN_SCOPES.length),
  /** The one desk that it is for; absent for all, and the displays of the service. */
  desk: z.string().regex(DESK_NAME).optional(),
  created: z.iso.datetime(),
  /** When it ends; `null` for never. */
  expires: z.iso.datetime().nullable(),
});

export type StoredToken = Readonly<z.output<typeof StoredToken>>;

const MAX_TOKENS = 1_000;
/** More than so many tokens take. */
const MAX_BYTES = 1024 * 1024;
const StoreFile = z.object({
  version: z.literal(1),
  tokens: z.array(StoredToken).max(MAX_TOKENS),
});

const WHAT = "file of tokens";
/** So that a token is recognised wherever it turns up. */
const PREFIX = "cct_";
/** Names of those who have no token of the store. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(["main", "anyone"]);
const LOCK_MS = 10_000;
const LOCK_POLL_INTERVAL_MS = 20;

export function tokensPath(stateDir: string): string {
  return join(stateDir, "tokens.json");
}

/** Whether a text can be a token of the store: no other one is looked for. */
export function isStoredForm(text: string): boolean {
  return text.length === PREFIX.length + 43 && text.startsWith(PREFIX);
}

/** Tells a token from every other one, also from a later one of the same name. */
export function tokenId({ hash }: Pick<StoredToken, "hash">): string {
  return hash.slice(0, 16);
}

/**
 * All tokens, also those that have expired; `undefined` when there is no file.
 * @throws ServiceError `unavailable` when the file is damaged, has more than 1 MiB, or is not this
 * user's alone
 */
export async function readTokens(path: string): Promise<readonly StoredToken[] | undefined> {
  const file = await readPrivate(path, WHAT, MAX_BYTES);
  if (file === undefined) return undefined;
  const parsed = StoreFile.safeParse(tryParseJson(new TextDecoder().decode(file.bytes)));
  if (parsed.success) return parsed.data.tokens;
  throw unusable(path, WHAT, "it is damaged: restore it, or remove it and add the tokens again");
}

/** Whether there are tokens, so that a service asks for one. @throws ServiceError `unavailable` */
export async function hasTokens(stateDir: string): Promise<boolean> {
  return (await readTokens(tokensPath(stateDir)) ?? []).length > 0;
}

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly desk?: string | undefined;
  /** When it ends, in milliseconds since 1970; absent for never. */
  readonly expires?: number | undefined;
}

/**
 * Adds a token; one of the same name that has expired is replaced.
 * @returns the token, which cannot be read again
 * @throws ServiceError `invalid` for a name that none can have, `conflict` for one that is taken,
 * `unavailable` when the file cannot be used
 */
export async function addToken(stateDir: string, added: NewToken): Promise<string> {
  const name = added.name.normalize("NFC");
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name) || RESERVED_NAMES.has(name)) {
    const rule = `a name has ${NAME_RULE}, and is neither "main" nor "anyone"`;
    throw new ServiceError("invalid", `${JSON.stringify(name)} cannot be the name: ${rule}`);
  }
  const token = makeSecret(PREFIX);
  await changeTokens(stateDir, (tokens) => {
    const others = tokens.filter((each) => each.name !== name || !hasExpired(each));
    if (others.some((each) => each.name === name)) {
      const advice = "revoke it first, or choose another name";
      throw new ServiceError(
        "conflict",
        `There is a token named ${JSON.stringify(name)}: ${advice}`,
      );
    }
    if (others.length >= MAX_TOKENS) {
      throw new ServiceError("conflict", `There are ${MAX_TOKENS} tokens: revoke one first`);
    }
    return [...others, {
      name,
      hash: hashSecret(token),
      scopes: [...added.scopes],
      ...(added.desk !== undefined && { desk: added.desk }),
      created: new Date().toISOString(),
      expires: added.expires === undefined ? null : new Date(added.expires).toISOString(),
    }];
  });
  return token;
}

/** @throws ServiceError `not_found`; `unavailable` when the file cannot be used */
export async function revokeToken(stateDir: string, given: string): Promise<void> {
  const name = given.normalize("NFC");
  await changeTokens(stateDir, (tokens) => {
    const others = tokens.filter((each) => each.name !== name);
    if (others.length < tokens.length) return others;
    const quoted = JSON.stringify(name);
    throw new ServiceError("not_found", `There is no token named ${quoted}: token list shows all`);
  });
}

export function hasExpired({ expires }: Pick<StoredToken, "expires">, now = Date.now()): boolean {
  return expires !== null && Date.parse(expires) <= now;
}

type Change = (tokens: readonly StoredToken[]) => readonly StoredToken[];

/** Reads, changes and replaces the file while no other process does. */
async function changeTokens(stateDir: string, change: Change): Promise<void> {
  await openStateFolder(stateDir);
  const path = tokensPath(stateDir);
  using _lock = await lock(`${path}.lock`);
  const tokens = change(await readTokens(path) ?? []);
  const kept: z.input<typeof StoreFile> = { version: 1, tokens: [...tokens] };
  const text = JSON.stringify(kept, undefined, 2);
  try {
    await replacePrivate(path, new TextEncoder().encode(`${text}\n`));
  } catch (error) {
    throw unusable(path, WHAT, error);
  }
}

/** @throws ServiceError `unavailable` when another process holds it for too long */
function lock(path: string): Promise<Disposable> {
  return lockPrivate(path, WHAT, async (file) => {
    const polling = { everyMs: LOCK_POLL_INTERVAL_MS, timeoutMs: LOCK_MS };
    if (await poll(() => file.tryLock(true), polling)) return;
    throw unusable(path, WHAT, "another process is changing it: try again");
  });
}
