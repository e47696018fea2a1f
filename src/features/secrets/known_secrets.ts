/**
 * The values that must not appear in command output: the keychain's content when it was read, and
 * everything stored or handed out since.
 */

import { tryTo } from "../../core/errors.ts";
import { log } from "../../core/log.ts";
import type { Keychain } from "../../platform/types/mod.ts";
import { within } from "../../core/deadline.ts";
import type { Session } from "../session.ts";
import { SecretIndex } from "./secret_index.ts";
import { type Item, itemOfText } from "./stored.ts";

/** Items that are read at the same time. */
const AT_ONCE = 16;
/** How long to wait before reading a keychain again after a failure, in milliseconds. */
const RETRY_INTERVAL_MS = 1_000;
/** The field name used for an item that another program has written. */
const FULL_ITEM = "item";

export class KnownSecrets {
  static readonly ofService = true;
  readonly index = new SecretIndex();
  /**
   * Services that change while the keychain is being read: what was read of them may be outdated.
   */
  readonly #changed = new Set<string>();
  #gap: string | undefined;
  #first: Promise<void> | undefined;
  #reading = false;
  #settled = false;
  #retryAt = 0;

  constructor(private readonly session: Pick<Session, "platform" | "limits">) {}

  /** Why values may be missing from the index; `undefined` if none are. */
  get gap(): string | undefined {
    return this.#gap;
  }

  /** Whether {@link ready} has resolved. */
  get settled(): boolean {
    return this.#settled;
  }

  /**
   * Resolves when the keychain has been read or the time for that is up; never rejects. Only the
   * first attempt is awaited: later ones run beside the commands.
   */
  ready(): Promise<void> {
    this.#first ??= this.#tryFirst();
    const again = this.#settled && this.#gap !== undefined && !this.#reading;
    if (again && performance.now() >= this.#retryAt) this.#read();
    return this.#first;
  }

  /** Sets the values of a service, replacing earlier ones. */
  set(service: string, item: Item): void {
    this.#changed.add(service);
    this.index.set(service, item);
  }

  /**
   * Adds values of a service to earlier ones: they are about to be stored, or another program has
   * stored them.
   */
  add(service: string, item: Item): void {
    this.#changed.add(service);
    this.index.add(service, item);
  }

  delete(service: string): void {
    this.#changed.add(service);
    this.index.delete(service);
  }

  async #tryFirst(): Promise<void> {
    const { keychainTimeoutMs } = this.session.limits;
    const inTime = await within(this.#read(), keychainTimeoutMs);
    if (!inTime) this.#leaveGap(`The keychain could not be read within ${keychainTimeoutMs} ms`);
    this.#settled = true;
  }

  async #read(): Promise<void> {
    this.#reading = true;
    this.#changed.clear();
    try {
      const { keychain } = this.session.platform;
      if (keychain.ready) await this.#readAll(keychain.use); // otherwise nothing is stored
      this.#gap = undefined;
    } catch (error) {
      this.#retryAt = performance.now() + RETRY_INTERVAL_MS;
      this.#leaveGap((error as Error).message);
    } finally {
      this.#reading = false;
    }
  }

  async #readAll(keychain: Keychain): Promise<void> {
    const names = await keychain.names();
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const some = names.slice(at, at + AT_ONCE);
      await Promise.all(some.map((name) => this.#readItem(keychain, name)));
    }
  }

  async #readItem(keychain: Keychain, service: string): Promise<void> {
    const text = await keychain.read(service);
    if (text === undefined || this.#changed.has(service)) return;
    this.index.add(service, itemOrFullText(text));
  }

  #leaveGap(reason: string): void {
    if (this.#gap === undefined) {
      log.warn("stored values may appear in answers", { reason });
    }
    this.#gap = reason;
  }
}

/** An item in an unknown format must not prevent others from becoming known. */
function itemOrFullText(text: string): Item {
  return tryTo(() => itemOfText(text)) ?? new Map([[FULL_ITEM, text]]);
}
