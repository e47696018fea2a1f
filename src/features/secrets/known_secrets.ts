/** The values that must not appear in the output of commands: what the keychain held when it was read, and all that was stored or handed out since. */

import { log } from "../../core/log.ts";
import type { Limits } from "../../config/limits.ts";
import type { Keychain, Platform } from "../../platform/types/mod.ts";
import { within } from "../../core/deadline.ts";
import { type Item, itemOfText } from "./item.ts";
import { SecretIndex } from "./secret_index.ts";

/** Items that are read at the same time. */
const AT_ONCE = 16;
/** How long a keychain that could not be read is left alone. */
const RETRY_MS = 1_000;
/** The field that an item is taken for which another program has written. */
const WHOLE_ITEM = "item";

export class KnownSecrets {
  readonly index = new SecretIndex();
  /** Services that were changed while the keychain is being read: what was read of them may be older. */
  readonly #changed = new Set<string>();
  #gap: string | undefined;
  #first: Promise<void> | undefined;
  #reading = false;
  #settled = false;
  #complete = false;
  #retryAt = 0;

  constructor(
    private readonly platform: Pick<Platform, "keychain">,
    private readonly limits: Pick<Limits, "keychainTimeoutMs">,
  ) {}

  /** Why values may be missing from the index; `undefined` when none is. */
  get gap(): string | undefined {
    return this.#gap;
  }

  /** Whether nobody has to wait for {@link ready} any more. */
  get settled(): boolean {
    return this.#settled;
  }

  /**
   * Resolves when the keychain has been read, or has not let itself be read in time; never rejects.
   * Only the first try is waited for: later ones run beside the commands.
   */
  ready(): Promise<void> {
    this.#first ??= this.#tryFirst();
    const again = this.#settled && !this.#complete && !this.#reading;
    if (again && performance.now() >= this.#retryAt) this.#read();
    return this.#first;
  }

  /** The values of a service, in place of earlier ones. */
  set(service: string, item: Item): void {
    this.#changed.add(service);
    this.index.set(service, item);
  }

  /** The values of a service, beside earlier ones: they are about to be stored, or another program has stored them. */
  add(service: string, item: Item): void {
    this.#changed.add(service);
    this.index.add(service, item);
  }

  delete(service: string): void {
    this.#changed.add(service);
    this.index.delete(service);
  }

  async #tryFirst(): Promise<void> {
    const { keychainTimeoutMs } = this.limits;
    const inTime = await within(this.#read(), keychainTimeoutMs);
    if (!inTime) this.#leaveGap(`The keychain has not been read within ${keychainTimeoutMs} ms`);
    this.#settled = true;
  }

  async #read(): Promise<void> {
    this.#reading = true;
    this.#changed.clear();
    try {
      const { keychain } = this.platform;
      if (keychain.ready) await this.#readAll(keychain.use); // else nothing is stored
      this.#complete = true;
      this.#gap = undefined;
    } catch (error) {
      this.#retryAt = performance.now() + RETRY_MS;
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
    this.index.add(service, itemOrWhole(text));
  }

  #leaveGap(reason: string): void {
    if (this.#gap === undefined) {
      log.warn("stored values may appear in the output of commands", { reason });
    }
    this.#gap = reason;
  }
}

/** An item that is none of ours must not keep the others from being known. */
function itemOrWhole(text: string): Item {
  try {
    return itemOfText(text);
  } catch {
    return new Map([[WHOLE_ITEM, text]]);
  }
}
