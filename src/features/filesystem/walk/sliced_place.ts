/**
 * The slot of a search or tree walk: a long walk moves to another lane, and pauses while others
 * wait.
 */

import type { Place, Semaphore } from "../../../core/semaphore.ts";
import type { Walk } from "./walk.ts";

/** Most paused walks in all lanes: each occupies a thread. */
export const MAX_PAUSED = 16;

export interface Lanes {
  /** For walks that have just started. */
  readonly begun: Semaphore;
  readonly long: Semaphore;
  /** The paused walks. */
  readonly paused: Set<Walk>;
  /** How long a walk runs before checking whether others wait, in milliseconds. */
  readonly sliceMs: number;
}

/** Manages the slot until the walk ends; disposing releases whichever slot it then holds. */
export class SlicedPlace implements Disposable {
  #lane: Semaphore;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #over = new AbortController();

  constructor(
    private held: Place,
    private readonly walk: Walk,
    private readonly lanes: Lanes,
  ) {
    this.#lane = lanes.begun;
    this.#timer = setInterval(() => this.#look(), lanes.sliceMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#over.abort();
    this.lanes.paused.delete(this.walk);
    this.held[Symbol.dispose]();
  }

  #look(): void {
    const { begun, long, paused } = this.lanes;
    if (paused.has(this.walk)) return;
    const place = this.#lane === begun ? long.tryAcquire() : undefined;
    if (place !== undefined) return this.#move(place);
    if (this.#lane.waiting > 0 && paused.size < MAX_PAUSED) this.#standBack();
  }

  #move(place: Place): void {
    this.held[Symbol.dispose]();
    this.held = place;
    this.#lane = this.lanes.long;
  }

  /** Moves to the end of the queue for long walks. */
  #standBack(): void {
    this.lanes.paused.add(this.walk);
    this.walk.pause();
    this.held[Symbol.dispose](); // frees the slot for the next walk
    this.lanes.long.acquire(this.#over.signal).then(
      (place) => this.#goOn(place),
      () => {}, // the walk has ended
    );
  }

  #goOn(place: Place): void {
    if (this.#over.signal.aborted) return place[Symbol.dispose]();
    this.#move(place);
    this.lanes.paused.delete(this.walk);
    this.walk.resume();
  }
}
