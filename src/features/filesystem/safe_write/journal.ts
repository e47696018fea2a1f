/**
 * The journal: what must be cleaned up if the service dies now. One file per unfinished change,
 * locked while its service lives; its last complete line is the record.
 */

import { join } from "node:path";
import { writeAll } from "../../../core/bytes.ts";
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

/**
 * A file that is written in place; gets its old bytes back after a crash. The bytes before and
 * after are saved beside the record.
 */
export interface InPlaceRecord {
  readonly kind: "in_place";
  readonly path: string;
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

export const JOURNAL_SUFFIX = ".journal";

/** On Linux: an open folder, and what is below it. */
const HELD = /^(\/proc\/self\/fd\/\d+)(\/.+)$/;

export class Journal {
  private constructor(readonly folder: string) {}

  /** @throws ServiceError `unavailable` when the state folder cannot be used. */
  static async open(stateDir: string): Promise<Journal> {
    await openStateFolder(stateDir);
    return Journal.at(await openPrivateFolder(journalFolder(stateDir), "journal's folder"));
  }

  /** The journal in a folder that {@link open} has checked, for another thread. */
  static at(folder: string): Journal {
    return new Journal(folder);
  }

  /**
   * Records what is about to begin; the record is on disk when this resolves.
   * @throws ServiceError `unavailable` when it cannot be written.
   */
  async begin(record: JournalRecord): Promise<JournalEntry> {
    let entry: JournalEntry | undefined;
    try {
      entry = await this.#createEntry();
      await entry.replace(record);
      return entry;
    } catch (cause) {
      entry?.end();
      throw unusable(this.folder, cause);
    }
  }

  async #createEntry(): Promise<JournalEntry> {
    while (true) {
      const path = join(this.folder, crypto.randomUUID());
      const options = { createNew: true, append: true, mode: 0o600 };
      const file = await Deno.open(path + JOURNAL_SUFFIX, options);
      await file.lock(true);
      if ((await file.stat()).nlink !== 0) return new JournalEntry(path, file);
      file.close(); // another service that starts has removed it just before it was locked
    }
  }
}

/** The record of one unfinished change. */
export class JournalEntry {
  /** Where the bytes before and after an edit in place are saved. */
  readonly saved: SavedBytes;

  constructor(private readonly path: string, private readonly file: Deno.FsFile) {
    this.saved = savedBytes(path);
  }

  /**
   * Replaces the record of what must be cleaned up.
   * @throws when the record cannot be written; the earlier one is valid then.
   */
  async replace(record: JournalRecord): Promise<void> {
    const line = JSON.stringify(withLastingPaths(record)) + "\n";
    await writeAll(this.file, new TextEncoder().encode(line));
    await this.file.syncData();
  }

  /**
   * Nothing is left to clean up. Never throws: a stale record is harmless, because the cleanup finds
   * nothing to do.
   */
  end(): void {
    try {
      Deno.removeSync(this.path + JOURNAL_SUFFIX);
    } catch (error) {
      log.warn("a record of an unfinished edit cannot be removed", {
        path: this.path + JOURNAL_SUFFIX,
        error: String(error),
      });
    }
    this.file.close();
  }
}

export interface SavedBytes {
  readonly before: string;
  readonly after: string;
}

/** @param path of the record, without its suffix */
export function savedBytes(path: string): SavedBytes {
  return { before: `${path}.before.bytes`, after: `${path}.after.bytes` };
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
    "nothing was changed: free some space there, or start the service with another --state-dir";
  return new ServiceError("unavailable", message, { cause });
}
