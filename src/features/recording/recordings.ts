/** All recordings: starts and ends them, and keeps their files within the limits. */

import type { Limits } from "../../config/limits.ts";
import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/semaphore.ts";
import type { Display, Region } from "../../platform/types/mod.ts";
import type { NamedOperation } from "../call/call_names.ts";
import { areaOf, type Field, RecentCovers, screenKey } from "./covers.ts";
import { beginRecording, type RecordingRequest } from "./begin_recording.ts";
import type { RecordingWithChapters } from "./recording_item.ts";
import { RecordingStore, type StoredRecording } from "./recording_store.ts";
import type { RunningRecording } from "./running_recording.ts";

/** Recordings that are kept; the oldest are removed for new ones. */
const MAX_KEPT = 1_000;
/** Nothing useful fits into less. */
const MIN_BYTES = 256 * 1_024;
/** Time that the files of all recordings get to be finished when the service ends. */
const END_MS = 2_500;

/** How often the record of a running recording is written. */
const SAVE_MS = 5_000;

/** What decides whether an operation becomes a chapter. */
interface NotedOperation extends NamedOperation {
  readonly readOnly: boolean;
  readonly runsOthers?: boolean;
}

type NewRecording = Omit<RecordingRequest, "covers" | "store" | "saveMs">;

export class Recordings implements AsyncDisposable {
  readonly #running = new Map<string, RunningRecording>();
  /** Ended, but their records could not be written. */
  readonly #unsaved = new Map<string, StoredRecording>();
  readonly #recent = new RecentCovers();
  readonly #store: RecordingStore;
  readonly #starts = new Semaphore({ places: 1 });
  #starting = 0;
  #hasEnded = false;

  constructor(
    private readonly limits: Limits,
    private readonly options: { readonly stateDir: string; readonly saveMs?: number },
  ) {
    this.#store = new RecordingStore(options.stateDir);
  }

  /**
   * @throws ServiceError `unavailable`: too many run, their files take all the room, or the display
   * or the disk cannot be used; `unsupported`: the format, or recording this display
   */
  async start(
    request: NewRecording,
    signal: AbortSignal,
  ): Promise<RecordingWithChapters> {
    this.#checkPlace();
    this.#starting++;
    try {
      const recording = await this.#starts.run(() => this.#begin(request), signal);
      if (signal.aborted) {
        await recording.discard(); // nobody knows its id
        throw signal.reason;
      }
      return recording.item;
    } finally {
      this.#starting--;
    }
  }

  /**
   * Ends a recording and waits until its file is finished, but at most `waitMs`.
   * @throws ServiceError `not_found`: there is no such recording
   */
  async stop(id: string, waitMs: number, signal: AbortSignal): Promise<RecordingWithChapters> {
    const running = this.#running.get(id);
    if (running === undefined) return await this.find(id);
    running.stop("stop");
    await within(running.finished, waitMs, signal);
    return running.item;
  }

  get areRunning(): boolean {
    return this.#running.size > 0;
  }

  /** The newest first. */
  async list(): Promise<RecordingWithChapters[]> {
    return (await this.#store.list()).map((stored) => this.#current(stored));
  }

  /** With its chapters. @throws ServiceError `not_found` */
  async find(id: string): Promise<StoredRecording> {
    const running = this.#running.get(id);
    const found = running?.item ?? this.#unsaved.get(id) ?? await this.#store.find(id);
    if (found === undefined) {
      throw new ServiceError("not_found", `There is no recording ${JSON.stringify(id)}`);
    }
    return found;
  }

  /** The path of its file. */
  pathOf(recording: StoredRecording): string {
    return this.#store.path(recording);
  }

  /** @throws ServiceError `not_found`; `conflict`: it is still running */
  async remove(id: string): Promise<void> {
    const recording = await this.find(id);
    if (recording.state === "recording" || recording.state === "finishing") {
      throw new ServiceError("conflict", `The recording "${id}" is running: stop it first`);
    }
    await this.#store.remove(recording);
    this.#unsaved.delete(id);
  }

  /** Notes that an operation begins, for the chapters. */
  note(operation: NotedOperation, input: unknown): void {
    if (this.#running.size === 0 || operation.readOnly || operation.runsOthers) return;
    if (operation.group === "recording") return;
    const { display_num } = input as { readonly display_num?: number };
    for (const { displayNum, recording } of this.#running.values()) {
      if (display_num === undefined || display_num === displayNum) recording.addChapter(operation);
    }
  }

  /**
   * Keeps a field out of all recordings of a display while a stored secret is filled in, and black
   * from then on.
   */
  hideField(display: Display, field: Field): Disposable {
    const screen = screenKey(display);
    const remember = (area: Region | undefined) => area && this.#recent.add(screen, area);
    remember(areaOf(field)); // for recordings that begin meanwhile
    const showAgain = [...this.#running.values()]
      .filter((running) => running.screen === screen)
      .map(({ recording }) => recording.withhold());
    return {
      [Symbol.dispose]: () => {
        for (const show of showAgain) show(field).then(remember);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    const all = [...this.#running.values()];
    for (const running of all) running.stop("service_ended");
    await within(Promise.all(all.map(({ finished }) => finished)), END_MS);
  }

  #checkPlace(): void {
    const { maxRecordings } = this.limits;
    if (this.#running.size + this.#starting < maxRecordings) return;
    const text = `${maxRecordings} recordings run already, as many as --max-recordings allows: ` +
      "stop one first";
    throw new ServiceError("unavailable", text);
  }

  async #begin(
    request: NewRecording,
  ): Promise<RunningRecording> {
    if (this.#hasEnded) throw new ServiceError("unavailable", "The service is stopping");
    await this.#store.open();
    const maxBytes = await this.#makeRoom(request.maxBytes);
    const running = await beginRecording({
      ...{ ...request, maxBytes, store: this.#store, saveMs: this.options.saveMs ?? SAVE_MS },
      covers: () => this.#recent.on(screenKey(request.display)),
    });
    this.#running.set(running.item.id, running);
    running.finished.finally(() => this.#forget(running));
    return running;
  }

  /** What could not be written is remembered while the service runs. */
  #forget(running: RunningRecording): void {
    const { item, isSaved } = running;
    this.#running.delete(item.id);
    if (!isSaved) this.#unsaved.set(item.id, item);
  }

  /**
   * Removes the oldest recordings until `wanted` bytes fit beside the others.
   * @returns how many do
   */
  async #makeRoom(wanted: number): Promise<number> {
    const reserved = [...this.#running.values()].reduce((sum, { maxBytes }) => sum + maxBytes, 0);
    const free = this.limits.maxRecordingsBytes - reserved;
    if (free < MIN_BYTES) {
      const text = "The running recordings take all the room that --max-recordings-size allows: " +
        "stop one first, or start them with a smaller max_bytes";
      throw new ServiceError("unavailable", text);
    }
    const bytes = Math.min(wanted, free);
    const kept = (await this.#store.list()).filter(({ state }) =>
      state === "finished" || state === "failed"
    );
    let used = kept.reduce((sum, each) => sum + each.bytes, 0);
    for (let oldest = kept.at(-1); oldest !== undefined; oldest = kept.at(-1)) {
      if (used + bytes <= free && kept.length < MAX_KEPT) break;
      await this.#store.remove(oldest);
      used -= oldest.bytes;
      kept.pop();
    }
    return bytes;
  }

  #current(stored: StoredRecording): RecordingWithChapters {
    const { chapters: _, ...item } = this.#running.get(stored.id)?.item ??
      this.#unsaved.get(stored.id) ?? stored;
    return item;
  }
}
