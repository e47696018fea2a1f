/** Copies a file, a link or a folder with all that is in it, to where nothing is yet. */

import { join } from "node:path";
import { ServiceError, ValueFault } from "../../errors.ts";
import { systemCode } from "../../file_errors.ts";
import { isSame } from "./same_entry.ts";

export interface CopiedEntry {
  readonly path: string;
  readonly info: Deno.FileInfo;
}

export interface CopyOptions {
  readonly verb: "move" | "copy";
  readonly signal: AbortSignal;
  /** Called for each entry when its copy is made: what is in a folder comes before the folder. */
  readonly copied?: (entry: CopiedEntry, copy: string) => Promise<void>;
}

/** What stands for bytes of a name that are no UTF-8. */
const REPLACEMENT = "\ufffd";

export async function copyTree(
  entry: CopiedEntry,
  to: string,
  options: CopyOptions,
): Promise<void> {
  await new Copying(options).copy(entry, to);
}

class Copying {
  /** Of the folder that is made: a mount may show it inside what is copied. */
  #made: Deno.FileInfo | undefined;

  constructor(private readonly options: CopyOptions) {}

  async copy(entry: CopiedEntry, to: string): Promise<void> {
    this.options.signal.throwIfAborted();
    const { path, info } = entry;
    if (info.isSymlink) await copyLink(entry, to);
    else if (info.isFile) await copyBytes(path, to);
    else if (info.isDirectory) await this.#copyFolder(entry, to);
    else throw notCopied(this.options.verb, path);
    await this.options.copied?.(entry, to);
    if (info.isFile) await sync(to);
  }

  async #copyFolder({ path, info }: CopiedEntry, to: string): Promise<void> {
    if (this.#made !== undefined && isSame(this.#made, info)) {
      throw new ValueFault("destination", "The destination lies inside the folder itself");
    }
    await Deno.mkdir(to, { mode: 0o700 }); // its own mode, which may forbid writing, comes last
    this.#made ??= await Deno.lstat(to);
    for (const name of await namesOf(path)) {
      const inner = join(path, name);
      await this.copy({ path: inner, info: await lookAt(inner) }, join(to, name));
    }
    if (info.mode !== null) await Deno.chmod(to, info.mode & 0o7777);
  }
}

/** @throws ValueFault when a name would come out as another one. */
async function namesOf(folder: string): Promise<Iterable<string>> {
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
  await Deno.symlink(await targetOf(path), to);
}

async function targetOf(path: string): Promise<string> {
  try {
    return await Deno.readLink(path);
  } catch (error) {
    throw error instanceof Deno.errors.InvalidData ? notUtf8(path) : error;
  }
}

async function copyBytes(from: string, to: string): Promise<void> {
  const file = await Deno.open(to, { createNew: true, write: true, mode: 0o600 });
  file.close();
  await Deno.copyFile(from, to);
}

/** Windows syncs only what is open for writing; the others also what may not be written. */
async function sync(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true }).catch(() => Deno.open(path));
  await file.sync().catch((error) => {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
  });
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
