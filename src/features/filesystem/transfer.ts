/** What moving and copying have in common: where from, where to, and what stands in the way. */

import { dirname } from "node:path";
import { ServiceError, ValueFault } from "../../core/errors.ts";
import { translating } from "./file_errors.ts";
import { resolvePath } from "./path.ts";
import { nearestRealFolder } from "./real_entry_path.ts";
import { isThere } from "./safe_write/create_file.ts";
import { compareEntries, isSame, type Sameness } from "./same_entry.ts";

export interface TransferInput {
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
}

export interface Transfer {
  readonly verb: "move" | "copy";
  readonly source: string;
  /** What is taken: the source itself, or for a copy what a link that is named leads to. */
  readonly from: string;
  readonly destination: string;
  /** Of `from`, links not followed. */
  readonly info: Deno.FileInfo;
  readonly sameness: Sameness;
  readonly overwrite: boolean;
}

/** Looks at both ends. @throws ServiceError when it cannot or must not be done; nothing is changed. */
export async function planTransfer(
  verb: Transfer["verb"],
  input: TransferInput,
  home: string,
): Promise<Transfer> {
  const source = resolvePath(input.source, home, "source");
  const destination = resolvePath(input.destination, home, "destination");
  const { overwrite } = input;
  const action = `Cannot ${verb}`;
  const { from, info } = await translating({ action, path: source, field: "source" }, async () => {
    const from = verb === "copy" ? await Deno.realPath(source) : source;
    return { from, info: await Deno.lstat(from) };
  });
  return await translating({ action, path: destination, field: "destination" }, async () => {
    if (info.isDirectory) await checkNotInside(from, info, destination);
    const there = await isThere(destination);
    if (there && !overwrite) throw existsAlready(verb, destination);
    const sameness = there ? await compareEntries({ source, info }, destination) : "different";
    if (there && sameness === "different") await checkReplaceable(action, info, destination);
    return { verb, source, from, destination, info, sameness, overwrite };
  });
}

async function checkNotInside(
  source: string,
  info: Deno.FileInfo,
  destination: string,
): Promise<void> {
  const base = await Deno.realPath(source);
  let folder = await nearestRealFolder(destination);
  // by number too: a bind mount gives a folder a second path
  while (folder !== base && !isSame(info, await Deno.stat(folder))) {
    if (dirname(folder) === folder) return;
    folder = dirname(folder);
  }
  throw new ValueFault("destination", "The destination lies inside the folder itself");
}

export function existsAlready(verb: string, path: string): ServiceError {
  return new ServiceError(
    "already_exists",
    `Cannot ${verb} to ${JSON.stringify(path)}: it exists already; "overwrite": true replaces it`,
  );
}

/** A file may take the place of a file, a folder only that of an empty one: nothing below is lost by a slip. */
async function checkReplaceable(
  action: string,
  info: Deno.FileInfo,
  destination: string,
): Promise<void> {
  const there = await Deno.lstat(destination);
  const at = `${action} to ${JSON.stringify(destination)}:`;
  if (!there.isDirectory) {
    if (!info.isDirectory) return;
    throw new ServiceError("not_a_directory", `${at} a file is there, and the source is a folder`);
  }
  if (!info.isDirectory) {
    throw new ServiceError("is_a_directory", `${at} a folder is there, and the source is a file`);
  }
  for await (const _entry of Deno.readDir(destination)) {
    throw new ServiceError("not_empty", `${at} the folder there is not empty; delete it first`);
  }
}
