/**
 * Where the pointer is: its position comes with the pictures, some milliseconds after a move, so a
 * move of our own counts until then.
 */

import { ServiceError } from "../../../core/errors.ts";
import type { Point } from "../../types/mod.ts";
import type { ShownCursor } from "../pipewire/stream.ts";

/** By then the picture of a move has come. */
const PICTURE_MS = 150;

/** What tells of the cursor in the pictures; the key changes with its position. */
export interface CursorSource {
  readonly cursorKey: string;
  cursor(): Promise<ShownCursor | undefined>;
}

export class PointerPosition {
  #moved: { readonly to: Point; readonly time: number; readonly key: string } | undefined;

  constructor(private readonly source: CursorSource) {}

  /** To be called for each move of our own. */
  move(to: Point): void {
    this.#moved = { to, time: performance.now(), key: this.source.cursorKey };
  }

  /** @throws ServiceError `unavailable`: the pointer is on another monitor, or hidden */
  async read(): Promise<Point> {
    const moved = this.#moved;
    const { cursorKey } = this.source;
    const isOurs = moved !== undefined &&
      (performance.now() - moved.time < PICTURE_MS || moved.key === cursorKey);
    if (isOurs) return moved.to;
    const cursor = await this.source.cursor();
    if (cursor !== undefined) return cursor.position;
    throw new ServiceError(
      "unavailable",
      "The desktop does not tell where the pointer is: it is on another monitor or hidden; move it first",
    );
  }
}
