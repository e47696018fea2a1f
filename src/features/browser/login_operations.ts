/** Defines the operations on saved logins as data. */

import { z } from "zod";
import { join } from "node:path";
import { DESK_NAME } from "../../core/groups.ts";
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
import { definingWith, json, noContent, type Operation } from "../operation.ts";
import type { Session } from "../session.ts";
import { KnownSecrets } from "../secrets/known_secrets.ts";
import { itemToText, parseItem, requireKeychain } from "../secrets/stored.ts";
import { BROWSER_ERRORS } from "./fields.ts";
import { inBrowser } from "./in_browser.ts";

const Name = z.string().regex(
  DESK_NAME,
  "Name should have 1 to 32 characters of a-z, 0-9 and -, and - neither first nor last",
).describe("The name of the saved login.");

const Counts = z.object({
  cookies: z.int().describe("The number of cookies."),
  origins: z.int().describe("The number of origins whose local storage it has."),
});

export function loginOperations(): readonly Operation[] {
  const define = definingWith({
    group: "browser",
    method: "POST",
    uses: () => ["keychain"] as const,
  });
  const { not_found: _, conflict: __, ...errors } = BROWSER_ERRORS;
  const unavailable =
    `${errors.unavailable} Or the keychain, or the folder of saved logins, cannot be used.`;
  const MISSING = { not_found: "There is no saved login of this name." };
  const REFUSED = { unavailable: "The folder of saved logins cannot be used." };
  return [
    define({
      id: "saveLogin",
      readOnly: false,
      path: "/api/browser/state/save",
      summary: "Save what the browser is signed in by",
      description:
        "Keeps all cookies of the browser, and the local storage of its open pages, under a name, encrypted with a key of the keychain. An earlier one of this name is replaced.",
      body: z.object({ name: Name }),
      answer: json("It is saved.", Counts),
      errors: {
        ...errors,
        unavailable,
        conflict: "There are 100 saved logins.",
        too_large: "The cookies and the storage have more than 4 Mi characters.",
      },
      async run(context, { name }) {
        const { text, ...counts } = await inBrowser(context, "saveState", {});
        await context.session.use(SavedStates).save(name, text);
        return counts;
      },
    }),
    define({
      id: "loadLogin",
      readOnly: false,
      path: "/api/browser/state/load",
      summary: "Sign the browser in by a saved login",
      description:
        "Adds the saved cookies and storage to those of the browser, on a desk too; pages that are open must be loaded again.",
      body: z.object({ name: Name }),
      answer: json("It is loaded.", Counts),
      errors: { ...errors, unavailable, ...MISSING },
      async run(context, { name }) {
        const text = await context.session.use(SavedStates).load(name);
        return await inBrowser(context, "loadState", { text });
      },
    }),
    define({
      id: "listLogins",
      method: "GET",
      readOnly: true,
      path: "/api/browser/state/list",
      summary: "List the saved logins",
      answer: json("The names of the saved logins.", z.array(z.string())),
      errors: REFUSED,
      run: ({ session }) => session.use(SavedStates).list(),
    }),
    define({
      id: "deleteLogin",
      readOnly: false,
      path: "/api/browser/state/delete",
      summary: "Delete a saved login",
      body: z.object({ name: Name }),
      answer: noContent("It is deleted."),
      errors: { ...MISSING, ...REFUSED },
      run: ({ session }, { name }) => session.use(SavedStates).delete(name),
    }),
  ];
}

const COUNTS = { cookies: 12, origins: 2 };

export const LOGIN_EXAMPLES = {
  saveLogin: { body: { name: "shop" }, answer: COUNTS },
  loadLogin: { body: { name: "shop", desk: "alice" }, answer: COUNTS },
  listLogins: { answer: ["shop"] },
  deleteLogin: { body: { name: "shop" } },
};

// The saved logins: files of the state folder that are encrypted by AES-GCM (NIST SP 800-38D); the
// keychain has the key.

const FOLDER = "logins";
const WHAT = "saved login";
const FOLDER_WHAT = "folder of saved logins";
/** As the keychain lists it. */
const SERVICE = "computer-control saved logins";
const FIELD = "key";
const MAX_STATES = 100;
const MAX_BYTES = 16 * 1024 * 1024;
const SUFFIX = ".login";

class SavedStates {
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
