/**
 * The tokens by which a running service lets requests in: the one of `--token-file` or its variable,
 * and those of the store. Both files are looked at whenever a token is used.
 */

import { timingSafeEqual } from "node:crypto";
import type { Config } from "../../config/config.ts";
import { readTokenAt } from "../../config/token.ts";
import { inTime } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { type Log, log as standardLog } from "../../core/log.ts";
import type { Scope } from "../../core/groups.ts";
import { hashSecret } from "../../core/random_secrets.ts";
import { type Actor, ANYONE, MAIN, mayControl, type Revocations } from "../../features/actor.ts";
import { stampAt } from "../../platform/keychain/private_file.ts";
import {
  hasExpired,
  isStoredForm,
  readTokens,
  type StoredToken,
  tokenId,
  tokensPath,
} from "./token_store.ts";

/** What is known of the file is good for so long, in milliseconds. */
const FRESH_MS = 400;
/** A disk that does not answer keeps nobody waiting for longer, in milliseconds. */
const READ_MS = 2_000;

interface Known {
  readonly stored: StoredToken;
  readonly actor: Actor;
}

type TokensConfig = Partial<Pick<Config, "token" | "tokenFile" | "stateDir">>;

export class Tokens {
  #main: Uint8Array | undefined;
  /** Who has it: after each change somebody else. */
  #mainActor: Actor = MAIN;
  #mainChanges = 0;
  readonly #mainPath: string | undefined;
  #mainStamp: string | undefined;
  /** Why its file cannot be used: it lets nobody in. */
  #mainBroken: ServiceError | undefined;
  readonly #path: string | undefined;
  readonly #log: Pick<Log, "error">;
  readonly #byId = new Map<string, Known>();
  #stamp: string | undefined;
  /** Why the file cannot be used: it lets nobody in. */
  #broken: ServiceError | undefined;
  /** Once there was a token, it stays so until the service ends: no revocation opens it to all. */
  #required: boolean;
  #checkedAt = -Infinity;
  #checking: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #revocations: Revocations | undefined;

  /** @param config without a state folder there is no store */
  constructor(
    { token, tokenFile, stateDir }: TokensConfig,
    log: Pick<Log, "error"> = standardLog,
  ) {
    this.#main = token === undefined ? undefined : encode(token);
    this.#mainPath = tokenFile;
    this.#path = stateDir === undefined ? undefined : tokensPath(stateDir);
    this.#required = token !== undefined;
    this.#log = log;
  }

  /**
   * With the tokens of the store.
   * @throws ServiceError `unavailable` when its file is damaged, or is not this user's alone
   */
  static async open(
    config: Pick<Config, "token" | "tokenFile" | "stateDir">,
    log?: Pick<Log, "error">,
  ): Promise<Tokens> {
    const tokens = new Tokens(config, log);
    await tokens.#read(tokensPath(config.stateDir));
    return tokens;
  }

  /** Reports what ends from now on, and looks for it while somebody wants to know. */
  reportTo(revocations: Revocations): void {
    this.#revocations = revocations;
    revocations.mainEnds = this.#mainPath !== undefined;
    revocations.addCheck(() => void this.refresh());
  }

  /** Whether requests must carry a token. */
  get required(): boolean {
    return this.#required;
  }

  /** Whether it is the one token of the command line; compares in constant time. */
  isMain(text: string): boolean {
    return this.#main !== undefined && isEqual(encode(text), this.#main);
  }

  /**
   * To be awaited, where there is something to await, before anything else is asked: what is known of
   * the files is then less than half a second old.
   */
  refresh(): Promise<void> | undefined {
    if (this.#path === undefined && this.#mainPath === undefined) return undefined;
    if (this.#checking !== undefined) return this.#checking;
    if (this.#reading !== undefined) return undefined; // the disk does not answer, as is known
    if (performance.now() - this.#checkedAt < FRESH_MS) return undefined;
    return this.#checking = this.#check().finally(() => this.#checking = undefined);
  }

  /**
   * Whose token it is; `undefined` for none, or one that is revoked or has expired.
   * @throws ServiceError `unavailable` when the file that would have it cannot be read
   */
  find(text: string): Actor | undefined {
    if (this.isMain(text)) return this.#mainActor;
    if (!isStoredForm(text)) {
      if (this.#mainBroken !== undefined) throw this.#mainBroken;
      return undefined;
    }
    const hash = hashSecret(text);
    const known = this.#byId.get(tokenId({ hash }));
    return this.#valid(known?.stored.hash === hash ? known : undefined);
  }

  /**
   * Whose token has this id (`token` of its actor).
   * @throws ServiceError `unavailable` when the store cannot be read
   */
  findById(id: string): Actor | undefined {
    if (id === this.#mainActor.token) return this.#main === undefined ? undefined : this.#mainActor;
    return this.#valid(this.#byId.get(id));
  }

  /** Whether another token than this one makes a person. */
  hasOtherPerson(id: string): boolean {
    if (this.#main !== undefined && id !== this.#mainActor.token) return true;
    return this.#stored().some((actor) => actor.token !== id && mayControl(actor));
  }

  /** Whether a program can have a token of its own that makes nobody a person. */
  get hasProgram(): boolean {
    return this.#stored().some((actor) => !mayControl(actor));
  }

  #stored(): Actor[] {
    return [...this.#byId.values()].filter((known) => !hasExpired(known.stored))
      .map(({ actor }) => actor);
  }

  #valid(known: Known | undefined): Actor | undefined {
    if (this.#broken !== undefined) throw this.#broken;
    return known === undefined || hasExpired(known.stored) ? undefined : known.actor;
  }

  async #check(): Promise<void> {
    const began = performance.now(); // a change during the check may have been missed
    this.#reading = this.#readBoth().finally(() => this.#reading = undefined);
    try {
      await inTime(this.#reading, READ_MS, () => new Error("the disk does not answer"));
    } catch (error) {
      this.#break(error as Error);
    }
    this.#endExpired();
    this.#checkedAt = began;
  }

  async #readBoth(): Promise<void> {
    await this.#readMain();
    if (this.#path !== undefined) await this.#read(this.#path);
  }

  /** The token file, which an orchestrator exchanges: the old token is refused from then on. */
  async #readMain(): Promise<void> {
    const path = this.#mainPath;
    if (path === undefined) return;
    try {
      const stamp = await stampAt(path);
      if (stamp === this.#mainStamp && stamp !== undefined) return;
      const main = encode(readTokenAt(path));
      this.#mainStamp = stamp;
      this.#mainBroken = undefined;
      if (this.#main === undefined || !isEqual(main, this.#main)) this.#changeMain(main);
    } catch (error) {
      const { message: cause } = error as Error;
      this.#mainStamp = undefined;
      if (this.#mainBroken?.cause === cause) return;
      this.#log.error("the token file cannot be read", { reason: cause });
      const message = "The token file cannot be read: see the log of the service";
      this.#mainBroken = new ServiceError("unavailable", message, { cause });
      this.#changeMain(undefined);
    }
  }

  /** Whatever is done by the old one ends. */
  #changeMain(main: Uint8Array | undefined): void {
    const { token } = this.#mainActor;
    this.#main = main;
    this.#mainActor = Object.freeze({ ...MAIN, token: `${MAIN.id}-${++this.#mainChanges}` });
    this.#revocations?.end(token!);
  }

  async #read(path: string): Promise<void> {
    const stamp = await stampAt(path);
    if (stamp === this.#stamp && this.#broken === undefined) return;
    const stored = stamp === undefined ? [] : await this.#readFile(path);
    this.#broken = undefined;
    this.#stamp = stamp;
    if (stored.length > 0) this.#require();
    this.#take(stored);
  }

  /** What was let in without a token ends. */
  #require(): void {
    if (this.#required) return;
    this.#required = true;
    this.#revocations?.end(ANYONE.id);
  }

  /** Where there is a file, whatever is in it, there was a token. */
  async #readFile(path: string): Promise<readonly StoredToken[]> {
    try {
      return await readTokens(path) ?? [];
    } catch (error) {
      this.#require();
      throw error;
    }
  }

  /** Nobody knows any more what is valid, so that nothing is. */
  #break(error: Error): void {
    if (this.#broken === undefined || this.#broken.cause !== error.message) {
      this.#log.error("the tokens cannot be read", { reason: error.message });
    }
    const message = "The tokens cannot be read: see the log of the service";
    this.#broken = new ServiceError("unavailable", message, { cause: error.message });
    this.#take([]);
  }

  /** Whatever is not among them, or has changed, ends. */
  #take(tokens: readonly StoredToken[]): void {
    const before = new Map(this.#byId);
    this.#byId.clear();
    for (const stored of tokens) {
      const id = tokenId(stored);
      const earlier = before.get(id);
      const isSame = JSON.stringify(earlier?.stored) === JSON.stringify(stored);
      this.#byId.set(id, isSame ? earlier! : { stored, actor: makeActor(stored) });
    }
    for (const [id, { actor }] of before) {
      if (this.#byId.get(id)?.actor !== actor) this.#revocations?.end(id);
    }
  }

  #endExpired(): void {
    for (const [id, { stored }] of this.#byId) {
      if (!hasExpired(stored)) continue;
      this.#byId.delete(id);
      this.#revocations?.end(id);
    }
  }
}

function makeActor(stored: StoredToken): Actor {
  const id = tokenId(stored);
  const { name, desk } = stored;
  const actor: Actor = {
    id,
    name,
    kind: "program",
    token: id,
    ...(desk !== undefined && { desk }),
  };
  if (stored.scopes.includes("all")) return Object.freeze(actor);
  return Object.freeze({ ...actor, scopes: new Set(stored.scopes as Scope[]) });
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/**
 * Compares in a time that may reveal the length of the given text, but nothing about the token.
 * @param compare lets a test observe what is compared
 */
export function isEqual(
  given: Uint8Array,
  token: Uint8Array,
  compare: (one: Uint8Array, other: Uint8Array) => boolean = timingSafeEqual,
): boolean {
  const same = given.byteLength === token.byteLength;
  return compare(same ? given : token, token) && same;
}
