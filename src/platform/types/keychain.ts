/** The port for secret texts. */

import type { Readiness } from "./port.ts";

/**
 * A place that keeps one secret text per service name. Changes of one name are made in the order of
 * the calls. Every call throws ServiceError `unavailable`
 * when the place cannot be used now; no error and no log line carries a secret.
 */
export interface Keychain extends AsyncDisposable {
  /** The text of a service, or `undefined` when there is none. */
  read(service: string): Promise<string | undefined>;
  /**
   * Stores a text, in place of an earlier one; when this resolves, the text outlives a crash.
   * @throws ServiceError `too_large`: this keychain cannot hold a text of this size.
   */
  write(service: string, secret: string): Promise<void>;
  /** Forgets a service; one that is not stored is left alone. */
  remove(service: string): Promise<void>;
  /** Every stored name, in any order. */
  names(): Promise<string[]>;
  /** Whether it can be used now, with a sentence. Never throws. */
  readiness(): Promise<Readiness>;
}
