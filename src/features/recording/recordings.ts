/** All recordings: starts and ends them, keeps their files within the limits, and secrets out. */

import type { Limits } from "../../config/limits.ts";
import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { log } from "../../core/log.ts";
import type { Display } from "../../platform/types/mod.ts";
import { isMadeOfOthers, type NotedOperation, type Session } from "../session.ts";
import { type Field, type RedactionMask, screenKey, ScreenMasks } from "./masks.ts";
import { Recording, type RecordingRequest } from "./recording.ts";
import { isOver, type RecordingItem, RecordingStore } from "./recording_store.ts";

/** Recordings that are kept; the oldest are removed for new ones. */
const MAX_KEPT = 1_000;
/** Nothing useful fits into less. */
const MIN_BYTES = 256 * 1_024;
/** Time that the files of all recordings get to be finished when the service ends. */
const FINISH_TIMEOUT_MS = 2_500;
/** How often the record of a running recording is written. */
const SAVE_INTERVAL_MS = 5_000;

interface Starting {
  readonly request: RecordingRequest;
  readonly masks: ScreenMasks;
  readonly signal: AbortSignal;
}

export class Recordings implements AsyncDisposable {
  /** Those of this service that start or run, or whose last record could not be written. */
  readonly #recordings = new Map<string, Recording>();
  /** Each with the masks of its screen. */
  readonly #starting = new Map<Promise<Recording>, ScreenMasks>();
  /** One after the other: what is left of the limits is known then. */
  readonly #starts = new Semaphore({ capacity: 1 });
  /** By screen. */
  readonly #masks = new Map<string, ScreenMasks>();
  readonly #store: RecordingStore;
  #hasEnded = false;

  constructor(
    private readonly limits: Limits,
    private readonly options: { readonly stateDir: string; readonly saveMs?: number },
  ) {
    this.#store = new RecordingStore(options.stateDir);
  }

  static openIn(session: Session): Recordings {
    const recordings = new Recordings(session.limits, session);
    session.noteOperation = (operation, input) => recordings.note(operation, input);
    return recordings;
  }

  /**
   * @throws ServiceError `unavailable`: too many run, their files take all the room, or the display
   * or the disk cannot be used; `unsupported`: the format, or recording this display
   */
  async start(request: RecordingRequest, signal: AbortSignal): Promise<RecordingItem> {
    const masks = this.masksOf(request.display);
    const starting = this.#starts.run(() => this.#start({ request, masks, signal }), signal);
    this.#starting.set(starting, masks);
    try {
      return (await starting).item;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /**
   * Everything that can fail is tried first; older recordings are removed at the very end. Secrets
   * that are filled in meanwhile are covered by the masks of the screen.
   */
  async #start({ request, masks, signal }: Starting): Promise<Recording> {
    const { maxRecordings } = this.limits;
    if (this.#running.length >= maxRecordings) {
      const text = `${maxRecordings} recordings are already running, which is the maximum: ` +
        "stop one first";
      throw new ServiceError("unavailable", text);
    }
    await this.#store.open();
    const maxBytes = this.#findRoom(request.maxBytes);
    const { saveMs = SAVE_INTERVAL_MS } = this.options;
    const parts = { store: this.#store, masks, saveMs };
    const recording = await Recording.start({ ...request, maxBytes }, parts);
    const { id } = recording.item;
    this.#recordings.set(id, recording); // who finds its record on the disk can stop it
    try {
      await recording.save();
      if (this.#hasEnded) throw new ServiceError("unavailable", "The service is stopping");
      signal.throwIfAborted(); // nobody knows its id
      await this.#makeRoom(id);
    } catch (error) {
      log.info("recording discarded", { id, error: String(error) });
      await recording.discard().catch((cause) => {
        log.warn("a discarded recording cannot be removed", { id, error: String(cause) });
      });
      this.#recordings.delete(id);
      throw error;
    }
    log.info("recording started", { id, display: recording.displayNum });
    recording.finished.then(() => {
      const { state, ended_by: by, detail } = recording.item;
      log.info("recording ended", { id, state, by, ...(detail !== null && { detail }) });
      if (recording.isSaved) this.#recordings.delete(id);
    });
    if (this.#hasEnded) recording.stop("service_ended");
    return recording;
  }

  /**
   * Ends a recording and waits until its file is finished, but at most `waitMs`.
   * @throws ServiceError `not_found`: there is no such recording; `conflict`: another service runs it
   */
  async stop(id: string, waitMs: number, signal: AbortSignal): Promise<RecordingItem> {
    const recording = this.#recordings.get(id);
    if (recording === undefined) {
      const found = await this.find(id);
      if (isOver(found) || found.state === "finishing") return found;
      const text = `Cannot stop the recording "${id}": another service runs it, stop it there`;
      throw new ServiceError("conflict", text);
    }
    recording.stop("stop");
    await within(recording.finished, waitMs, signal);
    return recording.item;
  }

  /** The newest first, without their chapters. */
  async list(): Promise<RecordingItem[]> {
    const stored = await this.#store.list();
    const own = [...this.#recordings.values()].map(({ item }) => item);
    const all = new Map([...stored, ...own].map(({ chapters: _, ...item }) => [item.id, item]));
    return [...all.values()].sort((one, other) => one.id < other.id ? 1 : -1);
  }

  /** With its chapters. @throws ServiceError `not_found` */
  async find(id: string): Promise<RecordingItem> {
    const found = this.#recordings.get(id)?.item ?? await this.#store.find(id);
    if (found !== undefined) return found;
    throw new ServiceError("not_found", `There is no recording ${JSON.stringify(id)}`);
  }

  /** The path of its file. */
  pathOf(recording: RecordingItem): string {
    return this.#store.path(recording);
  }

  /** @throws ServiceError `not_found`; `conflict`: it is still running */
  async remove(id: string): Promise<void> {
    const recording = await this.find(id);
    if (!isOver(recording)) {
      throw new ServiceError("conflict", `The recording "${id}" is running: stop it first`);
    }
    await this.#recordings.get(id)?.finished; // its last record may still be written
    await this.#remove(recording);
    log.info("recording deleted", { id });
  }

  /** Notes that an operation begins, for the chapters. */
  note(operation: NotedOperation, input: unknown): void {
    if (operation.readOnly || isMadeOfOthers(operation) || operation.group === "recording") return;
    const { display_num } = input as { readonly display_num?: number };
    for (const recording of this.#running) {
      const { displayNum } = recording;
      if (display_num === undefined || display_num === displayNum) recording.addChapter(operation);
    }
  }

  /**
   * Keeps a field out of all recordings, trajectories and the live picture of a display while a stored secret is
   * filled in, and black from then on.
   */
  async hideField(display: Display, field: Field): Promise<Disposable> {
    const masks = this.masksOf(display);
    const began = [...this.#running, ...masks.watchers].map(({ began = Infinity }) => began);
    const mask = masks.add(field, Math.min(...began));
    await masks.captured();
    await Promise.all(masks.watchers.map((each) => each.noteField?.(mask)));
    return { [Symbol.dispose]: () => void this.#closeMask(masks, mask) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    for (const recording of this.#running) recording.stop("service_ended");
    const ending = [...this.#starting.keys(), ...this.#running.map(({ finished }) => finished)];
    await within(Promise.allSettled(ending), FINISH_TIMEOUT_MS);
  }

  /** Every recording that has begun, or is about to, searches for what was typed. */
  async #closeMask(masks: ScreenMasks, mask: RedactionMask): Promise<void> {
    const starting = [...this.#starting].filter(([, each]) => each === masks);
    await Promise.allSettled(starting.map(([start]) => start));
    const recordings = this.#running.filter((recording) => recording.masks === masks);
    const watchers = [...recordings, ...masks.watchers];
    masks.close(mask, await Promise.all(watchers.map((each) => each.findText(mask.field, mask))));
  }

  /** Where stored secrets are filled in on the screen of a display. */
  masksOf(display: Display): ScreenMasks {
    return this.#masks.getOrInsertComputed(screenKey(display), () => new ScreenMasks());
  }

  /** How many of the `wanted` bytes fit beside those of the running recordings. */
  #findRoom(wanted: number): number {
    const free = this.limits.maxRecordingsBytes - this.#reserved;
    if (free >= MIN_BYTES) return Math.min(wanted, free);
    const text = "The running recordings take all the space that --max-recordings-size allows: " +
      "stop one first, or start them with a smaller max_bytes";
    throw new ServiceError("unavailable", text);
  }

  /**
   * Removes the oldest until the others fit beside those that run, but never the new one, which may
   * have ended. Once the first is gone the start is certain: one that cannot be removed then stays,
   * and the next goes in its place.
   * @throws ServiceError `unavailable`: the oldest cannot be removed; all are there then
   */
  async #makeRoom(newId: string): Promise<void> {
    const kept = (await this.#store.list()).filter(isOver);
    const free = this.limits.maxRecordingsBytes - this.#reserved;
    let used = kept.reduce((sum, { bytes }) => sum + bytes, 0);
    let count = kept.length;
    let isCertain = false;
    for (const oldest of kept.reverse()) {
      if (used <= free && count < MAX_KEPT) break;
      const { id, bytes } = oldest;
      if (id === newId) continue;
      try {
        await this.#store.removeVideo(oldest);
      } catch (error) {
        if (!isCertain) throw error;
        log.warn("recording not removed to make room", { id, error: String(error) });
        continue;
      }
      isCertain = true;
      used -= bytes;
      try {
        await this.#remove(oldest);
        count--;
        log.info("recording removed to make room", { id, bytes });
      } catch (error) {
        const text = "recording removed to make room, but not its record";
        log.warn(text, { id, bytes, error: String(error) });
      }
    }
  }

  async #remove(recording: RecordingItem): Promise<void> {
    await this.#store.remove(recording);
    this.#recordings.delete(recording.id);
  }

  get #reserved(): number {
    return this.#running.reduce((sum, { maxBytes }) => sum + maxBytes, 0);
  }

  get #running(): Recording[] {
    return [...this.#recordings.values()].filter(({ isOver }) => !isOver);
  }
}
