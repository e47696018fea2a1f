/** What moving and copying have in common: where from, where to, and what stands in the way. */

import { basename, dirname, join } from "node:path";
import { ServiceError, ValueFault } from "../../errors.ts";
import { translating } from "../../file_errors.ts";
import { resolvePath } from "./path.ts";
import { isThere } from "./safe_write/create_file.ts";

export interface TransferInput {
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
}

export interface Transfer {
  readonly verb: "move" | "copy";
  readonly source: string;
  readonly destination: string;
  /** Of the source, links not followed. */
  readonly info: Deno.FileInfo;
  /** Source and destination are one and the same. */
  readonly same: boolean;
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
  const action = `Cannot ${verb}`;
  const info = await translating(
    { action, path: source, field: "source" },
    () => Deno.lstat(source),
  );
  return await translating({ action, path: destination, field: "destination" }, async () => {
    if (info.isDirectory) await checkNotInside(source, destination);
    const there = await isThere(destination);
    if (there && !input.overwrite) throw existsAlready(verb, destination);
    const same = there && isSame(info, await Deno.lstat(destination));
    if (there && !same) await checkReplaceable(action, info, destination);
    return { verb, source, destination, info, same, overwrite: input.overwrite };
  });
}

async function checkNotInside(source: string, destination: string): Promise<void> {
  const real = await Deno.realPath(source);
  const target = join(await nearestRealPath(dirname(destination)), basename(destination));
  const base = real.endsWith("/") ? real : `${real}/`;
  if (!target.startsWith(base)) return;
  throw new ValueFault("destination", "The destination lies inside the folder itself");
}

/** The real path of what exists of it, and the rest as it is written. */
async function nearestRealPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) || dirname(path) === path) throw error;
    return join(await nearestRealPath(dirname(path)), basename(path));
  }
}

function existsAlready(verb: string, path: string): ServiceError {
  return new ServiceError(
    "already_exists",
    `Cannot ${verb} to ${JSON.stringify(path)}: it exists already; "overwrite": true replaces it`,
  );
}

function isSame(one: Deno.FileInfo, other: Deno.FileInfo): boolean {
  return one.dev === other.dev && one.ino === other.ino && one.ino !== null;
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
