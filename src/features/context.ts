/** Everything that a handler may use. */

import type { Config } from "../config/config.ts";
import type { Platform } from "../platform/types/mod.ts";
import type { Actor } from "./actor.ts";
import type { Passage } from "./control/passage.ts";
import type { InputScope } from "./input_scope.ts";
import type { NotedOperation, Session } from "./session.ts";

export interface Context extends CallServices {
  /** Who calls. */
  readonly actor: Actor;
  /** The request that it is, or belongs to, as its answer names it in `X-Request-Id`. */
  readonly requestId?: string | undefined;
  /** Whether it is a part of what an operation does that is noted by itself: a click of an action. */
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
  { platform, config, session, calls }: CallServices & Pick<Context, "calls">,
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

// What handlers know about calling other operations by name; see {@link Callables}.

/** What a call gave: nothing, JSON, or a file. */
export type CallResult = NothingResult | JsonResult | FileResult;

interface AnyResult {
  /** The name of the answer, where the operation declares several. */
  readonly outcome?: string;
  /** By the names that the operation declares: `X-Frame`. */
  readonly headers: Readonly<Record<string, string>>;
}

interface NothingResult extends AnyResult {
  readonly kind: "nothing";
}

interface JsonResult extends AnyResult {
  readonly kind: "json";
  readonly value: unknown;
}

export interface FileResult extends AnyResult {
  readonly kind: "file";
  /** `image/png` */
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** For whom an operation runs, by when it stops, and to whom what it leaves pressed belongs. */
export type RunOptions = Pick<
  Context,
  "actor" | "signal" | "requestId" | "isPart" | "inputScope"
>;

export interface PrepareOptions {
  /**
   * Accepts what models write where the schema wants something else: numbers and booleans as text,
   * lists and objects as JSON text.
   */
  readonly lenient?: boolean;
  /** Where the input is, for the locations of its errors; by default `["input"]`. */
  readonly at?: readonly (string | number)[];
}

/** An operation with checked fields. */
export interface Prepared {
  /** `mouse.left-click` */
  readonly name: string;
  /** `runsOthers`: it cannot be a step of a batch. */
  readonly operation: Pick<NotedOperation, "group" | "runsOthers" | "readOnly">;
  /**
   * Runs the operation.
   * @throws ServiceError as the operation declares; InputError for an impossible value
   */
  run(options: RunOptions): Promise<CallResult>;
  /**
   * Lets in what does the same in another way, as {@link run} does at its start. Dispose the passage
   * when that has ended.
   * @throws ServiceError `locked`, `forbidden` or `unavailable`
   */
  enter(options: RunOptions): Passage | Promise<Passage>;
  /** Whether it would wait until a person allows it. */
  needsApproval(actor: Actor): boolean;
}

/** Operations by name. */
export interface Calls {
  /**
   * Checks the name and all fields; nothing runs.
   * @throws InputError with every error, ServiceError `forbidden` for what is switched off
   */
  prepare(name: string, input: unknown, options?: PrepareOptions): Prepared;
  /**
   * Keeps what operations leave pressed: released when disposed, and at once when `signal` aborts.
   */
  openInputScope(signal: AbortSignal): InputScope;
  /** The same operations with what a desk has in place of what the service has. */
  within(services: CallServices): Calls;
}

/** What operations are called with. */
export interface CallServices {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
}
