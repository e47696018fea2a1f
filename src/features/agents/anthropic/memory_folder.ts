/** The folder that a model knows as `/memories`. No path leads out of it, also not by links. */

import { join } from "node:path";
import { InputError, ServiceError } from "../../../core/errors.ts";
import type { FileSystem } from "../../../platform/types/mod.ts";
import type { Context } from "../../context.ts";
import { systemCode, translating } from "../../filesystem/file_errors.ts";
import { resolvePath } from "../../filesystem/path.ts";
import { requireGroup } from "../../switched_off.ts";
import { Descriptor } from "../../filesystem/safe_write/descriptor.ts";
import type { EditingContext, TextFile } from "../text_editor/editing.ts";

const ROOT = "/memories";
const FOLDER_NAME = "memories";
const PRIVATE = 0o700;

export class MemoryFolder {
  /** The path of an open file -> the path that the model knows. */
  readonly #heldPaths = new Map<string, string>();

  private constructor(private readonly context: Context, private readonly root: string) {}

  /** Opens the folder that was named, or the one in the state folder of the service; makes it. */
  static async open(context: Context, named: string | undefined): Promise<MemoryFolder> {
    const { home, stateDir } = context.config;
    const path = named === undefined
      ? join(stateDir, FOLDER_NAME)
      : resolvePath(named, home, "memory_dir");
    const attempt = { action: "Cannot open the memory folder", path, field: "memory_dir" };
    if (named !== undefined) requireGroup(context.config, "filesystem");
    const root = await translating(attempt, async () => {
      if (!context.config.readOnly) await Deno.mkdir(path, { recursive: true, mode: PRIVATE });
      return await Deno.realPath(path);
    });
    return new MemoryFolder(context, root);
  }

  /**
   * The file that a path of the model names.
   * @throws ServiceError for a path that is not below `/memories`, or goes through a link
   */
  async find(shown: string): Promise<TextFile> {
    const { context, root } = this;
    let path = root;
    for (const name of splitPath(shown)) {
      path = join(path, name);
      if (await isLink(path)) {
        throw new ServiceError("forbidden", `The path ${shown} leads through a link`);
      }
    }
    return { context, shown, path };
  }

  /**
   * Works on the very file or folder that the path names, whatever other programs put in the place
   * of it or of a folder above it meanwhile.
   */
  async view<T>(shown: string, work: (file: TextFile) => Promise<T>): Promise<T> {
    const file = await this.find(shown);
    await using held = await this.#hold(file, splitPath(shown));
    return await work(this.#through(file, held.path()));
  }

  /**
   * Works on an entry of the very folder that the path names, which is created if `makes`: no name on
   * the way to it is followed if it is a link, or becomes one meanwhile.
   */
  async inFolder<T>(
    shown: string,
    { makes }: { readonly makes: boolean },
    work: (file: TextFile) => Promise<T>,
  ): Promise<T> {
    const file = await this.find(shown);
    const names = splitPath(shown);
    const name = names.pop();
    await using held = await this.#hold(file, name === undefined ? undefined : names, makes);
    return await work(this.#through(file, held.path(name)));
  }

  /**
   * Works on the file in the very folder that the path names.
   * @throws ServiceError `conflict` when it has become a link meanwhile
   */
  async edit<T>(shown: string, work: (file: TextFile) => Promise<T>): Promise<T> {
    const file = await this.find(shown);
    const names = splitPath(shown);
    const name = names.pop();
    await using held = await this.#hold(file, name === undefined ? undefined : names);
    const check = async () => {
      if (!await isLink(file.path)) return;
      throw new ServiceError("conflict", `The path ${shown} has become a link meanwhile`);
    };
    const context = checkedBefore(file.context, check);
    const done = await work({ ...this.#through(file, held.path(name)), context });
    await check(); // before the model reads a part of it
    return done;
  }

  #through(file: TextFile, path: string | undefined): TextFile {
    if (path === undefined) return file;
    this.#heldPaths.set(path, file.shown);
    return { ...file, path };
  }

  /** Opens one folder after the other, and follows no link; where the system has no such paths, nothing. */
  async #hold(
    { path, shown }: TextFile,
    names: readonly string[] | undefined,
    makes = false,
  ): Promise<Held> {
    const { descriptorPath } = this.context.platform.files;
    const held = new Held(descriptorPath);
    if (!descriptorPath.ready || names === undefined) return held;
    try {
      await translating({ action: "Cannot open", path, field: "path" }, async () => {
        await held.enter(this.root);
        for (const name of names) {
          if (makes) await Deno.mkdir(held.path(name)!).catch(unlessThere);
          await held.enter(held.path(name)!);
        }
      });
      return held;
    } catch (error) {
      await held[Symbol.asyncDispose]();
      throw error instanceof ServiceError && error.code === "not_a_file"
        ? new ServiceError(error.code, `${shown} is no file and no folder`, { cause: error })
        : error;
    }
  }

  refuseRoot({ path }: TextFile, what: string): void {
    if (path !== this.root) return;
    throw new ServiceError("forbidden", `The ${ROOT} directory itself cannot be ${what}`);
  }

  /** The same error, with `/memories` where it names the real folder. */
  hideRoot(error: unknown): unknown {
    if (error instanceof InputError) {
      const faults = error.faults.map((fault) => ({ ...fault, msg: this.#hide(fault.msg) }));
      return new InputError(faults, { cause: error });
    }
    if (!(error instanceof ServiceError)) return error;
    return new ServiceError(error.code, this.#hide(error.message), { cause: error });
  }

  #hide(text: string): string {
    let hidden = text;
    for (const [path, shown] of this.#heldPaths) hidden = hidden.replaceAll(path, shown);
    return hidden.replaceAll(this.root, ROOT);
  }
}

/** The same context, in which each operation begins with a check. */
function checkedBefore(
  { calls, config, signal }: EditingContext,
  check: () => Promise<void>,
): EditingContext {
  const prepare: EditingContext["calls"]["prepare"] = (...given) => {
    const prepared = calls.prepare(...given);
    return {
      ...prepared,
      async run(options) {
        await check();
        return await prepared.run(options);
      },
    };
  };
  return { calls: { prepare }, config, signal };
}

function unlessThere(error: unknown): void {
  if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
}

/** The last folder or file that was entered stays open. */
class Held implements AsyncDisposable {
  #open: Descriptor | undefined;

  constructor(private readonly descriptorPath: FileSystem["descriptorPath"]) {}

  async enter(path: string): Promise<void> {
    const next = await openEntry(path);
    await this[Symbol.asyncDispose]();
    this.#open = next;
  }

  /** The path of what is open, or of the entry with this name in it; `undefined` without any. */
  path(name?: string): string | undefined {
    const { descriptorPath } = this;
    if (this.#open === undefined || !descriptorPath.ready) return undefined;
    const path = descriptorPath.use(this.#open.fd);
    return name === undefined ? path : join(path, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open?.[Symbol.asyncDispose]();
    this.#open = undefined;
  }
}

async function openEntry(path: string): Promise<Descriptor> {
  try {
    return await Descriptor.openFolder(path);
  } catch (error) {
    if (systemCode(error) !== "ENOTDIR") throw error;
    return await Descriptor.open(path, "read");
  }
}

/** @throws ServiceError for a path that is not below `/memories` */
function splitPath(shown: string): string[] {
  const [empty, first, ...names] = shown.replace(/\/+$/, "").split("/");
  if (empty !== "" || `/${first}` !== ROOT) {
    throw new ServiceError("invalid", `Path must start with ${ROOT}, got: ${shown}`);
  }
  if (names.some((name) => name === "" || /^\.\.?$|[\\\0]/.test(name))) {
    throw new ServiceError("invalid", `Path ${shown} would escape the ${ROOT} directory`);
  }
  return names;
}

async function isLink(path: string): Promise<boolean> {
  const info = await Deno.lstat(path).catch(() => undefined); // there is nothing yet, so no link
  return info?.isSymlink ?? false;
}
