/**
 * Finds where a program has drawn a stored value that was typed: what differs then from what the row of
 * the field showed before, or the whole screen, where only the program knows the field.
 */

import { pause, within } from "../../../core/deadline.ts";
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

/** How long the typing of a value waits until what its row shows is remembered. */
const NOTE_TIMEOUT_MS = 1_000;

export class DrawnText implements MaskWatcher, Disposable {
  /** The names of what the rows of fields showed. */
  readonly #noted = new Map<RedactionMask, string>();
  #hasEnded = false;

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
    const noting = this.#pictures
      .run("compare", this.display, { kind: "remember", name, region })
      .then(() => true, () => false); // the display cannot be read now
    if (await within(noting, NOTE_TIMEOUT_MS) && await noting && !this.#hasEnded) {
      this.#noted.set(mask, name);
    } else { // what is remembered too late can show the value
      void noting.then(() => this.#forget(name));
    }
  }

  async findText(field: Field, mask: RedactionMask): Promise<Region | undefined> {
    const { context: { signal }, display } = this;
    const name = this.#noted.get(mask);
    this.#noted.delete(mask);
    try {
      const changes = await followChanges(display);
      const end = performance.now() + LONGEST_DRAWING_MS;
      while (true) {
        if (changes === undefined) await pause(LONGEST_DRAWING_MS, signal);
        else await waitUntilDrawn(changes, signal);
        if (name === undefined) break;
        const box = await this.#pictures.run("findChanges", display, { name }, signal);
        // what shows the value of an unknown field can be a computer far away
        if (box !== undefined || field !== undefined || performance.now() >= end) return box;
      }
    } catch {
      if (signal.aborted) return undefined;
    } finally {
      if (name !== undefined) await this.#forget(name);
    }
    return rowOf(field, LARGEST); // no later picture must show it
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    for (const name of this.#noted.values()) void this.#forget(name);
    this.#noted.clear();
  }

  async #forget(name: string): Promise<void> {
    await this.#pictures.run("forget", this.display, { name }).catch(() => {}); // it is ending
  }

  get #pictures(): Pictures {
    return this.context.session.use(Pictures);
  }
}
