/** Copies a file, a link or a folder with all its content to a path where nothing exists yet. */

import { join } from "node:path";
import { ServiceError, ValueFault } from "../../core/errors.ts";
import { systemCode } from "./file_errors.ts";
import type { FileRanges, Port } from "../../platform/types/mod.ts";
import { copyData, type OpenFiles } from "./copy_file.ts";
import { isSame } from "./same_entry.ts";
import { Descriptor } from "./safe_write/descriptor.ts";

export interface CopiedEntry {
  readonly path: string;
  readonly info: Deno.FileInfo;
}

export interface CopyOptions {
  readonly verb: "move" | "copy";
  readonly signal: AbortSignal;
  readonly fileRanges: Port<FileRanges>;
  /**
   * Called for each entry once its copy exists, with both opened (except links). The content of a
   * folder comes before the folder. Without this callback, the copy gets the mode of its source.
   */
  readonly copied?: (entry: CopiedEntry, copy: string, opened?: OpenFiles) => Promise<void>;
}

/** Stands for bytes of a name that are not UTF-8. */
const REPLACEMENT = "\ufffd";

const SET_GID = 0o2000;

export async function copyTree(
  entry: CopiedEntry,
  to: string,
  options: CopyOptions,
): Promise<void> {
  await new Copying(options).copy(entry, to);
}

class Copying {
  /** The folder that the copy creates; a mount may show it inside the source. */
  #made: Deno.FileInfo | undefined;

  constructor(private readonly options: CopyOptions) {}

  async copy(entry: CopiedEntry, to: string): Promise<void> {
    this.options.signal.throwIfAborted();
    const { path, info } = entry;
    if (info.isFile) await this.#copyFile(entry, to);
    else if (info.isDirectory) await this.#copyFolder(entry, to);
    else if (info.isSymlink) {
      await copyLink(entry, to);
      await this.options.copied?.(entry, to);
    } else throw notCopied(this.options.verb, path);
  }

  /** Uses descriptors, because in another user's folder a name may be redirected at any moment. */
  async #copyFile(entry: CopiedEntry, to: string): Promise<void> {
    const { fileRanges, signal } = this.options;
    const { path, info } = entry;
    await using from = await Descriptor.open(path, "read");
    await from.checkIs(info);
    await using made = await Descriptor.create(to, 0o600);
    if (fileRanges.ready) await copyData({ from, to: made }, fileRanges.use, signal);
    else await Deno.copyFile(path, to);
    await this.#finish(entry, to, { from, to: made });
    await made.sync();
  }

  async #copyFolder({ path, info }: CopiedEntry, to: string): Promise<void> {
    if (this.#made !== undefined && isSame(this.#made, info)) {
      throw new ValueFault("destination", "The destination lies inside the folder itself");
    }
    await Deno.mkdir(to, { mode: 0o700 }); // its own mode, which may forbid writing, is set last
    this.#made ??= await Deno.lstat(to);
    for (const name of await readNames(path)) {
      const inner = join(path, name);
      await this.copy({ path: inner, info: await lookAt(inner) }, join(to, name));
    }
    if (info.mode === null) return; // Windows, which cannot open folders
    await using from = await Descriptor.openFolder(path);
    await using made = await Descriptor.openFolder(to);
    await this.#finish({ path, info }, to, { from, to: made });
  }

  async #finish(entry: CopiedEntry, copy: string, opened: OpenFiles): Promise<void> {
    const { copied } = this.options;
    if (copied !== undefined) return await copied(entry, copy, opened);
    const { info } = entry;
    const { uid, gid, mode } = await opened.to.state();
    if (info.mode === null) return;
    await opened.to.chmod(
      modeOfCopy(info, { keepsOwner: uid === info.uid && gid === info.gid }, mode),
    );
  }
}

/** Drops set-user-ID and set-group-ID bits when the owner differs, as `cp` does. */
export function modeOfCopy(
  { mode, isDirectory }: Deno.FileInfo,
  { keepsOwner }: { readonly keepsOwner: boolean },
  made: number,
): number {
  // a folder passes its group on to folders created in it
  const inherited = isDirectory ? made & SET_GID : 0;
  return (mode ?? 0) & (keepsOwner ? 0o7777 : 0o1777) | inherited;
}

/** @throws ValueFault when a name could not be reproduced exactly. */
async function readNames(folder: string): Promise<Iterable<string>> {
  const names = new Set<string>();
  for await (const { name } of Deno.readDir(folder)) {
    if (names.has(name)) throw notUtf8(join(folder, name));
    names.add(name);
  }
  return names;
}

async function lookAt(path: string): Promise<Deno.FileInfo> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT" && path.includes(REPLACEMENT)) throw notUtf8(path);
    throw error;
  }
}

async function copyLink({ path }: CopiedEntry, to: string): Promise<void> {
  await Deno.symlink(await readLinkTarget(path), to);
}

async function readLinkTarget(path: string): Promise<string> {
  try {
    return await Deno.readLink(path);
  } catch (error) {
    throw error instanceof Deno.errors.InvalidData ? notUtf8(path) : error;
  }
}

function notUtf8(path: string): ValueFault {
  const message =
    `${JSON.stringify(path)} has a name, or is a link to one, that is not UTF-8 and ` +
    "would not be copied as it is; nothing was changed: rename it first";
  return new ValueFault("source", message);
}

function notCopied(verb: string, path: string): ServiceError {
  const message = `Cannot ${verb} ${JSON.stringify(path)}: it is a FIFO, a socket or a device`;
  return new ServiceError("not_a_file", message);
}
