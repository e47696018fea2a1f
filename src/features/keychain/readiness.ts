/** Whether the keychain can be used now, for those who cannot wait until it says so. */

import type { Keychain, Readiness } from "../../platform/types/mod.ts";
import { within } from "../../core/deadline.ts";

/** A prober gives up after a second or so, and takes it that the whole service is gone. */
const WAIT_MS = 200;

export class KeychainReadiness {
  #asking: Promise<Readiness> | undefined;

  /** One question at a time: asking again while it does not answer makes no new one. */
  async of(keychain: Keychain): Promise<Readiness> {
    this.#asking ??= keychain.readiness().finally(() => this.#asking = undefined);
    const asking = this.#asking;
    if (await within(asking, WAIT_MS)) return await asking;
    return { ready: false, reason: `The keychain has not answered within ${WAIT_MS} ms` };
  }
}
