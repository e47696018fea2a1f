/** The context of an operation that was called by name. */

import type { Config } from "../../config/config.ts";
import type { Log } from "../../core/log.ts";
import type { Platform } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { InputScope } from "../input_scope.ts";
import type { Session } from "../session.ts";
import type { Calls, RunOptions } from "../calls.ts";

/** What all calls share. */
export interface Services {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  readonly log: Pick<Log, "error">;
}

export class CallContext implements Context {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly inputScope?: InputScope;

  constructor({ platform, config, session }: Services, readonly calls: Calls, how: RunOptions) {
    this.platform = platform;
    this.config = config;
    this.session = session;
    this.signal = how.signal;
    if (how.inputScope !== undefined) this.inputScope = how.inputScope;
  }

  /** A caller by name has no copies of earlier answers. */
  hasCurrent(): boolean {
    return false;
  }
}
