/** The port for stored secrets. */

import type { Readiness } from "./port.ts";

/**
 * A store of one secret text per service name. Changes to one name are applied in the order of the
 * calls. No error and no log line contains a secret.
 * @throws ServiceError `unavailable` from every method but `readiness` while the store cannot be
 *   used.
 */
export interface Keychain extends AsyncDisposable {
  /** The secret of a service, or `undefined` when none is stored. */
  read(service: string): Promise<string | undefined>;
  /**
   * Stores a secret and replaces an earlier one. Once this resolves, the secret survives a crash.
   * @throws ServiceError `too_large`: this keychain cannot hold a secret of this size.
   */
  write(service: string, secret: string): Promise<void>;
  /** Removes the secret of a service; does nothing when none is stored. */
  remove(service: string): Promise<void>;
  /** Every stored name, in any order. */
  names(): Promise<string[]>;
  /** Whether the keychain can be used now, with one sentence of explanation. Never throws. */
  readiness(): Promise<Readiness>;
}
