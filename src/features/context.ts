/** What a handler may use. */

import type { Config } from "../config/config.ts";
import type { Platform } from "../platform/types/mod.ts";
import type { Session } from "./session.ts";

export interface Context {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  /** Aborts when the client goes away while the handler runs. Made on first use: asking costs. */
  readonly signal: AbortSignal;
  /** Whether the client has the answer with this entity tag already (`If-None-Match`). */
  hasCurrent(tag: string): boolean;
}
