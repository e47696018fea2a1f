/**
 * Saved logins: the cookies and storage of a browser by name, in files of the state folder that are
 * encrypted by AES-GCM (NIST SP 800-38D); the keychain has the key.
 */

import { join } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import { namesIn } from "../../core/files.ts";
import { Semaphore } from "../../core/locks.ts";
import { readPrivate, replacePrivate, unusable } from "../../platform/keychain/private_file.ts";
import {
  importKey,
  KEY_BYTES,
  open,
  seal,
  type SealingKey,
} from "../../platform/keychain/sealed_file.ts";
import { openPrivateFolder } from "../../platform/private_folder.ts";
import { KnownSecrets } from "../secrets/known_secrets.ts";
import { itemToText, parseItem, requireKeychain } from "../secrets/stored.ts";
import type { Session } from "../session.ts";

const FOLDER = "logins";
const WHAT = "saved login";
const FOLDER_WHAT = "folder of saved logins";
/** As the keychain lists it. */
const SERVICE = "computer-control saved logins";
const FIELD = "key";
const MAX_STATES = 100;
const MAX_BYTES = 16 * 1024 * 1024;
const SUFFIX = ".login";

export class SavedStates {
  static readonly ofService = true;
  /** One after the other. */
  readonly #changes = new Semaphore({ capacity: 1 });

  constructor(private readonly session: Session) {}

  /**
   * @throws ServiceError `conflict` when there are too many, `unavailable` without a keychain, and when
   * the disk refuses it
   */
  save(name: string, text: string): Promise<void> {
    return this.#changes.run(async () => {
      const folder = await openPrivateFolder(this.#folder, FOLDER_WHAT);
      const names = await this.list();
      if (!names.includes(name) && names.length >= MAX_STATES) {
        throw new ServiceError(
          "conflict",
          `There are ${MAX_STATES} saved logins: delete one first`,
        );
      }
      const key = await this.#readKey() ?? await this.#makeKey();
      const sealed = await seal(key, new TextEncoder().encode(text), boundTo(name));
      await replacePrivate(join(folder, name + SUFFIX), sealed).catch(this.#fail);
    });
  }

  /** @throws ServiceError `not_found`; `unavailable` when it cannot be read */
  async load(name: string): Promise<string> {
    const file = await readPrivate(this.#pathOf(name), WHAT, MAX_BYTES);
    if (file === undefined) throw unknown(name);
    const key = await this.#readKey();
    try {
      return new TextDecoder().decode(await open(key!, file.bytes, boundTo(name)));
    } catch (cause) {
      const message = `Cannot read the saved login "${name}": save it anew`;
      throw new ServiceError("unavailable", message, { cause });
    }
  }

  /** @throws ServiceError `unavailable` when the disk refuses it */
  async list(): Promise<string[]> {
    const files = await namesIn(this.#folder).catch(this.#fail);
    return files.filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length)).sort();
  }

  /** @throws ServiceError `not_found`, or as {@link list} */
  delete(name: string): Promise<void> {
    return this.#changes.run(async () => {
      if (!(await this.list()).includes(name)) throw unknown(name);
      await Deno.remove(this.#pathOf(name)).catch(this.#fail);
    });
  }

  get #folder(): string {
    return join(this.session.stateDir, FOLDER);
  }

  #pathOf(name: string): string {
    return join(this.#folder, name + SUFFIX);
  }

  readonly #fail = (error: unknown): never => {
    throw unusable(this.#folder, FOLDER_WHAT, error);
  };

  /** `undefined` also for what is no key: nothing can be read by it, and the next save makes one. */
  async #readKey(): Promise<SealingKey | undefined> {
    const text = await requireKeychain(this.session.platform).read(SERVICE);
    const value = text === undefined ? undefined : parseItem(SERVICE, text).get(FIELD);
    try {
      return value === undefined ? undefined : await importKey(Uint8Array.fromBase64(value));
    } catch {
      return undefined;
    }
  }

  async #makeKey(): Promise<SealingKey> {
    const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    const item = new Map([[FIELD, bytes.toBase64()]]);
    this.session.use(KnownSecrets).add(SERVICE, item);
    await requireKeychain(this.session.platform).write(SERVICE, itemToText(item));
    this.session.use(KnownSecrets).set(SERVICE, item);
    return await importKey(bytes);
  }
}

/** A file under another name is no saved login. */
function boundTo(name: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(name);
}

function unknown(name: string): ServiceError {
  return new ServiceError("not_found", `There is no saved login "${name}"`);
}
