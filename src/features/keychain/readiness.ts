/**
 * Whether the keychain is usable now, for callers that cannot wait for a slow keychain to answer.
 */

import type { Keychain, Readiness } from "../../platform/types/mod.ts";
import { within } from "../../core/deadline.ts";

/** A prober gives up after about a second and then considers the whole service dead. */
const PROBE_TIMEOUT_MS = 200;

export class KeychainReadiness {
  #asking: Promise<Readiness> | undefined;

  static openIn(): KeychainReadiness {
    return new KeychainReadiness();
  }

  /** Asks one question at a time: repeated calls share the one that is pending. */
  async of(keychain: Keychain): Promise<Readiness> {
    this.#asking ??= keychain.readiness().finally(() => this.#asking = undefined);
    const asking = this.#asking;
    if (await within(asking, PROBE_TIMEOUT_MS)) return await asking;
    return { ready: false, reason: `The keychain did not respond within ${PROBE_TIMEOUT_MS} ms` };
  }
}
