/** The chapters of a recording: which operations ran, and nothing of what they were given. */

import type { Chapter } from "../../platform/ffmpeg.ts";
import { callName, type NamedOperation } from "../call/call_names.ts";
import { MAX_CHAPTERS } from "./recording_item.ts";

/** The same operation again within this time continues its chapter. */
const SAME_MS = 1_000;

export class Chapters {
  readonly #all: Chapter[] = [{ at_ms: 0, title: "start" }];
  #lastMs = 0;

  get all(): readonly Chapter[] {
    return this.#all;
  }

  /** The new chapter, if the operation begins one. */
  add(operation: NamedOperation, atMs: number): Chapter | undefined {
    const title = callName(operation);
    const continues = this.#all.at(-1)!.title === title && atMs - this.#lastMs < SAME_MS;
    this.#lastMs = atMs;
    if (continues || this.#all.length >= MAX_CHAPTERS) return undefined;
    const chapter = { at_ms: Math.round(atMs), title };
    this.#all.push(chapter);
    return chapter;
  }
}
