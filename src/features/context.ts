/** Everything that a handler may use. */

import type { Config } from "../config/config.ts";
import type { Platform } from "../platform/types/mod.ts";
import type { Session } from "./session.ts";

export interface Context {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  /**
   * Aborts when the client disconnects while the handler runs. Created on first use, because that
   * has a cost.
   */
  readonly signal: AbortSignal;
  /** Whether the client already has the answer with this entity tag (`If-None-Match`). */
  hasCurrent(tag: string): boolean;
}
