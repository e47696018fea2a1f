/**
 * What is known about windows, kept for as long as no event says that it has changed: a list of many
 * windows then needs few requests.
 */

import { Waiters } from "../../../../core/shared_run.ts";
import { EventLoopYielder } from "../../../../core/event_loop_yielder.ts";
import { EVENT_MASK, type XEvent } from "../client.ts";
import { AT_ONCE, MAX_LISTED } from "./requests.ts";
import {
  type FactReader,
  readFacts,
  readGeometry,
  type WindowFacts,
  type WindowGeometry,
} from "./window_facts.ts";

/** More windows than a list has, and the menus beside it: beyond, those read first are forgotten. */
const MAX_KNOWN = 2 * MAX_LISTED;
/** Events after which windows can be elsewhere. */
const LAYOUT_EVENTS: ReadonlySet<string | undefined> = new Set([
  "ConfigureNotify",
  "MapNotify",
  "UnmapNotify",
  "ReparentNotify",
  "GravityNotify",
  "CirculateNotify",
]);

export interface KnownWindow {
  readonly facts: WindowFacts;
  readonly geometry: WindowGeometry;
}

export class FollowedWindows {
  readonly #facts = new Map<number, Promise<WindowFacts | undefined>>();
  readonly #geometries = new Map<number, Promise<WindowGeometry | undefined>>();
  readonly #news = new Waiters();

  constructor(private readonly reader: FactReader) {
    const { connection } = reader.requests;
    connection.onEvent((event) => this.#onEvent(event));
    connection.onLoss(() => this.#news.notify());
    connection.client.ChangeWindowAttributes(connection.root, {
      eventMask: EVENT_MASK.structureNotify | EVENT_MASK.substructureNotify |
        EVENT_MASK.propertyChange,
    });
  }

  /** What is true of windows now; `undefined` for each that has closed. */
  async read(windows: readonly number[]): Promise<(KnownWindow | undefined)[]> {
    const known: (KnownWindow | undefined)[] = [];
    const yielder = new EventLoopYielder();
    for (let at = 0; at < windows.length; at += AT_ONCE) {
      known.push(...await this.#readBatch(windows.slice(at, at + AT_ONCE)));
      await yielder.yieldIfDue();
    }
    return known;
  }

  async #readBatch(windows: readonly number[]): Promise<(KnownWindow | undefined)[]> {
    const readings = windows.map(async (window) => {
      const [facts, geometry] = await Promise.all([
        this.#factsOf(window),
        this.#geometryOf(window),
      ]);
      return facts && geometry && { facts, geometry };
    });
    this.reader.requests.flush();
    return await Promise.all(readings);
  }

  /** Resolves at the next event; rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<void> {
    return this.#news.wait(signal);
  }

  #factsOf(window: number): Promise<WindowFacts | undefined> {
    const known = this.#facts.get(window);
    if (known) return known;
    this.#follow(window);
    return this.#keep(this.#facts, window, readFacts(this.reader, window));
  }

  #geometryOf(window: number): Promise<WindowGeometry | undefined> {
    return this.#geometries.get(window) ??
      this.#keep(this.#geometries, window, readGeometry(this.reader.requests, window));
  }

  #keep<T>(
    known: Map<number, Promise<T | undefined>>,
    window: number,
    read: Promise<T>,
  ): Promise<T | undefined> {
    const kept = read.catch((error) => {
      if (known.get(window) === kept) known.delete(window);
      if (this.reader.requests.isClosed(error)) return undefined;
      throw error;
    });
    known.set(window, kept);
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
    return kept;
  }

  #follow(window: number): void {
    this.reader.requests.connection.client.ChangeWindowAttributes(window, {
      eventMask: EVENT_MASK.structureNotify | EVENT_MASK.propertyChange,
    });
  }

  #onEvent({ name, wid, wid1 }: XEvent): void {
    if (LAYOUT_EVENTS.has(name)) this.#geometries.clear(); // a frame takes others along
    if (name === "PropertyNotify") this.#facts.delete(wid);
    if (name === "DestroyNotify") {
      this.#facts.delete(wid);
      this.#geometries.delete(wid);
    }
    if (name === "ReparentNotify") this.#facts.delete(wid);
    if (wid1 !== undefined) this.#geometries.delete(wid1);
    this.#news.notify();
  }
}
