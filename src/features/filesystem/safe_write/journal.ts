/**
 * The journal: what must be cleaned up if the service dies now. One file per run, and per edit in a
 * worker, locked while that lives.
 */

import { join } from "node:path";
import { ServiceError } from "../../../core/errors.ts";
import { log } from "../../../core/log.ts";
import { openPrivateFolder, openStateFolder } from "../../../platform/private_folder.ts";

/** An unfinished file or folder; removed after a crash. */
export interface TemporaryRecord {
  readonly kind: "temporary";
  readonly path: string;
  /** The final path, beside which it lies and from which its name derives. */
  readonly target: string;
}

/** A file that is written in place; gets its old bytes back after a crash. */
export interface InPlaceRecord {
  readonly kind: "in_place";
  readonly path: string;
  /** Files in the journal's folder that hold the bytes before and after. */
  readonly before: string;
  readonly after: string;
}

/** A file that was moved aside to be removed; gets its name back after a crash. */
export interface AsideRecord {
  readonly kind: "aside";
  readonly path: string;
  readonly aside: string;
}

/**
 * A file that was exchanged, or is about to be. Until then the file aside is the new one,
 * afterwards it is the old one, to which another program may have appended meanwhile. After a
 * crash, what was appended is copied into the new file.
 */
export interface ExchangedRecord {
  readonly kind: "exchanged";
  /** Where the file aside lies. */
  readonly path: string;
  readonly target: string;
  /** Device and inode number of the new file. */
  readonly made: string;
  /** Size and time of the old file when it was read. */
  readonly state: string;
  /** Hash of its bytes at that time; empty if they were not read. */
  readonly hash: string;
}

export type JournalRecord = TemporaryRecord | InPlaceRecord | AsideRecord | ExchangedRecord;

/** A line of the journal. */
export type JournalLine =
  | { readonly begin: number; readonly record: JournalRecord }
  | { readonly end: number };

export const JOURNAL_SUFFIX = ".journal";

/** An idle journal of at least this size is emptied, in bytes. */
const TIDY_SIZE = 64 * 1024;

/** On Linux: an open folder, and what is below it. */
const HELD = /^(\/proc\/self\/fd\/\d+)(\/.+)$/;

const encoder = new TextEncoder();

export class Journal implements AsyncDisposable {
  #open = new Set<number>();
  #count = 0;
  #size = 0;
  /** Whether the file ends with a partial line that could not be cut off. */
  #torn = false;

  private constructor(
    readonly stateDir: string,
    readonly folder: string,
    /** Prefix of all file names of this run. */
    readonly run: string,
    private readonly file: Deno.FsFile,
  ) {}

  /** @throws ServiceError `unavailable` when the state folder cannot be used. */
  static async open(stateDir: string): Promise<Journal> {
    await openStateFolder(stateDir);
    const folder = await openPrivateFolder(journalFolder(stateDir), "journal's folder");
    try {
      while (true) {
        const run = crypto.randomUUID();
        const path = join(folder, run + JOURNAL_SUFFIX);
        const file = await Deno.open(path, { createNew: true, append: true, mode: 0o600 });
        await file.lock(true);
        if ((await file.stat()).nlink !== 0) return new Journal(stateDir, folder, run, file);
        file.close(); // another service that starts has removed it just before it was locked
      }
    } catch (cause) {
      throw unusable(stateDir, cause);
    }
  }

  /** Records what is about to begin; the record is on disk when this resolves. */
  async begin(record: JournalRecord): Promise<number> {
    const id = ++this.#count;
    this.#open.add(id);
    try {
      this.#append({ begin: id, record: withLastingPaths(record) });
      await this.file.syncData();
    } catch (cause) {
      this.end(id);
      throw unusable(this.folder, cause);
    }
    return id;
  }

  /**
   * Replaces the record of what must be cleaned up.
   * @throws when the record cannot be written.
   */
  async replace(id: number, record: JournalRecord): Promise<void> {
    this.#append({ begin: id, record: withLastingPaths(record) });
    await this.file.syncData();
  }

  /**
   * Records that nothing is left to clean up. Never throws: a stale record is harmless, because the
   * cleanup finds nothing to do.
   */
  end(id: number): void {
    this.#open.delete(id);
    try {
      this.#append({ end: id });
      if (this.#open.size === 0 && this.#size > TIDY_SIZE) this.#cutTo(0);
    } catch (error) {
      log.warn("the journal of unfinished edits cannot be written", {
        folder: this.folder,
        error: String(error),
      });
    }
  }

  /** The path of a new file of this run in the journal's folder. */
  sideFile(): string {
    return join(this.folder, `${this.run}.${++this.#count}.bytes`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#open.size > 0) return; // running work still needs it; the next start cleans up
    await Deno.remove(join(this.folder, this.run + JOURNAL_SUFFIX));
    this.file.close();
  }

  /**
   * Writes in one call, so that a crash leaves a complete line or a partial last one; a failed
   * write leaves nothing.
   */
  #append(line: JournalLine): void {
    const bytes = encoder.encode((this.#torn ? "\n" : "") + JSON.stringify(line) + "\n");
    try {
      for (let written = 0; written < bytes.length;) {
        written += this.file.writeSync(bytes.subarray(written));
      }
    } catch (error) {
      this.#torn = true;
      this.#cutTo(this.#size);
      throw error;
    }
    this.#torn = false;
    this.#size += bytes.length;
  }

  #cutTo(size: number): void {
    this.file.truncateSync(size);
    this.#size = size;
    this.#torn = false;
  }
}

/** Paths through an open folder mean nothing to the next start. */
function withLastingPaths<R extends JournalRecord>(record: R): R {
  const entries = Object.entries(record).map(([key, value]) => {
    const [held, rest] = HELD.exec(value)?.slice(1) ?? [];
    return [key, held === undefined ? value : Deno.readLinkSync(held) + rest];
  });
  return Object.fromEntries(entries);
}

export function journalFolder(stateDir: string): string {
  return join(stateDir, "journal");
}

export function unusable(folder: string, cause: unknown): ServiceError {
  const reason = cause instanceof Error ? cause.message.replace(/ \(os error.*/s, "") : "unknown";
  const message = `Cannot keep the journal of unfinished edits in "${folder}": ${reason}; ` +
    "nothing was changed: free some space there, or choose another folder with --state-dir";
  return new ServiceError("unavailable", message, { cause });
}
