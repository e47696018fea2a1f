/** Follows the cursor of a display for its viewers: no system reports that it moves, so it is read. */

import { Buffer } from "node:buffer";
import { encodePngWithAlpha } from "../../imaging/png.ts";
import type { CursorPicture, Point } from "../../platform/types/mod.ts";
import type { CursorLook, LiveNote } from "./message.ts";

/** The pause between two reads: while it moves, and while it rests. */
const MOVING_INTERVAL_MS = 33;
const RESTING_INTERVAL_MS = 120;
/** It counts as moving for so long after it has moved. */
const MOVING_MS = 1_000;
/** Larger ones are decoration, and browsers show none. */
const MAX_SIDE = 128;

export class CursorFollower {
  #now: CursorPicture | undefined;
  #look: CursorLook | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #movedAt = -Infinity;
  #isStopped = false;

  /**
   * @param read fails while the display is gone, which others report
   * @param onChange called when it has moved or vanished, or looks different
   */
  constructor(
    private readonly read: () => Promise<CursorPicture | undefined>,
    private readonly onChange: (what: "moved" | "looks different") => void,
  ) {
    void this.#follow();
  }

  /** What a viewer is told. @param origin where its view is on the display */
  note(origin: Point, { withLook }: { readonly withLook: boolean }): LiveNote {
    if (this.#now === undefined) return { kind: "cursor", visible: false, x: 0, y: 0 };
    const { x, y } = this.#now.position;
    const place = { kind: "cursor", visible: true, x: x - origin.x, y: y - origin.y } as const;
    return withLook && this.#look ? { ...place, image: this.#look } : place;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #follow(): Promise<void> {
    const found = await this.read().catch(() => undefined);
    if (this.#isStopped) return;
    const fits = found !== undefined && Math.max(found.image.width, found.image.height) <= MAX_SIDE;
    this.#take(fits ? found : undefined);
    const isMoving = performance.now() - this.#movedAt < MOVING_MS;
    const intervalMs = isMoving ? MOVING_INTERVAL_MS : RESTING_INTERVAL_MS;
    this.#timer = setTimeout(() => void this.#follow(), intervalMs);
  }

  #take(now: CursorPicture | undefined): void {
    const before = this.#now;
    this.#now = now;
    const isSame = now?.position.x === before?.position.x && now?.position.y === before?.position.y;
    if (!isSame) this.#movedAt = performance.now();
    if (now !== undefined && (before === undefined || !looksAlike(now, before))) {
      const png = Buffer.from(encodePngWithAlpha(now.image)).toString("base64");
      this.#look = { png, hot_x: now.hotspot.x, hot_y: now.hotspot.y };
      this.onChange("looks different");
    } else if (!isSame) this.onChange("moved");
  }
}

function looksAlike(one: CursorPicture, other: CursorPicture): boolean {
  const [a, b] = [one.image, other.image];
  return a.width === b.width && a.height === b.height && one.hotspot.x === other.hotspot.x &&
    one.hotspot.y === other.hotspot.y && a.pixels.every((pixel, at) => pixel === b.pixels[at]);
}
