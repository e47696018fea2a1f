/**
 * All recordings: starts and ends them, and keeps their files within the limits. The order of a start
 * is what makes it safe: everything that can fail is tried first, the recording is known to whoever
 * fills in secrets before it takes a picture, and older recordings are removed at the very end.
 */

import type { Limits } from "../../config/limits.ts";
import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { findVideoEncoders, type VideoEncoders } from "../../platform/ffmpeg.ts";
import type { Display, Region, ScreenAddress } from "../../platform/types/mod.ts";
import type { NamedOperation } from "../call/call_names.ts";
import { areaOf, createPausedCapture, type Field, RecentMasks, screenKey } from "./masks.ts";
import { RecorderThread, type RecordingFormat } from "./recorder_messages.ts";
import {
  RecordingStore,
  type RecordingWithChapters,
  type StoredRecording,
} from "./recording_store.ts";
import {
  type AboutRecording,
  type RecordingParts,
  RunningRecording,
  ScreenRecording,
} from "./running_recording.ts";

/** Recordings that are kept; the oldest are removed for new ones. */
const MAX_KEPT = 1_000;
/** Nothing useful fits into less. */
const MIN_BYTES = 256 * 1_024;
/** Time that the files of all recordings get to be finished when the service ends. */
const FINISH_TIMEOUT_MS = 2_500;

/** How often the record of a running recording is written. */
const SAVE_INTERVAL_MS = 5_000;

/** What decides whether an operation becomes a chapter. */
interface NotedOperation extends NamedOperation {
  readonly readOnly: boolean;
  readonly runsOthers?: boolean;
}

export interface RecordingRequest {
  readonly display: Display;
  readonly format: RecordingFormat | "auto";
  readonly maxFps: number;
  readonly maxMs: number;
  readonly maxBytes: number;
  readonly cursor: "shown" | "hidden";
}

/** A field that is being filled in now. */
interface Hiding {
  readonly screen: string;
  /** Of every recording that withholds its pictures meanwhile. */
  readonly showAgain: ReturnType<ScreenRecording["pauseCapture"]>[];
}

export class Recordings implements AsyncDisposable {
  readonly #running = new Map<string, RunningRecording>();
  /** Ended, but their records could not be written. */
  readonly #unsaved = new Map<string, StoredRecording>();
  readonly #recent = new RecentMasks();
  readonly #hiding = new Set<Hiding>();
  readonly #store: RecordingStore;
  readonly #starts = new Semaphore({ capacity: 1 });
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
    request: RecordingRequest,
    signal: AbortSignal,
  ): Promise<RecordingWithChapters> {
    this.#checkCapacity();
    this.#starting++;
    try {
      return await this.#starts.run(() => this.#begin(request, signal), signal);
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
      .map(({ recording }) => recording.pauseCapture());
    const hiding = { screen, showAgain };
    this.#hiding.add(hiding);
    return {
      [Symbol.dispose]: () => {
        this.#hiding.delete(hiding);
        for (const show of showAgain.splice(0)) show(field).then(remember);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    const all = [...this.#running.values()];
    for (const running of all) running.stop("service_ended");
    await within(Promise.all(all.map(({ finished }) => finished)), FINISH_TIMEOUT_MS);
  }

  #checkCapacity(): void {
    const { maxRecordings } = this.limits;
    const started = [...this.#running.values()].filter(({ isStarting }) => !isStarting).length;
    if (started + this.#starting < maxRecordings) return;
    const text =
      `${maxRecordings} recordings are already running, the maximum of --max-recordings: ` +
      "stop one first";
    throw new ServiceError("unavailable", text);
  }

  async #begin(request: RecordingRequest, signal: AbortSignal): Promise<RecordingWithChapters> {
    const { display } = request;
    const screen = screenToRecord(display);
    await this.#store.open();
    const maxBytes = this.#findRoom(request.maxBytes);
    const changes = await display.watch();
    const { size } = await changes.look();
    const { format, detail, keepTimes } = await chooseFormat(request.format);
    const id = createId();
    const lock = await this.#store.lock(id);
    const thread = new RecorderThread();
    const pausedCapture = createPausedCapture();
    const { cursor, maxFps, maxMs } = request;
    let running: RunningRecording | undefined;
    try {
      await thread.ask({
        ask: "open",
        screen,
        size,
        format,
        keepTimes,
        pausedCapture,
        cursor,
        maxBytes,
        path: this.#store.path({ id, format }),
      });
      const startedAt = performance.now();
      await thread.ask({ ask: "begin" });
      if (this.#hasEnded) throw new ServiceError("unavailable", "The service is stopping");
      running = this.#register(
        { id, format, size, detail, maxFps, displayNum: display.displayNum },
        {
          screen: screenKey(display),
          lock,
          maxBytes,
          recording: new ScreenRecording({
            display,
            changes,
            thread,
            format,
            size,
            pausedCapture,
            maxFps,
            maxMs,
            cursor,
            startedAt,
            masks: this.#recent.on(screenKey(display)),
          }),
        },
      );
      await running.save();
      signal.throwIfAborted(); // nobody knows its id
      await this.#makeRoom();
      running.isStarting = false;
      return running.item;
    } catch (error) {
      if (running === undefined) {
        thread[Symbol.dispose]();
        await this.#store.unlock(id, lock);
        await Deno.remove(this.#store.path({ id, format })).catch(() => {}); // it may not be there
      } else {
        await running.discard();
        this.#unsaved.delete(id);
      }
      throw error;
    }
  }

  /** Nothing may be awaited between this and the beginning of the recording, which takes pictures. */
  #register(
    about: Omit<AboutRecording, "startedAt">,
    parts: Omit<RecordingParts, "store" | "saveMs">,
  ): RunningRecording {
    const { saveMs = SAVE_INTERVAL_MS } = this.options;
    const startedAt = new Date().toISOString();
    const running = new RunningRecording({ ...about, startedAt }, {
      ...parts,
      store: this.#store,
      saveMs,
    });
    this.#running.set(about.id, running);
    for (const { screen, showAgain } of this.#hiding) {
      if (screen === parts.screen) showAgain.push(parts.recording.pauseCapture());
    }
    running.finished.finally(() => this.#forget(running));
    return running;
  }

  /** What could not be written is remembered while the service runs. */
  #forget(running: RunningRecording): void {
    const { item, isSaved } = running;
    this.#running.delete(item.id);
    if (!isSaved) this.#unsaved.set(item.id, item);
  }

  /** How many of the `wanted` bytes fit beside those of the running recordings. */
  #findRoom(wanted: number): number {
    const free = this.limits.maxRecordingsBytes - this.#reserved;
    if (free >= MIN_BYTES) return Math.min(wanted, free);
    const text = "The running recordings take all the space that --max-recordings-size allows: " +
      "stop one first, or start them with a smaller max_bytes";
    throw new ServiceError("unavailable", text);
  }

  /** Removes the oldest recordings until the running ones fit beside the others. */
  async #makeRoom(): Promise<void> {
    const free = this.limits.maxRecordingsBytes - this.#reserved;
    const kept = (await this.#store.list()).filter(({ state }) =>
      state === "finished" || state === "failed"
    );
    let used = kept.reduce((sum, each) => sum + each.bytes, 0);
    for (let oldest = kept.at(-1); oldest !== undefined; oldest = kept.at(-1)) {
      if (used <= free && kept.length < MAX_KEPT) break;
      await this.#store.remove(oldest);
      used -= oldest.bytes;
      kept.pop();
    }
  }

  get #reserved(): number {
    return [...this.#running.values()].reduce((sum, { maxBytes }) => sum + maxBytes, 0);
  }

  #current(stored: StoredRecording): RecordingWithChapters {
    const { chapters: _, ...item } = this.#running.get(stored.id)?.item ??
      this.#unsaved.get(stored.id) ?? stored;
    return item;
  }
}

/** @throws ServiceError `unsupported` */
function screenToRecord({ screen }: Display): ScreenAddress {
  if (!("capture" in screen)) return screen;
  const text = "This display cannot be recorded: its pictures are taken by the thread that " +
    "answers requests";
  throw new ServiceError("unsupported", text);
}

interface Chosen {
  readonly format: RecordingFormat;
  readonly keepTimes: readonly string[];
  /** Why the format is not a video, where it could have been one. */
  readonly detail: string | null;
}

/** @throws ServiceError `unsupported` for a video that cannot be made here */
async function chooseFormat(wanted: RecordingRequest["format"]): Promise<Chosen> {
  if (wanted === "webp") return { format: "webp", keepTimes: [], detail: null };
  const encoders = await findVideoEncoders();
  const { formats, keepTimes } = encoders;
  const candidates = wanted === "auto" ? ["webm", "mp4"] as const : [wanted];
  const format = candidates.find((each) => formats.has(each));
  if (format !== undefined) return { format, keepTimes, detail: null };
  const reason = `No video: ${encoders.missing}`;
  if (wanted === "auto") return { format: "webp", keepTimes, detail: reason };
  throw cannotEncode(wanted, encoders);
}

function cannotEncode(format: string, { missing }: VideoEncoders): ServiceError {
  const text = `Cannot record "${format}": ${missing}; install it, or use "webp" or "auto"`;
  return new ServiceError("unsupported", text);
}

/** Sorts by time: `20260131-120000123-1a2b3c4d`. */
function createId(): string {
  const time = new Date().toISOString().replaceAll(/[-:.Z]/g, "").replace("T", "-");
  return `${time}-${crypto.randomUUID().slice(0, 8)}`;
}
