/** Anthropic's `memory` tool: files below `/memories`, which is a folder of this computer. */

import { join } from "node:path";
import { z } from "zod";
import { hasCode, InputError, ServiceError } from "../../../core/errors.ts";
import { isThere } from "../../../core/files.ts";
import type { Context } from "../../context.ts";
import { systemCode, translating } from "../../filesystem/file_errors.ts";
import { resolvePath } from "../../filesystem/paths.ts";
import { Descriptor } from "../../filesystem/safe_write/descriptor.ts";
import { requireGroup, requireScope } from "../../permissions.ts";
import { actionOn, type ActionTable, callOperation, readAction, readFields } from "../actions.ts";
import {
  createText,
  insertAfter,
  replaceOnce,
  type TextFile,
  viewText,
} from "../text_editor/text_file.ts";
import { listFolder } from "../text_editor/text_editor.ts";
import type { TurnInput } from "./blocks.ts";

const Path = z.string().min(1).max(4_096);
const Line = z.int().min(0).max(2 ** 31 - 2);
const OnPath = z.object({ path: Path });
const View = OnPath.extend({ view_range: z.array(z.int()).length(2).optional() });
const Create = OnPath.extend({ file_text: z.string() });
const Replace = OnPath.extend({ old_str: z.string().min(1), new_str: z.string().default("") });
const Insert = OnPath.extend({ insert_line: Line, insert_text: z.string() });
const Rename = z.object({ old_path: Path, new_path: Path });

const command = actionOn<MemoryFolder, string>();

const COMMANDS: ActionTable<MemoryFolder, string> = {
  view: command(View, (folder, { path, view_range: range }) =>
    folder.view(path, async (file) => {
      const info = await Deno.stat(file.path).catch(() => undefined); // viewing says what is wrong
      return await (info?.isDirectory ? listFolder(file) : viewText(file, { range }));
    })),
  create: command(
    Create,
    (folder, { path, file_text }) =>
      folder.inFolder(
        path,
        { makes: true },
        (file) => createText(file, file_text, `Error: File ${path} already exists`),
      ),
  ),
  str_replace: command(Replace, (folder, { path, old_str: oldText, new_str: newText }) => {
    const change = { oldText, newText, done: "The memory file has been edited." };
    return folder.edit(path, (file) => replaceOnce(file, change));
  }),
  insert: command(Insert, (folder, { path, insert_line: line, insert_text: text }) => {
    const done = `The file ${path} has been edited.`;
    return folder.edit(path, (file) => insertAfter(file, line, { text, done }));
  }),
  delete: command(OnPath, async (folder, { path }) => {
    folder.refuseRoot(await folder.find(path), "deleted");
    await folder.inFolder(
      path,
      { makes: false },
      (file) => callOperation(file.context, "deletePath", { path: file.path, recursive: true }),
    );
    return `Successfully deleted ${path}`;
  }),
  rename: command(Rename, async (folder, { old_path, new_path }) => {
    const found = [await folder.find(old_path), await folder.find(new_path)];
    for (const file of found) folder.refuseRoot(file, "renamed");
    try {
      await folder.inFolder(old_path, { makes: false }, async ({ context, path: source }) => {
        if (!await isThere(source)) throw new ServiceError("not_found", old_path);
        await folder.inFolder(
          new_path,
          { makes: true },
          ({ path: destination }) => callOperation(context, "movePath", { source, destination }),
        );
      });
    } catch (error) {
      if (!hasCode(error, "already_exists")) throw error;
      throw new ServiceError("already_exists", `The destination ${new_path} already exists`);
    }
    return `Successfully renamed ${old_path} to ${new_path}`;
  }),
};

/**
 * What the model reads after a command.
 * @throws ServiceError with what it can do instead; no text names the real folder
 */
export async function runMemory(
  context: Context,
  input: unknown,
  { memory_dir }: Pick<TurnInput, "memory_dir">,
): Promise<string> {
  const { command: name, ...fields } = readFields(WithCommand, input, "memory");
  const chosen = readAction(COMMANDS, { name, fields }, describeUnknown);
  const folder = await MemoryFolder.open(context, memory_dir);
  try {
    return await chosen.run(folder);
  } catch (error) {
    if (!hasCode(error, "not_found")) throw folder.hideRoot(error);
    const path = fields["path"] ?? fields["old_path"];
    const message = `The path ${path} does not exist. Please provide a valid path.`;
    throw new ServiceError("not_found", message);
  }
}

const WithCommand = z.looseObject({ command: z.string() });

function describeUnknown(name: string, known: readonly string[]): string {
  return `There is no command ${name}; there are ${known.join(", ")}`;
}

// The folder that a model knows as `/memories`. No path leads out of it, also not by links.

const ROOT = "/memories";
const FOLDER_NAME = "memories";
const PRIVATE = 0o700;

class MemoryFolder {
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
    if (named !== undefined) requireGroup(context, "filesystem");
    requireScope(context.actor, "files", "The memory");
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
    return await work(this.#through(file, held));
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
    await using held = name === undefined ? undefined : await this.#hold(file, names, makes);
    return await work(this.#through(file, held, name));
  }

  /**
   * Works on the file in the very folder that the path names.
   * @throws ServiceError `conflict` when it has become a link in the meantime
   */
  async edit<T>(shown: string, work: (file: TextFile) => Promise<T>): Promise<T> {
    const { path } = await this.find(shown);
    const check = async () => {
      if (!await isLink(path)) return;
      throw new ServiceError("conflict", `The path ${shown} has become a link in the meantime`);
    };
    const { actor, calls, config, signal } = this.context;
    return await this.inFolder(shown, { makes: false }, async (file) => {
      const done = await work({ ...file, context: { actor, calls, config, signal, check } });
      await check(); // before the model reads a part of it
      return done;
    });
  }

  /** The same file by the path of what is held open, or of the entry with this name in it. */
  #through(file: TextFile, held: Descriptor | undefined, name = ""): TextFile {
    const { descriptorPath } = this.context.platform.files;
    if (held === undefined || !descriptorPath.ready) return file;
    const path = join(descriptorPath.use(held.fd), name);
    this.#heldPaths.set(path, file.shown);
    return { ...file, path };
  }

  /** Opens one folder after the other, and follows no link; where the system has no such paths, nothing. */
  async #hold(
    { path, shown }: TextFile,
    names: readonly string[],
    makes = false,
  ): Promise<Descriptor | undefined> {
    const { descriptorPath } = this.context.platform.files;
    if (!descriptorPath.ready) return undefined;
    try {
      return await translating({ action: "Cannot open", path, field: "path" }, async () => {
        let held = await openEntry(this.root);
        for (const name of names) {
          await using above = held;
          const next = join(descriptorPath.use(above.fd), name);
          if (makes) await Deno.mkdir(next).catch(unlessThere);
          held = await openEntry(next);
        }
        return held;
      });
    } catch (error) {
      throw error instanceof ServiceError && error.code === "not_a_file"
        ? new ServiceError(error.code, `${shown} is neither a file nor a folder`, { cause: error })
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
      const errors = error.errors.map((each) => ({ ...each, msg: this.#hide(each.msg) }));
      return new InputError(errors, { cause: error });
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

function unlessThere(error: unknown): void {
  if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
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
