/**
 * The keychain in an encrypted file: read on first use, rewritten whole and synced before a change
 * is acknowledged.
 */

import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import { nearestFolder } from "../../core/files.ts";
import { SharedRun } from "../../core/shared_run.ts";
import { openPrivateFolder } from "../private_folder.ts";
import type { FileSystem, Keychain, Readiness } from "../types/mod.ts";
import {
  type FileLock,
  isPresent,
  lockPrivate,
  readPrivate,
  replacePrivate,
  resolvePrivatePath,
  stampAt,
  unusable,
} from "./private_file.ts";
import {
  decodeFile,
  encodeFile,
  FormatError,
  importKey,
  type Items,
  KEY_BYTES,
  type SealingKey,
} from "./sealed_file.ts";

interface FileKeychainOptions {
  readonly path: string;
  /**
   * The file of `--keychain-key-file`; by default a generated key file beside the keychain file.
   */
  readonly keyFile?: string | undefined;
  /** Checks in advance whether the file can be written; without it, only a write shows that. */
  readonly files?: Pick<FileSystem, "removability">;
}

const WHAT = "keychain file";

type Bytes = Uint8Array<ArrayBuffer>;

/** The state of the file when it was last read or written. */
interface Contents {
  readonly key: SealingKey;
  readonly items: Items;
  readonly stamp: string | undefined;
  readonly keyStamp: string | undefined;
}

/** The path of the encrypted file in the state folder. */
export function keychainPath(stateDir: string): string {
  return join(stateDir, "keychain", "items");
}

export class FileKeychain implements Keychain {
  readonly #keyPath: string;
  /** What the next write will change; `undefined` removes an item. */
  #changes = new Map<string, string | undefined>();
  /** Changes that arrive during a write are written together by the next one. */
  readonly #saving = new SharedRun(() => this.#save());
  #lock: FileLock | undefined;
  #contents: Contents | undefined;
  #loading: Promise<Contents> | undefined;

  constructor(private readonly options: FileKeychainOptions) {
    this.#keyPath = options.keyFile ?? `${options.path}.key`;
  }

  async read(service: string): Promise<string | undefined> {
    return (await this.#loadIfStored())?.items.get(service);
  }

  write(service: string, secret: string): Promise<void> {
    return this.#change(service, secret);
  }

  remove(service: string): Promise<void> {
    return this.#change(service, undefined);
  }

  async names(): Promise<string[]> {
    return [...(await this.#loadIfStored())?.items.keys() ?? []];
  }

  async readiness(): Promise<Readiness> {
    try {
      const empty = await this.#loadIfStored() === undefined ? ", where nothing is stored yet" : "";
      const { path, files } = this.options;
      await checkWritable(await resolvePrivatePath(path, WHAT), { what: WHAT, files });
      return { ready: true, reason: `The encrypted file "${this.options.path}"${empty}` };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#saving.idle();
    this.#lock?.[Symbol.dispose]();
    this.#lock = undefined;
    this.#contents = undefined;
  }

  /** The contents; `undefined` when nothing was ever stored. Reading creates no files. */
  async #loadIfStored(): Promise<Contents | undefined> {
    const unknown = this.#contents === undefined && !this.#saving.busy;
    if (unknown && !await isPresent(this.options.path)) return undefined;
    return await this.#load();
  }

  /** The current contents of the file: read again when another process has replaced it. */
  async #load(): Promise<Contents> {
    const known = this.#contents;
    // our pending write changes the stamp
    if (this.#saving.busy && known !== undefined) return known;
    const fresh = await this.#isFresh();
    if (this.#saving.busy && known !== undefined) return known;
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
    const items = file === undefined ? new Map() : await this.#decode(key, file.bytes);
    return this.#contents = { key, items, stamp: file?.stamp, keyStamp };
  }

  /** Takes the lock, again when its file has been deleted: another service may hold a new one. */
  async #takeLock(path: string): Promise<void> {
    if (this.#lock?.path === path && await this.#lock.isInPlace()) return;
    this.#lock?.[Symbol.dispose]();
    this.#lock = undefined;
    this.#lock = await lockPrivate(path, LOCK_NAME, takeLock);
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

  async #decode(key: SealingKey, bytes: Bytes): Promise<Items> {
    try {
      return await decodeFile(key, bytes);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      const advice = "nothing was changed: restore the right file and key, or move both away";
      throw unusable(this.options.path, WHAT, `${error.message}; ${advice}`);
    }
  }

  /** Resolves when this change, and every earlier one of the same item, has been saved. */
  #change(service: string, secret: string | undefined): Promise<void> {
    this.#changes.set(service, secret);
    return this.#saving.run();
  }

  async #save(): Promise<void> {
    const changes = this.#changes;
    this.#changes = new Map();
    const contents = await this.#isWritable() ? this.#contents! : await this.#reload();
    const items = new Map(contents.items);
    const useless = [...changes].every(([service, secret]) =>
      secret === undefined && !items.has(service)
    );
    if (useless) return;
    for (const [service, secret] of changes) {
      if (secret === undefined) items.delete(service);
      else items.set(service, secret);
    }
    const path = await resolvePrivatePath(this.options.path, WHAT);
    try {
      const stamp = await replacePrivate(path, await encodeFile(contents.key, items));
      this.#contents = { ...contents, items, stamp };
    } catch (error) {
      throw unusable(path, WHAT, error);
    }
  }
}

// The key file of the encrypted file: 32 random bytes in a private file.

const KEY_NAME = "keychain's key";

/**
 * Reads the key; `undefined` when there is no such file.
 * @throws ServiceError `unavailable` when other users can access the file, or it holds no key
 */
async function readKey(path: string): Promise<SealingKey | undefined> {
  const file = await readPrivate(path, KEY_NAME);
  if (file === undefined) return undefined;
  if (file.bytes.byteLength !== KEY_BYTES) {
    const reason = `it must contain ${KEY_BYTES} bytes, not ${file.bytes.byteLength}`;
    throw unusable(path, KEY_NAME, reason);
  }
  return await importKey(file.bytes);
}

/** Creates a new key: complete, or not at all if the service is killed. Replaces no other file. */
async function createKey(path: string): Promise<SealingKey> {
  const raw = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  if (await isPresent(path)) throw unusable(path, KEY_NAME, "it already exists");
  await replacePrivate(path, raw).catch((error) => {
    throw unusable(path, KEY_NAME, error);
  });
  return await importKey(raw);
}

/** The error for a key file that was lost, or that was never at the given path. */
function missingKey(path: string, { given }: { readonly given: boolean }): ServiceError {
  const remedy = given
    ? `create one with: (umask 077; head -c ${KEY_BYTES} /dev/urandom > "${path}")`
    : "restore it, or move the keychain file away to start a new one";
  return unusable(path, KEY_NAME, `there is no such file: ${remedy}`);
}

// Checks without writing whether a file could be replaced now: a probe asks this every few seconds.

/** Free space needed for a new version of the file beside the old one, in bytes. */
const MIN_ROOM = 64 * 1024;

/** @throws ServiceError `unavailable` when its folder is not writable, or full */
async function checkWritable(
  path: string,
  { what, files }: {
    readonly what: string;
    readonly files: Pick<FileSystem, "removability"> | undefined;
  },
): Promise<void> {
  const folder = await nearestFolder(dirname(path));
  const removability = files?.removability;
  if (removability?.ready && !await removability.use.mayChange(folder)) {
    const reason = `nothing can be written to "${folder}", which is read-only or not this user's`;
    throw unusable(path, what, reason);
  }
  const room = await freeBytes(folder);
  if (room < MIN_ROOM) throw unusable(path, what, `the disk of "${folder}" is full`);
}

/** `Infinity` when the system does not report it. */
async function freeBytes(folder: string): Promise<number> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk === undefined ? Infinity : disk.bavail * disk.bsize;
}

// Its lock has the number of the process that holds it.

const LOCK_NAME = "keychain's lock";
const MAX_PID_LENGTH = 20;

/** @throws ServiceError `unavailable` immediately when another process holds it */
async function takeLock(file: Deno.FsFile): Promise<void> {
  if (!await file.tryLock(true)) throw await taken(file);
  await file.truncate();
  await file.write(new TextEncoder().encode(String(Deno.pid)));
}

async function taken(file: Deno.FsFile): Promise<ServiceError> {
  const text = new Uint8Array(MAX_PID_LENGTH);
  const length = await file.read(text).catch(() => null); // Windows refuses to read a locked file
  const pid = new TextDecoder().decode(text.subarray(0, length ?? 0));
  const who = /^\d+$/.test(pid) ? `process ${pid}` : "another process";
  return new ServiceError(
    "unavailable",
    `Cannot open the keychain file: ${who} uses it: end that service, or start this one with another --state-dir`,
  );
}
