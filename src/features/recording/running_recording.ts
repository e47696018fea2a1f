/** A recording of this service: what is known of it, its record on the disk, and how it is finished. */

import { inTime, pause, unlessAborted, within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { addChapters, type Chapter } from "../../platform/ffmpeg.ts";
import type { Changes, Display, Region, ScreenAddress, Size } from "../../platform/types/mod.ts";
import { callName, type NamedOperation } from "../call/call_names.ts";
import {
  areaOf,
  countCapturePauses,
  type Field,
  isCapturePaused,
  maskText,
  pauseCapture,
  type PausedCapture,
  resumeCapture,
  rowOf,
} from "./masks.ts";
import type { Progress, RecorderThread, RecordingFormat } from "./recorder_messages.ts";
import {
  type Ending,
  FILES,
  MAX_CHAPTERS,
  type RecordingItem,
  type RecordingStore,
  type StoredRecording,
} from "./recording_store.ts";

const COPY_MS = 60_000;
const PRIVATE = 0o600;

export interface AboutRecording {
  readonly id: string;
  readonly displayNum: number;
  readonly format: RecordingFormat;
  readonly size: Size;
  readonly maxFps: number;
  readonly startedAt: string;
  readonly detail: string | null;
}

export interface RecordingParts {
  readonly recording: ScreenRecording;
  readonly store: RecordingStore;
  readonly lock: Deno.FsFile;
  readonly maxBytes: number;
  readonly screen: string;
  /** How often the record of a running recording is written. */
  readonly saveMs: number;
}

export class RunningRecording {
  /** Whether its start has not been answered. */
  isStarting = true;
  #state: RecordingItem["state"] = "recording";
  #endedBy: Ending | null = null;
  #detail: string | null;
  /** After chapters were added. */
  #finalBytes: number | undefined;
  #isSaved = false;
  readonly #stopCopying = new AbortController();
  /** Resolves when the file and its record are finished; never rejects. */
  readonly finished: Promise<void>;

  constructor(private readonly about: AboutRecording, private readonly parts: RecordingParts) {
    this.#detail = about.detail;
    this.finished = this.#finish();
  }

  /** Whether its last record is on the disk. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  get displayNum(): number {
    return this.about.displayNum;
  }

  get recording(): ScreenRecording {
    return this.parts.recording;
  }

  get maxBytes(): number {
    return this.parts.maxBytes;
  }

  get screen(): string {
    return this.parts.screen;
  }

  get item(): StoredRecording {
    const { about, parts: { recording } } = this;
    const { frames, bytes, atMs, resizes, masks } = recording.progress;
    const duration = this.#state === "recording" ? recording.elapsedMs : atMs;
    const chapters = recording.chapters.all;
    return {
      id: about.id,
      display_num: about.displayNum,
      state: this.#state,
      ended_by: this.#endedBy,
      detail: this.#detail,
      format: about.format,
      media_type: FILES[about.format].mediaType,
      playable: frames > 0 && bytes > 0,
      started_at: about.startedAt,
      duration_ms: Math.round(duration),
      frames,
      bytes: this.#finalBytes ?? bytes,
      ...about.size,
      resizes,
      max_fps: about.maxFps,
      blacked_out: masks,
      chapter_count: chapters.length,
      chapters: chapters.map((chapter) => ({ ...chapter })),
    };
  }

  stop(by: Ending): void {
    if (by === "service_ended") this.#stopCopying.abort();
    this.recording.stop(by);
  }

  async save(): Promise<void> {
    await this.parts.store.write(this.item);
  }

  /** Ends it and removes all of it. */
  async discard(): Promise<void> {
    this.stop("service_ended");
    await this.finished;
    await this.parts.store.remove(this.item);
  }

  async #finish(): Promise<void> {
    const { recording, store, lock, saveMs } = this.parts;
    const saveNow = () => this.save().catch(() => {});
    const saving = setInterval(saveNow, saveMs);
    recording.begun.then(saveNow); // from now on the file can be played, even if the service is killed
    const { by, detail } = await recording.closed;
    clearInterval(saving);
    this.#endedBy = by;
    this.#detail = detail ?? this.#detail;
    this.#state = "finishing";
    await this.#complete();
    this.#state = this.item.playable ? "finished" : "failed";
    try {
      await this.save();
      this.#isSaved = true;
    } catch (error) {
      this.#detail ??= (error as Error).message;
    }
    await store.unlock(this.about.id, lock).catch(() => {}); // the lock itself has ended
  }

  /** Adds the chapters and an index to a video, where its limit has room for a second copy. */
  async #complete(): Promise<void> {
    const { format, id } = this.about;
    const { bytes, playable, chapters, duration_ms: durationMs } = this.item;
    const { signal } = this.#stopCopying;
    const hasRoom = this.#endedBy !== "disk_full" && 2 * bytes <= this.maxBytes;
    if (format === "webp" || !playable || signal.aborted || !hasRoom) return;
    const from = this.parts.store.path({ id, format });
    const to = `${from}.new`;
    try {
      await createPrivate(to);
      await addChapters({ format, from, to, chapters, durationMs, timeoutMs: COPY_MS, signal });
      const { size } = await Deno.stat(to);
      await Deno.rename(to, from);
      this.#finalBytes = size;
    } catch (error) {
      this.#detail ??= `The file has no chapters: ${(error as Error).message}`;
      await Deno.remove(to).catch(() => {}); // it may not be there
    }
  }
}

/** ffmpeg keeps the mode of a file that it replaces; its own files everybody may read. */
async function createPrivate(path: string): Promise<void> {
  const file = await Deno.open(path, { write: true, createNew: true, mode: PRIVATE });
  file.close();
}

// One recording while it runs: asks its thread for a picture whenever the display or the cursor has
// changed, and ends it for whatever reason comes first.

/** A display that has just got another size is looked at again after this time. */
const RESIZING_MS = 50;
/** Until what was typed is drawn: nothing has changed for the first, at most for the second. */
const DRAWN_MS = 150;
const LONGEST_DRAWING_MS = 1_000;
/** Time for the only picture of a recording that is stopped at once. */
const FIRST_MS = 5_000;
/** Time for the end of the file; then the thread is ended. */
const CLOSE_TIMEOUT_MS = 30_000;

interface RecordingOptions {
  readonly display: Display;
  readonly changes: Changes;
  readonly thread: RecorderThread;
  readonly format: RecordingFormat;
  /** Of the display at the start. */
  readonly size: Size;
  readonly maxFps: number;
  readonly cursor: "shown" | "hidden";
  readonly maxMs: number;
  /** Shared with the thread. */
  readonly pausedCapture: PausedCapture;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly masks: readonly Region[];
}

interface RecordingEnd {
  readonly by: Ending;
  readonly detail: string | null;
}

export class ScreenRecording {
  readonly chapters = new Chapters();
  #progress: Progress = { frames: 0, bytes: 0, atMs: 0 };
  #resizes = 0;
  #size: Size;
  readonly #masks: Region[];
  #end: RecordingEnd | undefined;
  #taking: Promise<Progress> | undefined;
  readonly #begun = Promise.withResolvers<void>();
  /** Resolves once there is a picture. */
  readonly begun = this.#begun.promise;
  readonly #stop = new AbortController();
  /** Resolves when the file is closed; never rejects. */
  readonly closed: Promise<RecordingEnd>;

  /** The thread must have opened the recording. */
  constructor(readonly options: RecordingOptions) {
    this.#size = options.size;
    this.#masks = [...options.masks];
    this.closed = this.#run();
  }

  get progress(): Progress & { readonly resizes: number; readonly masks: number } {
    return { ...this.#progress, resizes: this.#resizes, masks: this.#masks.length };
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return performance.now() - this.options.startedAt;
  }

  /** Ends the recording; only the first reason counts. */
  stop(by: Ending, detail: string | null = null): void {
    this.#end ??= { by, detail };
    this.#stop.abort(new ServiceError("conflict", "The recording is ending"));
  }

  addChapter(operation: NamedOperation): void {
    if (this.#end !== undefined) return;
    const chapter = this.chapters.add(operation, this.elapsedMs);
    if (chapter === undefined || this.options.format !== "webp") return;
    const { at_ms: atMs, title } = chapter;
    this.options.thread.ask({ ask: "chapter", atMs, title }).catch(() => {}); // it is ending
  }

  /**
   * Keeps no picture until the returned function is called and what was typed is drawn; then covers
   * the field, and resolves with the covered area.
   */
  pauseCapture(): (field: Field) => Promise<Region | undefined> {
    const { pausedCapture } = this.options;
    pauseCapture(pausedCapture);
    return async (field) => {
      let area = areaOf(field);
      try {
        area = await this.#findText(field);
      } catch {
        // it is ending, or the display cannot be read: what is covered anyway must do
      } finally {
        if (area !== undefined) this.#masks.push(area);
        resumeCapture(pausedCapture);
      }
      return area;
    };
  }

  async #findText(field: Field): Promise<Region | undefined> {
    const { thread, changes } = this.options;
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LONGEST_DRAWING_MS)]);
    try {
      while (true) {
        const { count } = await unlessAborted(changes.look(), signal);
        const change = changes.next(count, signal);
        change.catch(() => {});
        if (!await within(change, DRAWN_MS, signal)) break;
      }
    } catch (error) {
      if (this.#stop.signal.aborted) throw error;
    }
    const { size } = await changes.look();
    const row = rowOf(field, size);
    return maskText(field, await thread.ask({ ask: "changes in row", size, row }));
  }

  async #run(): Promise<RecordingEnd> {
    const { thread, maxMs } = this.options;
    const timer = setTimeout(() => this.stop("time_limit"), maxMs - this.elapsedMs);
    thread.ask({ ask: "ended" })
      .then((end) => end && this.stop(end.by, end.detail), (error) => this.#fail(error));
    try {
      await this.#record(this.#stop.signal);
    } catch (error) {
      this.#fail(error);
    }
    clearTimeout(timer);
    await this.#close();
    return this.#end!;
  }

  async #record(signal: AbortSignal): Promise<void> {
    const { changes, cursor, maxFps } = this.options;
    const intervalMs = 1_000 / maxFps;
    while (true) {
      const began = performance.now();
      const { count, size } = await unlessAborted(changes.look(), signal);
      const shown = cursor === "shown" ? await unlessAborted(changes.cursor(), signal) : undefined;
      const wasTaken = await this.#takeFrame(size);
      signal.throwIfAborted();
      if (wasTaken) {
        await nextChange(changes, { count, cursor: shown?.key, intervalMs, signal });
      } else await pause(RESIZING_MS, signal);
      await pause(began + intervalMs - performance.now(), signal);
    }
  }

  /** Whether it was possible: not while the display gets another size, nor while it is withheld. */
  async #takeFrame(size: Size): Promise<boolean> {
    const { pausedCapture } = this.options;
    if (isCapturePaused(pausedCapture)) return false;
    if (size.width !== this.#size.width || size.height !== this.#size.height) {
      this.#size = size;
      this.#resizes++;
    }
    try {
      const pauseCount = countCapturePauses(pausedCapture);
      this.#taking = this.#askForFrame(size, pauseCount);
      this.#progress = await unlessAborted(this.#taking, this.#stop.signal);
      if (this.#progress.frames > 0) this.#begun.resolve();
      return countCapturePauses(pausedCapture) === pauseCount;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "conflict") return false;
      throw error;
    }
  }

  #askForFrame(size: Size, pauseCount: number): Promise<Progress> {
    const { thread, display } = this.options;
    const screen = display.screen as ScreenAddress; // checked at the start
    return thread.ask({ ask: "frame", screen, size, masks: this.#masks, pauseCount });
  }

  /** One that is stopped at once shows what there was, too. */
  async #takeFirst(): Promise<void> {
    const { changes, pausedCapture } = this.options;
    await this.#taking?.then((progress) => this.#progress = progress, () => {});
    if (this.#progress.frames > 0 || isCapturePaused(pausedCapture)) return;
    const pauseCount = countCapturePauses(pausedCapture);
    this.#progress = await this.#askForFrame((await changes.look()).size, pauseCount);
  }

  async #close(): Promise<void> {
    const { thread } = this.options;
    if (this.#progress.frames === 0 && this.#end?.by === "stop") {
      await within(this.#takeFirst().catch(() => {}), FIRST_MS); // it may be impossible to read
    }
    try {
      const late = () => new ServiceError("timed_out", "The recording does not end");
      const closing = thread.ask({ ask: "close", endMs: this.elapsedMs });
      this.#progress = await inTime(closing, CLOSE_TIMEOUT_MS, late);
    } catch (error) {
      this.#fail(error);
    } finally {
      thread[Symbol.dispose]();
    }
  }

  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const isGone = error instanceof ServiceError && error.code === "unavailable";
    this.stop(isGone ? "display_gone" : "error", (error as Error).message);
  }
}

// The chapters of a recording: which operations ran, and nothing of what they were given.

/** The same operation again within this time continues its chapter. */
const SAME_MS = 1_000;

class Chapters {
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

// Waits for the next change that a recording shows.

/** Where reading the cursor takes long, at most this part of the time is spent on it. */
const CURSOR_SHARE = 4;

interface RecordedState {
  /** Of the last look. */
  readonly count: number;
  /** The key of the cursor, where that is shown: no system reports that it moves. */
  readonly cursor: string | undefined;
  /** The shortest time between two pictures. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

/** @throws the signal's reason; ServiceError `unavailable`: the display has gone */
async function nextChange(changes: Changes, shown: RecordedState): Promise<void> {
  const { count, cursor, intervalMs } = shown;
  if (cursor === undefined) return await changes.next(count, shown.signal);
  const over = new AbortController();
  const signal = AbortSignal.any([shown.signal, over.signal]);
  const waits = [changes.next(count, signal), nextCursor(changes, { cursor, intervalMs, signal })];
  for (const wait of waits) wait.catch(() => {}); // the other one has come first
  try {
    await Promise.race(waits);
  } finally {
    over.abort();
  }
}

async function nextCursor(
  changes: Changes,
  { cursor, intervalMs, signal }: {
    readonly cursor: string;
    readonly intervalMs: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  let tookMs = 0;
  while (true) {
    await pause(Math.max(intervalMs, tookMs * CURSOR_SHARE), signal);
    const began = performance.now();
    if ((await changes.cursor()).key !== cursor) return;
    tookMs = performance.now() - began;
  }
}
