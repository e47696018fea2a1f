/** Changes on an output, as the compositor itself reports them (`copy_with_damage` of screencopy). */

import { pause } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { Waiters } from "../../../../core/shared_run.ts";
import { overlap } from "../../../../imaging/boxes.ts";
import { LoggedChanges } from "../../../comparing/compared_changes.ts";
import type { Changes, CursorState, Region, Size } from "../../../types/mod.ts";
import type { WaylandClient } from "../client.ts";
import type { Output, Outputs } from "../outputs.ts";
import { Screencopy } from "./screen.ts";

/** The pause after a frame that the compositor has refused, before the next is asked for. */
const REFUSED_BACKOFF_MS = 100;
/** A frame of one unit costs the compositor nothing. */
const CORNER = { x: 0, y: 0, width: 1, height: 1 };

interface ChangesOptions {
  readonly client: WaylandClient;
  readonly outputs: Outputs;
  readonly output: Output;
}

export class WlrootsChanges extends LoggedChanges implements Changes, Disposable {
  readonly source = "events";
  readonly #damaged: Screencopy;
  readonly #corner: Screencopy;
  readonly #waiters = new Waiters();
  readonly #end = new AbortController();
  readonly #following: Disposable;
  #size: Size;
  /** Whether the compositor has a frame of ours to fill as soon as something changes. */
  #isArmed = false;
  /** Whether that frame was seen empty, so that it has no change of the time before. */
  #isSettled = false;

  constructor(private readonly options: ChangesOptions) {
    super();
    const { client, outputs, output } = options;
    this.#damaged = new Screencopy(client, output);
    this.#corner = new Screencopy(client, output);
    this.#size = output.size;
    this.#following = outputs.onChange(() => this.#followSize());
    client.closed.then(() => this.#waiters.notify()); // the next poll reports the loss
  }

  get connected(): boolean {
    return this.options.client.connected && this.options.output.isPlugged;
  }

  next(count: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (!this.connected || this.log.count > count) return Promise.resolve();
    this.#arm();
    return this.#waiters.wait(signal);
  }

  /** The compositor reports to nobody where its cursor is: it can be anywhere, and have changed. */
  cursor(): Promise<CursorState> {
    return Promise.resolve({ box: { x: 0, y: 0, ...this.#size }, key: crypto.randomUUID() });
  }

  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]();
    this.#end.abort(new ServiceError("unavailable", "The display is no longer monitored"));
    this.#damaged.close();
    this.#corner.close();
    this.#waiters.notify();
  }

  /**
   * A frame that waits for changes and is still empty after a round trip has seen none. One that was
   * only just asked for is known to be empty when a frame that waits for nothing is full: both are
   * filled with the same drawing, in the order of the requests. While nothing changes, this is one
   * round trip.
   */
  protected async collect(): Promise<Size> {
    if (this.#isSettled) await this.options.client.roundtrip();
    else {
      this.#arm();
      await this.#corner.take({ cursor: "hidden", region: CORNER });
      this.#isSettled = this.#isArmed;
    }
    return this.#size;
  }

  #arm(): void {
    if (this.#isArmed || this.#end.signal.aborted) return;
    this.#isArmed = true;
    this.#follow();
  }

  async #follow(): Promise<void> {
    try {
      await this.#damaged.takeDamaged((areas) => {
        this.#disarm(); // in the event itself: a poll right after it asks for the next frame
        this.log.add(this.#onScreen(areas));
        this.#waiters.notify();
      }, this.#end.signal);
    } catch {
      if (!this.connected || this.#end.signal.aborted) return this.#waiters.notify();
      this.log.add([this.#all()]); // it has changed its size, or is switched off
      this.#waiters.notify();
      await pause(REFUSED_BACKOFF_MS);
      this.#disarm();
    }
  }

  #disarm(): void {
    this.#isArmed = this.#isSettled = false;
  }

  /** The frame of a rotated output is not rotated, and neither are the areas. */
  #onScreen(areas: readonly Region[]): readonly Region[] {
    if (areas.length === 0 || this.options.output.transform !== 0) return [this.#all()];
    return areas.map((area) => overlap(area, this.#all()) ?? this.#all());
  }

  #followSize(): void {
    const { size } = this.options.output;
    if (!this.connected) this.#waiters.notify();
    if (size.width === this.#size.width && size.height === this.#size.height) return;
    this.#size = size;
    this.log.add([this.#all()]);
    this.#waiters.notify();
  }

  #all(): Region {
    return { x: 0, y: 0, ...this.#size };
  }
}
