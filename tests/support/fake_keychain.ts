/** A keychain in memory, which a test can take away. */

import { ServiceError } from "../../src/core/errors.ts";
import type { Keychain, Readiness } from "../../src/platform/types/mod.ts";

export class FakeKeychain implements Keychain {
  /** Stored texts by service name. */
  readonly stored = new Map<string, string>();
  /** Why it cannot be used now. */
  trouble: string | undefined;
  /** What its answers wait for. */
  open: Promise<void> = Promise.resolve();
  /** How often was asked whether it is ready. */
  asked = 0;

  async read(service: string): Promise<string | undefined> {
    await this.#check();
    return this.stored.get(service);
  }

  async write(service: string, secret: string): Promise<void> {
    await this.#check();
    this.stored.set(service, secret);
  }

  async remove(service: string): Promise<void> {
    await this.#check();
    this.stored.delete(service);
  }

  async names(): Promise<string[]> {
    await this.#check();
    return [...this.stored.keys()];
  }

  async readiness(): Promise<Readiness> {
    this.asked++;
    await this.open;
    const ready = this.trouble === undefined;
    return { ready, reason: this.trouble ?? "The keychain is a fake" };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  async #check(): Promise<void> {
    await this.open;
    if (this.trouble !== undefined) throw new ServiceError("unavailable", this.trouble);
  }
}
