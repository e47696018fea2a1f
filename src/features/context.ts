/** Everything that a handler may use. */

import type { Config } from "../config/config.ts";
import type { Platform } from "../platform/types/mod.ts";
import type { Actor } from "./actor.ts";
import type { Calls, RunOptions } from "./calls.ts";
import type { Passage } from "./control/passage.ts";
import type { InputScope } from "./input_scope.ts";
import type { Session } from "./session.ts";

export interface Context {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  /** Who calls. */
  readonly actor: Actor;
  /** The request that it is, or belongs to, as its answer names it in `X-Request-Id`. */
  readonly requestId?: string | undefined;
  /** See {@link RunOptions.isPart}. */
  readonly isPart?: boolean | undefined;
  /**
   * Aborts when the client disconnects while the handler runs. Created on first use, because that
   * has a cost.
   */
  readonly signal: AbortSignal;
  /** Whether it may still act; absent for what has not entered by itself. */
  readonly passage?: Passage | undefined;
  /** All operations by name, for those that run others. */
  readonly calls: Calls;
  /** Whose end releases what the operation leaves pressed; without it, no such end does. */
  readonly inputScope?: InputScope;
  /** Whether the client already has the answer with this entity tag (`If-None-Match`). */
  hasCurrent(tag: string): boolean;
  /**
   * The one part of a file of `size` bytes that the client asks for (`Range`), from `start` to
   * before `end`; `undefined` for the whole file.
   */
  wantedRange?(size: number, tag: string): ByteRange | undefined;
  /** The last event that the client has got of an earlier answer (`Last-Event-ID`). */
  readonly lastEventId?: string | undefined;
}

/** The context of work inside another one: none of its answers is known to a client already. */
export function innerContext(
  { platform, config, session, calls }: Pick<Context, "platform" | "config" | "session" | "calls">,
  options: RunOptions,
): Context {
  return { platform, config, session, calls, hasCurrent: () => false, ...options };
}

/** The same context for an operation that has entered: its signal also aborts when that is over. */
export function enteredContext(context: Context, passage: Passage): Context {
  return {
    ...context,
    passage,
    get signal() {
      return passage.signalWith(context.signal);
    },
  };
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
