/**
 * One recording, from its start to the finished file. Its thread takes a picture whenever the
 * display or the cursor has changed, until the first reason to end.
 */

import { inTime, pause, unlessAborted, within } from "../../core/deadline.ts";
import { hasCode, ServiceError } from "../../core/errors.ts";
import { log } from "../../core/log.ts";
import { SharedRun } from "../../core/shared_run.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import {
  addChapters,
  type Chapter,
  findVideoEncoder,
  type VideoFormat,
} from "../../platform/ffmpeg.ts";
import type { Changes, Display, Region, ScreenAddress, Size } from "../../platform/types/mod.ts";
import { callName, type NamedOperation } from "../call_names.ts";
import type { Curtain } from "../curtain.ts";
import { type Field, LARGEST, rowOf, type ScreenMasks, waitUntilDrawn } from "./masks.ts";
import {
  type Ending,
  FORMATS,
  isOver,
  MAX_CHAPTERS,
  PRIVATE,
  type RecordingItem,
  type RecordingStore,
} from "./recording_store.ts";
import type { Progress, RecordingAnswers, RecordingJob } from "./recording_worker.ts";

/** A display that cannot be read now, because it gets another size, is read again after this time. */
const RETRY_MS = 50;
/** Why a picture cannot be taken now. */
const OBSTACLES = {
  secret: "a stored secret was being filled in",
  person: "a person had control",
  size: "the display was getting another size",
} as const;
/** Time for the only picture of a recording that is over before there was one. */
const FIRST_MS = 5_000;
/** Time for the end of the file; then the thread is ended. */
const CLOSE_TIMEOUT_MS = 30_000;
/** Time for the copy of the file that has chapters. */
const COPY_MS = 60_000;
/** The same operation again within this time continues its chapter. */
const SAME_MS = 1_000;

export interface RecordingRequest {
  readonly display: Display;
  readonly format: VideoFormat | "auto";
  readonly maxFps: number;
  readonly maxMs: number;
  readonly maxBytes: number;
  readonly cursor: "shown" | "hidden";
  /** While it is closed no picture is taken; absent for one that a person has started. */
  readonly curtain?: Curtain | undefined;
}

interface RecordingParts {
  readonly store: RecordingStore;
  /** Of its screen. */
  readonly masks: ScreenMasks;
  /** How often the record of a running recording is written. */
  readonly saveMs: number;
}

/** What is known once everything that can fail has been tried. */
interface Opened {
  readonly id: string;
  readonly lock: Deno.FsFile;
  readonly thread: RecordingThread;
  readonly changes: Changes;
  readonly format: VideoFormat;
  /** Of the display at the start. */
  readonly size: Size;
}

export class Recording {
  /** On the clock of `performance.now()`. */
  readonly began = performance.now();
  readonly #startedAt = new Date().toISOString();
  readonly #chapters: Chapter[] = [{ at_ms: 0, title: "start" }];
  #lastOperationMs = 0;
  #progress: Progress = { frames: 0, bytes: 0, atMs: 0 };
  #size: Size;
  #resizes = 0;
  #capture: Promise<void> = Promise.resolve();
  #state: RecordingItem["state"] = "recording";
  #endedBy: Ending | null = null;
  /** In the order in which they came. */
  readonly #details: string[] = [];
  readonly #saving = new SharedRun(() => this.parts.store.write(this.item));
  #isSaved = false;
  /** Whether the log says that its record could not be written. */
  #isReported = false;
  readonly #stop = new AbortController();
  readonly #stopCopying = new AbortController();
  /** Resolves when the file and its record are finished; never rejects. */
  readonly finished: Promise<void>;

  private constructor(
    private readonly request: RecordingRequest,
    private readonly parts: RecordingParts,
    private readonly opened: Opened,
  ) {
    this.#size = opened.size;
    this.finished = this.#run();
  }

  /**
   * Starts to record.
   * @throws ServiceError `unavailable`: the display or the disk cannot be used; `unsupported`: the
   * format, or recording this display. Nothing is left then.
   */
  static async start(request: RecordingRequest, parts: RecordingParts): Promise<Recording> {
    const { display, cursor, maxBytes } = request;
    const { store } = parts;
    const screen = addressOf(display, "recorded");
    const encoder = await findVideoEncoder(request.format === "auto" ? FORMATS : [request.format]);
    const { format } = encoder;
    const changes = await display.watch();
    const { size } = await changes.poll();
    const id = createId();
    const path = store.path({ id, format });
    const lock = await store.lock(id);
    const thread = new RecordingThread();
    try {
      await thread.run({ kind: "open", screen, size, encoder, path, maxBytes, cursor });
    } catch (error) {
      thread[Symbol.dispose]();
      await store.unlock(id, lock).catch(() => {}); // the lock itself has ended
      await store.remove({ id, format }).catch(() => {}); // the first error is the cause
      throw error;
    }
    return new Recording(request, parts, { id, lock, thread, changes, format, size });
  }

  get displayNum(): number {
    return this.request.display.displayNum;
  }

  get maxBytes(): number {
    return this.request.maxBytes;
  }

  get masks(): ScreenMasks {
    return this.parts.masks;
  }

  get isOver(): boolean {
    return isOver({ state: this.#state });
  }

  /** Whether its last record is on the disk. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  get item(): RecordingItem {
    const { id, format, size } = this.opened;
    const { frames, bytes, atMs } = this.#progress;
    return {
      id,
      display_num: this.displayNum,
      state: this.#state,
      ended_by: this.#endedBy,
      detail: this.#details.length === 0 ? null : this.#details.join("; "),
      format,
      media_type: `video/${format}`,
      playable: frames > 0 && bytes > 0,
      started_at: this.#startedAt,
      duration_ms: Math.round(this.#state === "recording" ? this.#elapsedMs : atMs),
      frames,
      bytes,
      ...size,
      resizes: this.#resizes,
      max_fps: this.request.maxFps,
      blacked_out: this.#masked.length,
      chapter_count: this.#chapters.length,
      chapters: this.#chapters.map((chapter) => ({ ...chapter })),
    };
  }

  /** Ends the recording; only the first reason counts. */
  stop(by: Ending, detail: string | null = null): void {
    if (by === "service_ended") this.#stopCopying.abort();
    if (this.#stop.signal.aborted) return;
    this.#endedBy = by;
    this.#addDetail(detail);
    this.#stop.abort(new ServiceError("conflict", "The recording is ending"));
  }

  /** On a slow disk one that waits stands for all. */
  async save(): Promise<void> {
    await this.#saving.run();
  }

  /** Ends it and removes all of it. */
  async discard(): Promise<void> {
    this.stop("service_ended");
    await this.finished;
    await this.parts.store.remove(this.item);
  }

  /** A chapter has the name of its operation, and nothing of what that was given. */
  addChapter(operation: NamedOperation): void {
    if (this.#stop.signal.aborted) return;
    const title = callName(operation);
    const atMs = this.#elapsedMs;
    const continues = this.#chapters.at(-1)!.title === title &&
      atMs - this.#lastOperationMs < SAME_MS;
    this.#lastOperationMs = atMs;
    if (continues || this.#chapters.length >= MAX_CHAPTERS) return;
    this.#chapters.push({ at_ms: Math.round(atMs), title });
  }

  /**
   * Waits until what was typed into a field is drawn, and resolves with its area, or with all of its
   * row where that is unknown. No picture may be taken meanwhile.
   */
  async findText(field: Field): Promise<Region | undefined> {
    const { thread, changes } = this.opened;
    try {
      await waitUntilDrawn(changes, this.#stop.signal);
      const { size } = await changes.poll();
      return await thread.run({ kind: "changes", size, row: rowOf(field, size) });
    } catch { // it is ending, or the display cannot be read now
      const hasEnded = this.#stop.signal.aborted && this.#progress.frames > 0;
      return hasEnded ? undefined : rowOf(field, LARGEST); // a later picture must not show it
    }
  }

  /** Milliseconds since the start. */
  get #elapsedMs(): number {
    return performance.now() - this.began;
  }

  get #masked(): Region[] {
    return this.masks.areas(this.began);
  }

  async #run(): Promise<void> {
    const { thread, id, lock } = this.opened;
    const { store, saveMs } = this.parts;
    const timer = setTimeout(() => this.stop("time_limit"), this.request.maxMs);
    const saving = setInterval(() => this.#trySave(), saveMs);
    thread.run({ kind: "ended" })
      .then((end) => end && this.stop(end.by, end.detail), (error) => this.#fail(error));
    await this.#record(this.#stop.signal).catch((error) => this.#fail(error));
    clearTimeout(timer);
    this.#state = "finishing";
    await this.#close();
    clearInterval(saving);
    await this.#addChapters();
    this.#state = this.item.playable ? "finished" : "failed";
    await store.freeReserve(lock).catch(() => {}); // there may be room without it
    const failure = await this.#trySave();
    this.#isSaved = failure === null;
    this.#addDetail(failure);
    await store.unlock(id, lock).catch(() => {}); // the lock itself has ended
  }

  /** Resolves with why it could not be saved, if so, which the log says once. */
  async #trySave(): Promise<string | null> {
    try {
      await this.save();
      return null;
    } catch (error) {
      const { message } = error as Error;
      const { id } = this.opened;
      if (!this.#isReported) log.warn("recording not saved", { id, error: message });
      this.#isReported = true;
      return message;
    }
  }

  /** What ended it can be what its file lacks, too. */
  #addDetail(detail: string | null): void {
    if (detail !== null && !this.#details.includes(detail)) this.#details.push(detail);
  }

  async #record(signal: AbortSignal): Promise<void> {
    const { changes } = this.opened;
    const { cursor, maxFps, curtain } = this.request;
    const intervalMs = 1_000 / maxFps;
    while (true) {
      await curtain?.opened(signal);
      const began = performance.now();
      const { count, size } = await unlessAborted(changes.poll(), signal);
      const seen = cursor === "shown" ? await unlessAborted(changes.cursor(), signal) : undefined;
      const obstacle = await this.#takeFrame(size, signal);
      signal.throwIfAborted();
      if (obstacle === undefined) {
        await nextChange(changes, { count, cursor: seen?.key, intervalMs, signal });
      } else await pause(RETRY_MS, signal);
      await pause(began + intervalMs - performance.now(), signal);
    }
  }

  /**
   * Adds a picture, or resolves with why that is not possible: the display gets another size, a person has control, or a
   * secret is filled in. It is added only if neither has begun since it was requested.
   */
  async #takeFrame(size: Size, signal?: AbortSignal): Promise<string | undefined> {
    const { thread } = this.opened;
    const { masks } = this.parts;
    const { curtain } = this.request;
    const { latest } = masks;
    const closings = curtain?.closings;
    if (masks.isOpen) return OBSTACLES.secret;
    if (curtain?.isClosed) return OBSTACLES.person;
    if (size.width !== this.#size.width || size.height !== this.#size.height) {
      this.#size = size;
      this.#resizes++;
    }
    const atMs = this.#elapsedMs;
    try {
      this.#capture = thread.run({
        kind: "capture",
        screen: addressOf(this.request.display, "recorded"),
        size,
      });
      await unlessAborted(this.#capture, signal);
    } catch (error) {
      if (hasCode(error, "conflict")) return OBSTACLES.size;
      throw error;
    }
    if (masks.latest !== latest) return OBSTACLES.secret;
    if (curtain?.closings !== closings) return OBSTACLES.person;
    const isFirst = this.#progress.frames === 0;
    this.#progress = await thread.run({ kind: "add", atMs, masks: this.#masked });
    if (isFirst) this.#trySave(); // from now on it can be played, even if the service is killed
    return undefined;
  }

  async #close(): Promise<void> {
    const { thread } = this.opened;
    const isInOrder = this.#endedBy === "stop" || this.#endedBy === "time_limit";
    if (this.#progress.frames === 0 && isInOrder) {
      let obstacle: string | undefined = "the display did not respond";
      const taking = this.#takeFirst().then(
        (reason) => obstacle = reason,
        (error) => obstacle = (error as Error).message,
      );
      await within(taking, FIRST_MS);
      this.#addDetail(obstacle === undefined ? null : `There is no picture: ${obstacle}`);
    }
    try {
      const late = () => new ServiceError("timed_out", "The recording does not end");
      const closing = thread.run({ kind: "close", atMs: this.#elapsedMs });
      const { progress, detail } = await inTime(closing, CLOSE_TIMEOUT_MS, late);
      this.#progress = progress;
      if (progress.frames > 0) this.#addDetail(detail); // else ffmpeg had nothing to encode
    } catch (error) {
      this.#addDetail((error as Error).message);
    } finally {
      thread[Symbol.dispose]();
    }
  }

  /** One that is stopped at once, or has little time on a busy computer, shows what there was, too. */
  async #takeFirst(): Promise<string | undefined> {
    await this.#capture.catch(() => {}); // it was not added
    return await this.#takeFrame((await this.opened.changes.poll()).size);
  }

  /** Adds the chapters and an index, where the limit has room for a second copy. */
  async #addChapters(): Promise<void> {
    const { bytes: size, playable, duration_ms: durationMs } = this.item;
    const { signal } = this.#stopCopying;
    const hasRoom = this.#endedBy !== "disk_full" && 2 * size <= this.maxBytes;
    if (!playable || signal.aborted || !hasRoom) return;
    const { format } = this.opened;
    const from = this.parts.store.path(this.opened);
    const to = `${from}.new`;
    const chapters = this.#chapters;
    try {
      await createPrivate(to);
      await addChapters({ format, from, to, chapters, durationMs, timeoutMs: COPY_MS, signal });
      const bytes = await syncCopy(to);
      await Deno.rename(to, from);
      this.#progress = { ...this.#progress, bytes };
    } catch (error) {
      this.#addDetail(`The file has no chapters: ${(error as Error).message}`);
      await Deno.remove(to).catch(() => {}); // it may not be there
    }
  }

  #fail(error: unknown): void {
    const isGone = hasCode(error, "unavailable");
    this.stop(isGone ? "display_gone" : "error", (error as Error).message);
  }
}

/**
 * Where a thread that records or watches a display finds its pictures.
 * @throws ServiceError `unsupported`
 */
export function addressOf({ screen }: Display, what: "recorded" | "watched"): ScreenAddress {
  if (!("capture" in screen)) return screen;
  const why = "its pictures are taken by the thread that answers requests";
  throw new ServiceError("unsupported", `This display cannot be ${what}: ${why}`);
}

/** Sorts by time: `20260131-120000123-1a2b3c4d`. */
function createId(): string {
  const time = new Date().toISOString().replaceAll(/[-:.Z]/g, "").replace("T", "-");
  return `${time}-${crypto.randomUUID().slice(0, 8)}`;
}

/** ffmpeg keeps the mode of a file that it replaces; its own files everybody may read. */
async function createPrivate(path: string): Promise<void> {
  const file = await Deno.open(path, { write: true, createNew: true, mode: PRIVATE });
  file.close();
}

/** Without this the copy could be empty after a power failure, and the video gone. Gives its size. */
async function syncCopy(path: string): Promise<number> {
  using file = await Deno.open(path, { write: true });
  await file.sync();
  return (await file.stat()).size;
}

/** Where reading the cursor takes long, at most this part of the time is spent on it. */
const CURSOR_SHARE = 4;

interface RecordedState {
  /** When the display was last read. */
  readonly count: number;
  /** The key of the cursor, where that is recorded: no system reports that it moves. */
  readonly cursor: string | undefined;
  /** The shortest time between two pictures. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits for the next change that a recording shows.
 * @throws the signal's reason; ServiceError `unavailable`: the display has gone
 */
async function nextChange(changes: Changes, seen: RecordedState): Promise<void> {
  const { count, cursor, intervalMs } = seen;
  if (cursor === undefined) return await changes.next(count, seen.signal);
  const over = new AbortController();
  const signal = AbortSignal.any([seen.signal, over.signal]);
  const nextCursor = async () => {
    let tookMs = 0;
    while (true) {
      await pause(Math.max(intervalMs, tookMs * CURSOR_SHARE), signal);
      const began = performance.now();
      if ((await changes.cursor()).key !== cursor) return;
      tookMs = performance.now() - began;
    }
  };
  const waits = [changes.next(count, signal), nextCursor()];
  for (const wait of waits) wait.catch(() => {}); // the other one has come first
  try {
    await Promise.race(waits);
  } finally {
    over.abort();
  }
}

/** A picture, the wait for the end, and the end. */
const JOBS_AT_ONCE = 64;

class RecordingThread implements Disposable {
  readonly #pool = new WorkerPool<RecordingJob, unknown>({
    module: new URL("./recording_worker.ts", import.meta.url),
    name: "recording",
    threads: 1,
    jobsEach: JOBS_AT_ONCE,
  });

  /** @throws ServiceError of the job; `internal` when the thread crashed */
  async run<Job extends RecordingJob>(job: Job): Promise<RecordingAnswers[Job["kind"]]> {
    if (this.#pool.failure !== undefined) throw this.#pool.failure; // a new one has no recording
    return await this.#pool.run(job) as RecordingAnswers[Job["kind"]];
  }

  [Symbol.dispose](): void {
    this.#pool.end(new ServiceError("unavailable", "The recording has ended"));
  }
}
