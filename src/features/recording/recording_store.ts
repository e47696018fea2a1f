/**
 * The folder of the recordings: each has its file, a record about it, and while it runs a lock that
 * ends with the process.
 */

import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeAll } from "../../core/bytes.ts";
import { ServiceError } from "../../core/errors.ts";
import {
  isLocked,
  isThere,
  lstatIfThere,
  namesIn,
  openRegular,
  readStart,
  removeIfThere,
  replaceAtomically,
} from "../../core/files.ts";
import { Semaphore } from "../../core/locks.ts";
import { log } from "../../core/log.ts";
import { tryParseJson } from "../../core/texts.ts";
import { openPrivateFolder } from "../../platform/private_folder.ts";

export const FORMATS = ["webm", "mp4"] as const;

const STATES = ["recording", "finishing", "finished", "failed"] as const;

const ENDINGS = [
  "stop",
  "time_limit",
  "size_limit",
  "disk_full",
  "display_gone",
  "encoder_failed",
  "service_ended",
  "error",
] as const;
export type Ending = typeof ENDINGS[number];

/** Chapters of one recording. */
export const MAX_CHAPTERS = 1_000;
const MAX_ID_LENGTH = 64;

export const RecordingId = z.string().min(1).max(MAX_ID_LENGTH);

const Chapter = z.object({
  at_ms: z.int().min(0).describe(
    "When it began, in milliseconds after the start of the recording.",
  ),
  title: z.string().describe("The operation: `mouse.left-click`."),
});

/** What is known of a recording: the answer of the operations, and the record beside its file. */
export const RecordingItem = z.object({
  id: RecordingId.describe("The id of the recording."),
  display_num: z.int().min(0).describe("The number of the recorded display."),
  state: z.enum(STATES).describe(
    "`recording`; `finishing`: its file is being completed; `finished`; `failed`: no picture was recorded.",
  ),
  ended_by: z.enum(ENDINGS).nullable().describe(
    "The reason for its end. `stop`: as requested; `time_limit` and `size_limit`: of the recording; `disk_full`; `display_gone`: the display ended; `encoder_failed`: ffmpeg ended; `service_ended`: the service stopped or was killed; `error`: another reason, which `detail` gives. `null` while it is recording.",
  ),
  detail: z.string().nullable().describe(
    "Details about the end, or what is missing; otherwise `null`.",
  ),
  format: z.enum(FORMATS).describe("`webm` (VP8) or `mp4` (H.264)."),
  media_type: z.string().describe("The media type of the file."),
  playable: z.boolean().describe("`true` if the file has at least one picture."),
  started_at: z.string().describe("The time of its start, in UTC: `2026-01-31T12:00:00.000Z`."),
  duration_ms: z.int().min(0).describe("The length so far, in milliseconds."),
  frames: z.int().min(0).describe("The number of different pictures so far."),
  bytes: z.int().min(0).describe("The size of the file so far, in bytes."),
  width: z.int().min(1).describe("The width of the display at the start, in pixels."),
  height: z.int().min(1).describe("The height of the display at the start, in pixels."),
  resizes: z.int().min(0).describe(
    "The number of times that the display was resized; its pictures are then scaled to fit.",
  ),
  max_fps: z.number().describe("The maximum number of pictures per second."),
  blacked_out: z.int().min(0).describe(
    "The number of areas that are black because stored secrets were filled in there.",
  ),
  chapter_count: z.int().min(0).describe("The number of chapters."),
  chapters: z.array(Chapter).optional().describe(
    `The operations that changed something during the recording, at most ${MAX_CHAPTERS}; present if a single recording was requested.`,
  ),
});

export type RecordingItem = z.output<typeof RecordingItem>;

const FOLDER = "recordings";
export const PRIVATE = 0o600;
const ID = /^[\w-]{1,64}$/;
const MAX_RECORD_BYTES = 1_000_000;
/** More than a record with all its chapters. */
const RESERVED_BYTES = 131_072;
/** More than what a video has before its first picture. */
const MAX_HEADER_BYTES = 65_536;
/** How the first pictures begin: `Cluster` (RFC 9559), and a movie fragment (ISO 14496-12). */
const FIRST_PICTURE = { webm: "\x1fC\xb6u", mp4: "moof" } as const;

export class RecordingStore {
  readonly #folder: string;
  /** Records are written one after the other: the last one counts. */
  readonly #writes = new Semaphore({ capacity: 1 });
  /** Those that the log has. */
  readonly #damaged = new Set<string>();

  constructor(stateDir: string) {
    this.#folder = join(stateDir, FOLDER);
  }

  /** @throws ServiceError `unavailable` when the folder cannot be used */
  async open(): Promise<void> {
    await openPrivateFolder(this.#folder, "folder of recordings");
  }

  /** The path of the video. */
  path({ id, format }: Pick<RecordingItem, "id" | "format">): string {
    return this.#pathOf(id, format);
  }

  /**
   * Marks a recording as running until the returned file is closed, which holds the room of its last
   * record until then: a full disk ends a recording, and that must be written, too.
   * @throws ServiceError `unavailable`, as on a full disk
   */
  async lock(id: string): Promise<Deno.FsFile> {
    const path = this.#pathOf(id, "lock");
    let lock: Deno.FsFile | undefined;
    try {
      lock = await Deno.open(path, { write: true, createNew: true, mode: PRIVATE });
      await lock.tryLock(true); // no other process knows the id
      await writeAll(lock, new Uint8Array(RESERVED_BYTES));
      return lock;
    } catch (cause) {
      if (lock !== undefined) await this.unlock(id, lock).catch(() => {}); // it was not locked
      const message = `Cannot begin the recording: ${(cause as Error).message}`;
      throw new ServiceError("unavailable", message, { cause });
    }
  }

  /** Gives the room that a lock holds back to the disk: call it before the last record. */
  async freeReserve(lock: Deno.FsFile): Promise<void> {
    await lock.truncate();
  }

  async unlock(id: string, lock: Deno.FsFile): Promise<void> {
    lock.close();
    await removeIfThere(this.#pathOf(id, "lock"));
  }

  /**
   * Writes the record; one that was there stays as it is until the new one is on the disk.
   * @throws ServiceError `unavailable` when it cannot be written, as on a full disk
   */
  write(recording: RecordingItem): Promise<void> {
    return this.#writes.run(() => this.#write(recording));
  }

  /** All recordings, the newest first. @throws ServiceError `unavailable` when the disk fails */
  list(): Promise<RecordingItem[]> {
    return onDisk("The recordings cannot be listed", () => this.#list());
  }

  async #list(): Promise<RecordingItem[]> {
    const records = (await namesIn(this.#folder)).filter((name) => name.endsWith(".json"));
    const ids = records.map((name) => name.slice(0, -".json".length));
    const found: RecordingItem[] = [];
    // one after the other: there may be a thousand
    for (const id of ids.sort().reverse()) {
      const recording = await this.#find(id);
      if (recording !== undefined) found.push(recording);
      else await this.#reportDamaged(id);
    }
    return found;
  }

  /** Says once that a recording is not listed, whose file nobody else would find. */
  async #reportDamaged(id: string): Promise<void> {
    const record = this.#pathOf(id, "json");
    if (this.#damaged.has(id) || !await isThere(record)) return; // it was removed just now
    this.#damaged.add(id);
    log.warn("the record of a recording is damaged: remove it and its video", { record });
  }

  /**
   * `undefined` for an unknown id, and for a record that is damaged.
   * @throws ServiceError `unavailable` when the disk fails
   */
  find(id: string): Promise<RecordingItem | undefined> {
    return onDisk("The record of a recording cannot be read", () => this.#find(id));
  }

  async #find(id: string): Promise<RecordingItem | undefined> {
    if (!ID.test(id)) return undefined;
    const recording = await this.#read(id);
    if (recording === undefined || isOver(recording)) return recording;
    if (await isLocked(this.#pathOf(id, "lock"))) return recording;
    // it can have been finished since it was read: its last record is written before it is unlocked
    const last = await this.#read(id);
    return last === undefined || isOver(last) ? last : await this.#cutOff(last);
  }

  /**
   * Removes the video, and leaves the record: what fails here has removed nothing.
   * @throws ServiceError `unavailable`, as {@link remove}
   */
  removeVideo(recording: Pick<RecordingItem, "id" | "format">): Promise<void> {
    return onDisk("The file of a recording cannot be removed", async () => {
      await removeIfThere(this.path(recording));
    });
  }

  /** @throws ServiceError `unavailable` when the disk fails, or is read-only */
  remove({ id, format }: Pick<RecordingItem, "id" | "format">): Promise<void> {
    return onDisk("The files of a recording cannot be removed", async () => {
      for (const ending of [format, `${format}.new`, "json", "json.new", "lock"]) {
        await removeIfThere(this.#pathOf(id, ending));
      }
    });
  }

  async #write(recording: RecordingItem): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(recording));
    try {
      await replaceAtomically(this.#pathOf(recording.id, "json"), bytes, PRIVATE);
    } catch (cause) {
      const message = `The record of a recording cannot be written: ${(cause as Error).message}`;
      throw new ServiceError("unavailable", message, { cause });
    }
  }

  /** `undefined` where there is none, and where it is damaged. */
  async #read(id: string): Promise<RecordingItem | undefined> {
    const bytes = await readSome(this.#pathOf(id, "json"), MAX_RECORD_BYTES);
    const parsed = RecordingItem.safeParse(tryParseJson(new TextDecoder().decode(bytes)));
    return parsed.success && parsed.data.id === id ? parsed.data : undefined;
  }

  /** Its service was killed: what it had written by then is what there is. */
  async #cutOff(recording: RecordingItem): Promise<RecordingItem> {
    const { id, format } = recording;
    const path = this.path(recording);
    // the record can be older than the first picture, which ffmpeg writes late
    const start = await readSome(path, MAX_HEADER_BYTES);
    const letters = new TextDecoder("latin1").decode(start); // one for each byte
    const playable = letters.includes(FIRST_PICTURE[format]);
    const cut: RecordingItem = {
      ...recording,
      bytes: (await lstatIfThere(path))?.size ?? 0,
      playable,
      state: playable ? "finished" : "failed",
      ended_by: "service_ended",
      detail: "The service ended before the recording was finished",
    };
    for (const ending of [`${format}.new`, "lock"]) await removeIfThere(this.#pathOf(id, ending));
    await this.write(cut).catch(() => {}); // the disk may be full; it is found out again
    return cut;
  }

  #pathOf(id: string, ending: string): string {
    return join(this.#folder, `${id}.${ending}`);
  }
}

export function isOver({ state }: Pick<RecordingItem, "state">): boolean {
  return state === "finished" || state === "failed";
}

async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ServiceError || !("code" in (cause as Error))) throw cause; // none of the system's
    throw new ServiceError("unavailable", `${what}: ${(cause as Error).message}`, { cause });
  }
}

/** `undefined` where there is nothing that can be read: no plain file, or one of another user. */
async function readSome(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  let file: FileHandle;
  try {
    file = await openRegular(path);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (["EMFILE", "ENFILE", "EIO"].includes(code ?? "")) throw error; // it may be there
    return undefined;
  }
  return await readStart(file, maxBytes).finally(() => file.close());
}
