/** What the service and a walking worker say to each other. */

import type { Platform } from "../../../platform/types/mod.ts";

interface Walk {
  /** Absolute. */
  readonly root: string;
  readonly includeHidden: boolean;
}

export interface ListTask extends Walk {
  readonly kind: "list";
  readonly pattern: string | null;
}

export interface SearchTask extends Walk {
  readonly kind: "search";
  readonly pattern: string;
  readonly maxResults: number;
}

export interface TreeTask extends Walk {
  readonly kind: "tree";
  readonly pattern: string | null;
  readonly maxDepth: number;
  readonly maxEntries: number;
}

export type WalkTask = ListTask | SearchTask | TreeTask;

/** To the worker. */
export interface Order {
  readonly system: Platform["system"];
  readonly task: WalkTask;
  /** {@link Cell}s that both sides see, for a worker that walks reads no messages. */
  readonly shared: Int32Array;
}

/** Places in the shared memory. */
export const Cell = {
  /** 1: nobody wants the rest. */
  stop: 0,
  /** Chunks that may be sent, counted from the start of the walk; the worker waits for more. */
  allowed: 1,
  /** 1: the walk waits until others have had their turn. */
  paused: 2,
} as const;

/** How many they are. */
export const CELLS = 3;

/** From the worker, while it walks: a part of the JSON. */
export type Chunk = Uint8Array<ArrayBuffer>;

/** The code of a pattern whose braces stand for too many others. */
export const TOO_COMPLEX = "PATTERN_TOO_COMPLEX";

/** Chunks that wait for the reader at most. */
export const MAX_WAITING_CHUNKS = 4;
