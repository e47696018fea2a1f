/** The place of a search or a tree: a long one moves to a lane of its own, and pauses for those that wait. */

import type { Place, Semaphore } from "../../../core/semaphore.ts";
import type { Walk } from "./walk.ts";

/** Paused walks of all lanes: each keeps a thread. */
export const MAX_PAUSED = 16;

export interface Lanes {
  /** For walks that have just begun. */
  readonly begun: Semaphore;
  readonly long: Semaphore;
  /** The walks that are paused. */
  readonly paused: Set<Walk>;
  /** How long a walk goes on before it is looked whether others wait, in milliseconds. */
  readonly sliceMs: number;
}

/** Goes on until the walk ends; disposing gives back whatever place it has then. */
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

  /** To the end of the lane of long walks. */
  #standBack(): void {
    this.lanes.paused.add(this.walk);
    this.walk.pause();
    this.held[Symbol.dispose](); // the next one has it now
    this.lanes.long.acquire(this.#over.signal).then(
      (place) => this.#goOn(place),
      () => {}, // it has ended
    );
  }

  #goOn(place: Place): void {
    if (this.#over.signal.aborted) return place[Symbol.dispose]();
    this.#move(place);
    this.lanes.paused.delete(this.walk);
    this.walk.resume();
  }
}
