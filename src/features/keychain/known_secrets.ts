/** The values that must not appear in the output of commands: read once from the keychain, then kept up with what changes. */

import { log } from "../../log.ts";
import type { Keychain, Platform } from "../../platform/types.ts";
import type { Item } from "./item.ts";
import { SecretIndex } from "./secret_index.ts";
import { keychainOf, readItem } from "./stored.ts";

/** Items that are read at the same time. */
const AT_ONCE = 16;
/** How long a keychain that could not be read is left alone. */
const RETRY_MS = 10_000;

export class KnownSecrets {
  #index: Promise<SecretIndex> | undefined;
  #retryAt = 0;

  constructor(private readonly platform: Pick<Platform, "keychain">) {}

  /** Never rejects: a command runs also when the keychain cannot be read, and the log says so. */
  index(): Promise<SecretIndex> {
    if (this.#index === undefined) {
      if (performance.now() < this.#retryAt) return Promise.resolve(new SecretIndex());
      this.#index = this.#load();
    }
    return this.#index;
  }

  set(service: string, item: Item): void {
    this.#index?.then((index) => index.set(service, item));
  }

  delete(service: string): void {
    this.#index?.then((index) => index.delete(service));
  }

  async #load(): Promise<SecretIndex> {
    const index = new SecretIndex();
    try {
      const keychain = keychainOf(this.platform);
      const names = await keychain.names();
      for (let at = 0; at < names.length; at += AT_ONCE) {
        await Promise.all(
          names.slice(at, at + AT_ONCE).map((name) => add(index, keychain, name)),
        );
      }
    } catch (error) {
      this.#index = undefined;
      this.#retryAt = performance.now() + RETRY_MS;
      const reason = (error as Error).message;
      log.warn("the output of commands is not searched for secrets", { reason });
    }
    return index;
  }
}

async function add(index: SecretIndex, keychain: Keychain, service: string): Promise<void> {
  const item = await readItem(keychain, service);
  if (item !== undefined) index.set(service, item);
}
