/** A recording of this service: what is known of it, its record on the disk, and how it is finished. */

import { addChapters } from "../../platform/ffmpeg.ts";
import type { Size } from "../../platform/types/mod.ts";
import type { RecordingFormat } from "./recorder_messages.ts";
import { type Ending, FILES, type RecordingItem } from "./recording_item.ts";
import type { RecordingStore, StoredRecording } from "./recording_store.ts";
import type { ScreenRecording } from "./screen_recording.ts";

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
    const { frames, bytes, atMs, resizes, covers } = recording.progress;
    const duration = this.#state === "recording" ? recording.elapsedMs : atMs;
    const chapters = recording.chapters.all;
    return {
      ...{ id: about.id, display_num: about.displayNum, state: this.#state },
      ...{ ended_by: this.#endedBy, detail: this.#detail, format: about.format },
      ...{ media_type: FILES[about.format].mediaType, playable: frames > 0 && bytes > 0 },
      ...{ started_at: about.startedAt, duration_ms: Math.round(duration), frames },
      ...{ bytes: this.#finalBytes ?? bytes, ...about.size, resizes, max_fps: about.maxFps },
      ...{ blacked_out: covers, chapter_count: chapters.length },
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
