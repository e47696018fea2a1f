/**
 * The keychain in an encrypted file: opened on first use, kept sealed in memory, rewritten whole
 * and synced before a change is acknowledged.
 */

import { dirname, join } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import type { FileSystem, Keychain, Readiness } from "../types/mod.ts";
import { boundOfRecord, decodeFile, encodeFile, FormatError, type Records } from "./file_format.ts";
import { openPrivateFolder } from "../private_folder.ts";
import { type FileLock, lockFile } from "./file_lock.ts";
import { createKey, missingKey, readKey } from "./key_file.ts";
import { checkWritable } from "./writable.ts";
import {
  isThere,
  readPrivate,
  replacePrivate,
  resolvePrivatePath,
  stampAt,
  unusable,
} from "./private_file.ts";
import { open, seal, type SealingKey } from "./sealed.ts";
import { WriteBatch } from "./write_batch.ts";

export interface FileKeychainOptions {
  readonly path: string;
  /**
   * The file of `--keychain-key-file`; by default a generated key file beside the keychain file.
   */
  readonly keyFile?: string | undefined;
  /** Checks in advance whether the file can be written; without it, only a write shows that. */
  readonly files?: Pick<FileSystem, "removability">;
}

const WHAT = "keychain file";
const DECOY = "";

type Bytes = Uint8Array<ArrayBuffer>;

/** The state of the file when it was last read or written. */
interface Contents {
  readonly key: SealingKey;
  readonly records: Records;
  /** A sealed text that is opened for unknown names, so that a lookup takes the same time. */
  readonly decoy: Bytes;
  readonly stamp: string | undefined;
  readonly keyStamp: string | undefined;
}

/** The path of the encrypted file in the state folder. */
export function keychainPath(stateDir: string): string {
  return join(stateDir, "keychain", "items");
}

export class FileKeychain implements Keychain {
  readonly #keyPath: string;
  readonly #batch: WriteBatch<string, string | undefined>;
  #lock: FileLock | undefined;
  #contents: Contents | undefined;
  #loading: Promise<Contents> | undefined;

  constructor(private readonly options: FileKeychainOptions) {
    this.#keyPath = options.keyFile ?? `${options.path}.key`;
    this.#batch = new WriteBatch((changes) => this.#save(changes));
  }

  async read(service: string): Promise<string | undefined> {
    const contents = await this.#look();
    if (contents === undefined) return undefined;
    const { key, records, decoy } = contents;
    const record = records.get(service);
    const text = await this.#open(key, record ?? decoy, record === undefined ? DECOY : service);
    return record === undefined ? undefined : text;
  }

  write(service: string, secret: string): Promise<void> {
    return this.#batch.add(service, secret); // added synchronously, so that writes keep their order
  }

  remove(service: string): Promise<void> {
    return this.#batch.add(service, undefined);
  }

  async names(): Promise<string[]> {
    const contents = await this.#look();
    return contents === undefined ? [] : [...contents.records.keys()];
  }

  async readiness(): Promise<Readiness> {
    try {
      const empty = await this.#look() === undefined ? ", where nothing is stored yet" : "";
      const { path, files } = this.options;
      await checkWritable(await resolvePrivatePath(path, WHAT), { what: WHAT, files });
      return { ready: true, reason: `The encrypted file "${this.options.path}"${empty}` };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batch.idle();
    this.#lock?.[Symbol.dispose]();
    this.#lock = undefined;
    this.#contents = undefined;
  }

  /** The contents; `undefined` when nothing was ever stored. Reading creates no files. */
  async #look(): Promise<Contents | undefined> {
    const unknown = this.#contents === undefined && !this.#batch.busy;
    if (unknown && !await isThere(this.options.path)) return undefined;
    return await this.#load();
  }

  /** The current contents of the file: read again when another process has replaced it. */
  async #load(): Promise<Contents> {
    const known = this.#contents;
    // our pending write changes the stamp
    if (this.#batch.busy && known !== undefined) return known;
    const fresh = await this.#isFresh();
    if (this.#batch.busy && known !== undefined) return known;
    return fresh ? this.#contents! : await this.#reload();
  }

  async #isFresh(): Promise<boolean> {
    const stamp = await stampAt(this.options.path);
    return this.#contents !== undefined && this.#contents.stamp === stamp;
  }

  /** Whether a write would last: a later start can read it, and no other service overwrites it. */
  async #isWritable(): Promise<boolean> {
    const keyStamp = await stampAt(this.#keyPath);
    return await this.#isFresh() && keyStamp === this.#contents!.keyStamp &&
      this.#lock !== undefined && await this.#lock.isInPlace();
  }

  #reload(): Promise<Contents> {
    this.#loading ??= this.#readFile().finally(() => this.#loading = undefined);
    return this.#loading;
  }

  async #readFile(): Promise<Contents> {
    await openPrivateFolder(dirname(this.options.path), "keychain's folder");
    const path = await resolvePrivatePath(this.options.path, WHAT);
    await this.#takeLock(`${path}.lock`);
    const file = await readPrivate(path, WHAT);
    const { key, keyStamp } = await this.#readKey({ needed: file !== undefined });
    const records = file === undefined ? new Map() : await this.#decode(key, file.bytes);
    const decoy = await seal(key, "", boundOfRecord(DECOY));
    return this.#contents = { key, records, decoy, stamp: file?.stamp, keyStamp };
  }

  /** Takes the lock, again when its file has been deleted: another service may hold a new one. */
  async #takeLock(path: string): Promise<void> {
    if (this.#lock?.path === path && await this.#lock.isInPlace()) return;
    this.#lock?.[Symbol.dispose]();
    this.#lock = undefined;
    this.#lock = await lockFile(path);
  }

  /**
   * Reads the key. Creates one when there is none, unless `needed`: then the file is already sealed
   * with the missing key.
   */
  async #readKey({ needed }: { readonly needed: boolean }) {
    const given = this.options.keyFile !== undefined;
    let keyStamp = await stampAt(this.#keyPath);
    let key = await readKey(this.#keyPath);
    if (key === undefined) {
      if (given || needed) throw missingKey(this.#keyPath, { given });
      key = await createKey(this.#keyPath);
      keyStamp = await stampAt(this.#keyPath);
    }
    return { key, keyStamp };
  }

  async #decode(key: SealingKey, bytes: Bytes): Promise<Records> {
    try {
      return await decodeFile(key, bytes);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw this.#refused(error.message);
    }
  }

  async #open(key: SealingKey, record: Bytes, service: string): Promise<string> {
    try {
      return await open(key, record, boundOfRecord(service));
    } catch {
      throw this.#refused("it is damaged");
    }
  }

  async #save(changes: ReadonlyMap<string, string | undefined>): Promise<void> {
    const contents = await this.#isWritable() ? this.#contents! : await this.#reload();
    const { key } = contents;
    const records = new Map(contents.records);
    const useless = [...changes].every(([service, secret]) =>
      secret === undefined && !records.has(service)
    );
    if (useless) return;
    await Promise.all([...changes].map(async ([service, secret]) => {
      if (secret === undefined) return records.delete(service);
      records.set(service, await seal(key, secret, boundOfRecord(service)));
    }));
    const path = await resolvePrivatePath(this.options.path, WHAT);
    try {
      const stamp = await replacePrivate(path, await encodeFile(key, records));
      this.#contents = { ...contents, records, stamp };
    } catch (error) {
      throw unusable(path, WHAT, error);
    }
  }

  #refused(reason: string): ServiceError {
    const advice = "nothing was changed: put back the right file and key, or move both away";
    return new ServiceError(
      "unavailable",
      `Cannot use the ${WHAT} "${this.options.path}": ${reason}; ${advice}`,
    );
  }
}
