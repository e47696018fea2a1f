/** The folder that a model knows as `/memories`. No path leads out of it, also not by links. */

import { join } from "node:path";
import { InputError, ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import { translating } from "../../filesystem/file_errors.ts";
import { resolvePath } from "../../filesystem/path.ts";
import type { TextFile } from "../text_editor/editing.ts";

const ROOT = "/memories";
const FOLDER_NAME = "memories";
const PRIVATE = 0o700;

export class MemoryFolder {
  private constructor(private readonly context: Context, private readonly root: string) {}

  /** Opens the folder that was named, or the one in the state folder of the service; makes it. */
  static async open(context: Context, named: string | undefined): Promise<MemoryFolder> {
    const { home, stateDir } = context.config;
    const path = named === undefined
      ? join(stateDir, FOLDER_NAME)
      : resolvePath(named, home, "memory_dir");
    const attempt = { action: "Cannot open the memory folder", path, field: "memory_dir" };
    const root = await translating(attempt, async () => {
      await Deno.mkdir(path, { recursive: true, mode: PRIVATE });
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

  isRoot({ path }: TextFile): boolean {
    return path === this.root;
  }

  async isFolder({ path }: TextFile): Promise<boolean> {
    const info = await Deno.lstat(path).catch(() => undefined); // reading it says what is wrong
    return info?.isDirectory ?? false;
  }

  refuseRoot(file: TextFile, what: string): void {
    if (!this.isRoot(file)) return;
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
    return text.replaceAll(this.root, ROOT);
  }
}

/** @throws ServiceError for a path that is not below `/memories` */
function splitPath(shown: string): readonly string[] {
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
