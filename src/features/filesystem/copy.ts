/** Copies a file or a folder, completely or not at all. */

import { dirname, join } from "node:path";
import { writeAll } from "../../core/bytes.ts";
import { FieldError } from "../../core/errors.ts";
import type { Capability, FileRanges, Stretch } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { fileError, systemCode, translating } from "./file_errors.ts";
import { isSame, resolvePath } from "./paths.ts";
import { Descriptor } from "./safe_write/descriptor.ts";
import { trySyncFolder, withParents, withTemporary } from "./safe_write/temporary.ts";
import { moveIntoPlace, planTransfer, type Transfer, type TransferInput } from "./transfer.ts";
import { Files } from "./files.ts";

export async function copyPath(context: Context, input: TransferInput): Promise<void> {
  const { session, config: { home }, signal } = context;
  const files = session.use(Files);
  const source = resolvePath(input.source, home, "source");
  const destination = resolvePath(input.destination, home, "destination");
  const from = await Deno.realPath(source).catch(() => source); // planning reports its errors
  const claims = [
    { path: from, tree: true, shared: true },
    { path: destination, tree: true, shared: false },
  ];
  await files.locks.runOnAll(claims, signal, async () => {
    const transfer = await planTransfer("copy", input, home);
    if (transfer.sameness !== "different") return; // source and destination are the same entry
    await translating(
      { action: "Cannot copy", path: source, field: "source" },
      () => copyThere(context, transfer),
    );
  });
}

/** Builds the copy next to its final path and then renames it. */
async function copyThere({ platform, session, signal }: Context, transfer: Transfer) {
  const { verb, from: path, destination, info } = transfer;
  const { journal } = await session.use(Files).writing();
  const { fileRanges } = platform.files;
  await withParents(destination, () =>
    withTemporary(journal, destination, async (temporary) => {
      await new TreeCopy({ verb, signal, fileRanges }).copy({ path, info }, temporary);
      signal.throwIfAborted(); // once renamed it is complete, whether or not a client still waits
      await moveIntoPlace(platform.files, temporary, transfer);
      await trySyncFolder(dirname(destination));
    }));
}

// Copies a file, a link or a folder with all its content to a path where nothing exists yet.

export interface CopiedEntry {
  readonly path: string;
  readonly info: Deno.FileInfo;
}

interface CopyOptions {
  readonly verb: "move" | "copy";
  readonly signal: AbortSignal;
  readonly fileRanges: Capability<FileRanges>;
  /**
   * Called for each entry once its copy exists, with both opened (except links). The content of a
   * folder comes before the folder. Without this callback, the copy gets the mode of its source.
   */
  readonly copied?: (entry: CopiedEntry, copy: string, opened?: OpenFiles) => Promise<void>;
}

/** Stands for bytes of a name that are not UTF-8. */
const REPLACEMENT = "\ufffd";

const SET_GID = 0o2000;

export class TreeCopy {
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
    } else {
      const action = `Cannot ${this.options.verb}`;
      throw fileError({ action, path }, "not_a_file", "it is a FIFO, a socket or a device");
    }
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
    await made.handle.sync();
  }

  async #copyFolder({ path, info }: CopiedEntry, to: string): Promise<void> {
    if (this.#made !== undefined && isSame(this.#made, info)) {
      throw new FieldError("destination", "The destination lies inside the folder itself");
    }
    await Deno.mkdir(to, { mode: 0o700 }); // its own mode, which may forbid writing, is set last
    this.#made ??= await Deno.lstat(to);
    for (const name of await readNames(path)) {
      const inner = join(path, name);
      await this.copy({ path: inner, info: await statEntry(inner) }, join(to, name));
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
    const { uid, gid, mode } = await opened.to.stat();
    if (info.mode === null) return;
    await opened.to.handle.chmod(
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

/** @throws FieldError when a name could not be reproduced exactly. */
async function readNames(folder: string): Promise<Iterable<string>> {
  const names = new Set<string>();
  for await (const { name } of Deno.readDir(folder)) {
    if (names.has(name)) throw notUtf8(join(folder, name));
    names.add(name);
  }
  return names;
}

async function statEntry(path: string): Promise<Deno.FileInfo> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT" && path.includes(REPLACEMENT)) throw notUtf8(path);
    throw error;
  }
}

async function copyLink({ path }: CopiedEntry, to: string): Promise<void> {
  let target: string;
  try {
    target = await Deno.readLink(path);
  } catch (error) {
    throw error instanceof Deno.errors.InvalidData ? notUtf8(path) : error;
  }
  await Deno.symlink(target, to);
}

function notUtf8(path: string): FieldError {
  const message =
    `${JSON.stringify(path)} has a name, or is a link to a name, that is not UTF-8 and ` +
    "could not be copied unchanged; nothing was changed: rename it first";
  return new FieldError("source", message);
}

// Copies one file: keeps holes, streams the data, and stops as soon as the client disconnects.

/** Bytes copied between two checks for a disconnected client. */
const PIECE = 32 * 1024 * 1024;
/** Bytes per read where the system has no copy call. */
const BLOCK = 1024 * 1024;

export interface OpenFiles {
  readonly from: Descriptor;
  /** An empty file. */
  readonly to: Descriptor;
}

/** @throws the signal's reason when the client disconnects. */
async function copyData(files: OpenFiles, ranges: FileRanges, signal: AbortSignal): Promise<void> {
  const { from, to } = files;
  const size = await from.size();
  // files that the kernel generates on read report size 0
  if (size === 0) return await copyByReading(files, { start: 0, end: Infinity }, signal);
  for (let at = 0; at < size;) {
    const data = ranges.nextData(from.fd, at, size);
    if (data === undefined) break;
    await copyStretch(files, data, { ranges, signal });
    at = data.end;
  }
  if (await to.size() < size) await to.handle.truncate(size); // the file ends with a hole
}

async function copyStretch(
  files: OpenFiles,
  { start, end }: Stretch,
  { ranges, signal }: { readonly ranges: FileRanges; readonly signal: AbortSignal },
): Promise<void> {
  const fds = { from: files.from.fd, to: files.to.fd };
  for (let at = start; at < end;) {
    signal.throwIfAborted();
    const copied = await ranges.copy(fds, { start: at, end: Math.min(end, at + PIECE) });
    // another file system, a full disk, or a file that has become shorter: reading shows which
    if (copied === 0) return await copyByReading(files, { start: at, end }, signal);
    at += copied;
  }
}

async function copyByReading(
  { from, to }: OpenFiles,
  { start, end }: Stretch,
  signal: AbortSignal,
): Promise<void> {
  const bytes = new Uint8Array(Math.min(BLOCK, end - start));
  from.seek(start);
  to.seek(start);
  for (let at = start; at < end;) {
    signal.throwIfAborted();
    const read = await from.read(bytes.subarray(0, Math.min(BLOCK, end - at)));
    if (read === 0) return;
    await writeAll(to, bytes.subarray(0, read));
    at += read;
  }
}
