/**
 * Finds where a program has drawn a stored value that was typed: what differs then from what the row of
 * the field showed before, or the whole screen, where only the program knows the field.
 */

import { pause } from "../../../core/deadline.ts";
import { overlap } from "../../../imaging/boxes.ts";
import type { Display, Region } from "../../../platform/types/mod.ts";
import type { Context } from "../../context.ts";
import { Pictures } from "../../display/pictures.ts";
import { followChanges } from "../../display/view.ts";
import {
  type Field,
  LARGEST,
  LONGEST_DRAWING_MS,
  type MaskWatcher,
  type RedactionMask,
  rowOf,
  waitUntilDrawn,
} from "../../recording/masks.ts";

export class DrawnText implements MaskWatcher {
  /** The names of what the rows of fields showed. */
  readonly #noted = new Map<RedactionMask, string>();

  constructor(
    private readonly context: Context,
    private readonly display: Display,
    readonly began: number,
  ) {}

  async noteField(mask: RedactionMask): Promise<void> {
    const name = crypto.randomUUID();
    const { size } = this.display;
    const region = overlap(rowOf(mask.field, size), { x: 0, y: 0, ...size });
    if (region === undefined) return;
    try {
      await this.#pictures.run("compare", this.display, { kind: "remember", name, region });
      this.#noted.set(mask, name);
    } catch {
      // the display cannot be read now
    }
  }

  async findText(field: Field, mask: RedactionMask): Promise<Region | undefined> {
    const { context: { signal }, display } = this;
    const name = this.#noted.get(mask);
    this.#noted.delete(mask);
    try {
      const changes = await followChanges(display);
      if (changes === undefined) await pause(LONGEST_DRAWING_MS, signal);
      else await waitUntilDrawn(changes, signal);
      if (name !== undefined) {
        return await this.#pictures.run("findChanges", display, { name }, signal);
      }
    } catch {
      if (signal.aborted) return undefined;
    } finally {
      if (name !== undefined) {
        await this.#pictures.run("forget", display, { name }).catch(() => {}); // it is ending
      }
    }
    return rowOf(field, LARGEST); // no later picture must show it
  }

  get #pictures(): Pictures {
    return this.context.session.use(Pictures);
  }
}
