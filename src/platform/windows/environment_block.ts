/** Environment variables of Windows, whose names are case-insensitive. */

import { ServiceError } from "../../core/errors.ts";
import { MAX_COMMAND_LINE } from "../../../ffi/windows/kernel32.ts";
import { wideText } from "../../../ffi/memory.ts";

type Variables = Readonly<Record<string, string>>;

/** The value of a variable, found by its name in any case. */
export function findVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const wanted = upperCase(name);
  return Object.entries(env).find(([each]) => upperCase(each) === wanted)?.[1];
}

/**
 * Encodes variables for CreateProcessW: `NAME=value` and a NUL each, sorted by name, with a NUL at
 * the end. If two names differ only in case, the last one counts.
 * @throws ServiceError `too_large`: a variable is longer than the system accepts
 */
export function environmentBlock(variables: Variables): Uint8Array<ArrayBuffer> {
  const byName = new Map(
    Object.entries(variables).map(([name, value]) => [upperCase(name), `${name}=${value}`]),
  );
  const entries = [...byName].sort(([one], [other]) => one < other ? -1 : 1).map(([, text]) =>
    text
  );
  const long = entries.find((entry) => entry.length >= MAX_COMMAND_LINE);
  if (long !== undefined) throw tooLong(long.slice(0, long.indexOf("=")));
  return wideText(entries.length === 0 ? "\0" : `${entries.join("\0")}\0`);
}

/**
 * Upper case as Windows does it, for each UTF-16 unit separately: `ß` stays, and a non-ASCII letter
 * never becomes ASCII.
 */
function upperCase(name: string): string {
  return name.split("").map((unit) => {
    const upper = unit.toUpperCase();
    return upper.length === 1 && (unit < "\x80") === (upper < "\x80") ? upper : unit;
  }).join("");
}

function tooLong(name: string): ServiceError {
  return new ServiceError(
    "too_large",
    `Cannot start the command: variable "${name}" is longer than ${MAX_COMMAND_LINE} characters with its name`,
  );
}
