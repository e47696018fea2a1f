/** Resolves paths as callers write them: absolute, `~`, `~/...` or relative to the home. */

import { resolve, sep } from "node:path";
import { z } from "zod";
import { ValueFault } from "../../core/errors.ts";

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
 * @throws ValueFault on `field`
 */
export function resolvePath(text: string, home: string, field: ValueFault["field"]): string {
  const fault = findPathFault(text);
  if (fault !== undefined) throw new ValueFault(field, fault);
  const path = resolve(home, text === "~" ? "." : startsAtHome(text) ? text.slice(2) : text);
  if (encoder.encode(path).length > MAX_PATH_BYTES) {
    throw new ValueFault(field, `Path is longer than ${MAX_PATH_BYTES} bytes`);
  }
  return path;
}

/** Whether the text begins with `~/`, or on Windows also with `~\`. */
export function startsAtHome(text: string): boolean {
  return text.startsWith("~") && SEPARATORS.test(text.charAt(1));
}

function findPathFault(text: string): string | undefined {
  if (text === "") {
    return 'Path is empty: give an absolute one, "~/..." or one relative to the home folder';
  }
  if (text.includes("\0")) return "Path holds a NUL character, which no file name can";
  if (/^~./.test(text) && !startsAtHome(text)) {
    return 'Path starts with "~" and a name: only the service\'s own "~" is known; write "./~..." for a file of that name';
  }
  const long = text.split(SEPARATORS).find((name) => encoder.encode(name).length > MAX_NAME_BYTES);
  return long === undefined
    ? undefined
    : `Path holds a name of more than ${MAX_NAME_BYTES} bytes, which is longer than the system allows`;
}
