/** What a picture request asks for, and the state of the screen that it finds. */

import type { Box } from "../../imaging/boxes.ts";
import type { Format } from "../../imaging/encode.ts";
import type { Changes, ChangeState, CursorState, Display } from "../../platform/types/mod.ts";
import { followChanges } from "./view.ts";

export interface ScreenshotInput {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly max_width?: number | undefined;
  readonly max_height?: number | undefined;
  readonly max_edge?: number | undefined;
  readonly enlarge: boolean;
  readonly fit?: string | undefined;
  readonly cursor: boolean;
  readonly format: Format;
  readonly quality: number;
  readonly frame?: string | undefined;
  readonly since?: string | undefined;
  readonly display_num: number;
  /** Drawn into the picture; no request names them. */
  readonly boxes?: readonly Box[];
}

/** The state of the screen before the capture, where the system reports it. */
export interface Situation {
  readonly display: Display;
  readonly changes: Changes | undefined;
  readonly state: ChangeState;
  readonly cursor: CursorState | undefined;
}

/**
 * On some displays even this check captures a picture, which is worthwhile only for a comparison
 * with an older one.
 */
export async function lookAt(
  display: Display,
  { cursor, since }: ScreenshotInput,
): Promise<Situation> {
  const changes = await followChanges(display);
  if (!changes || (isCompared(changes) && since === undefined)) {
    const state = { run: crypto.randomUUID(), count: 0, size: display.size };
    return { display, changes, state, cursor: undefined };
  }
  const shown = cursor ? changes.cursor() : undefined;
  return { display, changes, state: await changes.look(), cursor: await shown };
}

export function isCompared(changes: Changes | undefined): boolean {
  return changes?.source === "comparison";
}
