/** What the thread of a stream is asked, and what it answers. */

import type { Point, Region, Size } from "../../types/mod.ts";
import type { CursorImage } from "./frame.ts";
import type { StreamTarget } from "./native_stream.ts";

/** A job of the thread; `open` lasts as long as the stream. */
export type StreamJob =
  | { readonly name: "open"; readonly target: StreamTarget; readonly page: bigint }
  | { readonly name: "look" | "close" };

/** What a running `open` tells: the size of the pictures, that a frame came, or that none will. */
export type StreamNews = { readonly size: Size } | "frame" | { readonly ended: string };

export interface StreamLook {
  readonly size: Size;
  /** Where the newest frame differs from that of the last look. */
  readonly areas: readonly Region[];
}

/** The cursor on the screen; `key` changes with its image and its position. */
export interface ShownCursor {
  readonly position: Point;
  /** Absent where the compositor sends none. */
  readonly image: CursorImage | undefined;
  readonly key: string;
}
