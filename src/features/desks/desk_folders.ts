/**
 * The folders of desks: each has a lock beside it, which the system releases when the service ends,
 * however that ends. What is not locked is removed by the next service.
 */

import { join } from "node:path";
import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { lstatIfThere } from "../../core/files.ts";
import { log } from "../../core/log.ts";
import { openPrivateFolder } from "../../platform/private_folder.ts";
import { foldersIn } from "../on_desk.ts";
import type { Session } from "../session.ts";

export interface DeskFolder {
  readonly path: string;
  /** Never rejects. */
  remove(): Promise<void>;
}

const LOCK = ".lock";
const NAME = /^desk-[0-9a-f]{8}$/;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const REMOVALS = 5;

export class DeskFolders {
  readonly #all: string;
  #cleaning: Promise<void> | undefined;

  constructor(private readonly session: Pick<Session, "stateDir" | "platform">) {
    this.#all = foldersIn(session.stateDir);
  }

  /**
   * A new one.
   * @throws ServiceError `unavailable`: there can be none
   */
  async make(): Promise<DeskFolder> {
    await openPrivateFolder(this.#all, "folder of desks");
    await this.clean();
    try {
      const { path, lock } = await this.#lockNew();
      try {
        await Deno.mkdir(path, { mode: PRIVATE_FOLDER });
      } catch (error) {
        await unlock(lock, path);
        throw error;
      }
      return {
        path,
        async remove() {
          await removeFolder(path);
          await unlock(lock, path);
        },
      };
    } catch (cause) {
      const why = (cause as Error).message;
      const message = `Cannot make the folder of a desk in "${this.#all}": ${why}`;
      throw new ServiceError("unavailable", message, { cause });
    }
  }

  /** Once: removes the folders of services that were killed, and ends what runs there. Never rejects. */
  clean(): Promise<void> {
    return this.#cleaning ??= this.#clean().catch((error) =>
      log.warn("folders of desks may be left", { error: String(error) })
    );
  }

  async #lockNew(): Promise<{ readonly path: string; readonly lock: Deno.FsFile }> {
    for (;;) {
      const name = `desk-${crypto.getRandomValues(new Uint8Array(4)).toHex()}`;
      const path = join(this.#all, name);
      const options = { read: true, write: true, createNew: true, mode: PRIVATE_FILE };
      const lock = await Deno.open(path + LOCK, options);
      // another service may take it for one that is left, until it is locked
      if (await lock.tryLock(true) && await lstatIfThere(path + LOCK) !== undefined) {
        return { path, lock };
      }
      lock.close();
    }
  }

  async #clean(): Promise<void> {
    const names = new Set<string>();
    for await (const { name } of Deno.readDir(this.#all)) {
      const of = name.endsWith(LOCK) ? name.slice(0, -LOCK.length) : name;
      if (NAME.test(of)) names.add(of);
    }
    for (const name of names) await this.#removeLeft(join(this.#all, name));
  }

  async #removeLeft(path: string): Promise<void> {
    const lock = await Deno.open(path + LOCK, {
      read: true,
      write: true,
      create: true,
      mode: PRIVATE_FILE,
    });
    if (!await lock.tryLock(true)) return lock.close(); // its service runs
    log.info("removing a desk of a service that was killed", { folder: path });
    await this.session.platform.endDesk?.(path);
    await removeFolder(path);
    await unlock(lock, path);
  }
}

async function unlock(lock: Deno.FsFile, path: string): Promise<void> {
  if (await lstatIfThere(path).catch(() => undefined) === undefined) {
    await Deno.remove(path + LOCK).catch(() => {}); // else the next service tries again
  }
  lock.close();
}

/** Programs that are ending may still write into it. */
async function removeFolder(path: string): Promise<void> {
  for (let attempt = 1; attempt <= REMOVALS; attempt++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      if (attempt === REMOVALS) log.warn("the folder of a desk is left", { error: String(error) });
      if (error instanceof Deno.errors.PermissionDenied) await openFolders(path);
      await pause(50 * attempt);
    }
  }
}

/** Programs make folders that not even their owner may change, as Go does for its modules. */
async function openFolders(path: string): Promise<void> {
  try {
    await Deno.chmod(path, PRIVATE_FOLDER);
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      if (isDirectory) await openFolders(join(path, name));
    }
  } catch {
    // the removal says what is wrong
  }
}
