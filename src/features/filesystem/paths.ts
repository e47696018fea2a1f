/** Resolves paths as callers write them: absolute, `~`, `~/...` or relative to the home. */

import { basename, dirname, join, resolve, sep } from "node:path";
import { z } from "zod";
import { FieldError } from "../../core/errors.ts";

/** The limits of Linux, in bytes: for one name and for a whole path. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4_095;

/** Windows accepts both separators. */
const SEPARATORS = sep === "/" ? /\// : /[\\/]/;

const encoder = new TextEncoder();

/** For JSON schemas; {@link resolvePath} explains in words what is wrong. */
const POSSIBLE = "^(?!~[^/\\\\])[^\\u0000]*$";

/** A field that holds a path. */
export function PathField(meaning: string) {
  return z.string().max(16_384).meta({ minLength: 1, pattern: POSSIBLE }).describe(
    `The ${meaning}: absolute, \`~/...\`, or relative to the home of the service's user.`,
  );
}

/**
 * The absolute path, without `.`, `..` and repeated or trailing slashes; does not follow links.
 * @throws FieldError on `field`
 */
export function resolvePath(text: string, home: string, field: FieldError["field"]): string {
  const problem = findPathProblem(text);
  if (problem !== undefined) throw new FieldError(field, problem);
  const path = resolve(home, text === "~" ? "." : startsAtHome(text) ? text.slice(2) : text);
  if (encoder.encode(path).length > MAX_PATH_BYTES) {
    throw new FieldError(field, `Path is longer than ${MAX_PATH_BYTES} bytes`);
  }
  return path;
}

/** Whether the text begins with `~/`, or on Windows also with `~\`. */
export function startsAtHome(text: string): boolean {
  return text.startsWith("~") && SEPARATORS.test(text.charAt(1));
}

function findPathProblem(text: string): string | undefined {
  if (text === "") {
    return 'Path is empty: give an absolute one, "~/..." or one relative to the home folder';
  }
  if (text.includes("\0")) return "Path contains a NUL character, which file names cannot";
  if (/^~./.test(text) && !startsAtHome(text)) {
    return 'Path starts with "~" and a name: only the service\'s own "~" is known; write "./~..." for a file of that name';
  }
  const long = text.split(SEPARATORS).find((name) => encoder.encode(name).length > MAX_NAME_BYTES);
  return long === undefined
    ? undefined
    : `Path contains a name of more than ${MAX_NAME_BYTES} bytes, which is longer than the system allows`;
}

// The canonical path of an entry: the real path of its folder plus its own name, which may be that
// of a link.

/**
 * If the folder does not exist: the real path of its deepest existing ancestor, and the rest as
 * written.
 */
export async function realEntryPath(path: string): Promise<string> {
  if (dirname(path) === path) return path;
  const folder = dirname(path);
  // the work itself reports what is wrong with the path
  const real = await Deno.realPath(folder).catch(() => realEntryPath(folder));
  return join(real, basename(path));
}

// Determines whether two paths are one entry of one folder, or two names of one file.

/**
 * `alias`: one entry, seen through a mount or in another case; removing it under one path removes
 * both. `hard link`: two entries, one of which may be removed.
 */
export type Sameness = "different" | "same entry" | "alias" | "hard link";

interface KnownEntry {
  readonly source: string;
  /** Of the entry that the source refers to. */
  readonly info: Deno.FileInfo;
}

/** Both exist. */
export async function compareEntries(
  { source, info }: KnownEntry,
  destination: string,
): Promise<Sameness> {
  const [from, to] = await Promise.all([source, destination].map(realEntryPath)) as [
    string,
    string,
  ];
  if (from === to) return "same entry";
  const there = await Deno.lstat(to);
  if (!isSame(info, there)) return "different";
  const areLinks = !there.isDirectory && (there.nlink ?? 1) > 1 && await areTwoEntries(from, to);
  return areLinks ? "hard link" : "alias";
}

export function isSame(one: Deno.FileInfo, other: Deno.FileInfo): boolean {
  return one.dev === other.dev && one.ino === other.ino && one.ino !== null;
}

/** Whether the entries lie in different folders, or are both listed in their common folder. */
async function areTwoEntries(one: string, other: string): Promise<boolean> {
  const [folder, otherFolder] = await Promise.all([
    Deno.stat(dirname(one)),
    Deno.stat(dirname(other)),
  ]);
  if (!isSame(folder, otherFolder)) return true;
  const wanted = new Set([basename(one), basename(other)]);
  if (wanted.size === 1) return false;
  for await (const { name } of Deno.readDir(dirname(one))) wanted.delete(name);
  return wanted.size === 0;
}
