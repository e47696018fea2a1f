/** The messages between the service and a walk worker. */

import type { Platform } from "../../../platform/types/mod.ts";

/** What is requested, by the names of the request. */
interface Walk {
  /** An absolute path. */
  readonly root: string;
  readonly include_hidden: boolean;
  readonly pattern: string | null;
}

export interface ListTask extends Walk {
  readonly kind: "list";
}

export interface SearchTask extends Walk {
  readonly kind: "search";
  readonly pattern: string;
  readonly max_results: number;
}

export interface TreeTask extends Walk {
  readonly kind: "tree";
  readonly max_depth: number;
  readonly max_entries: number;
}

export type WalkTask = ListTask | SearchTask | TreeTask;

/** Sent to the worker. */
export interface Order {
  readonly system: Platform["system"];
  readonly task: WalkTask;
  /**
   * One number that both sides share, because a worker cannot read messages during a walk: how many
   * chunks may be sent, counted from the start of the walk.
   */
  readonly allowed: Int32Array;
}

/** Sent by the worker during the walk: a part of the JSON. */
export type Chunk = Uint8Array<ArrayBuffer>;

/** Error code for a pattern whose braces expand to too many patterns. */
export const TOO_COMPLEX = "PATTERN_TOO_COMPLEX";

/** Most chunks that may wait for the reader. */
export const MAX_WAITING_CHUNKS = 4;
