/** Environments of Windows, where the case of a name does not matter. */

import { ServiceError } from "../../core/errors.ts";
import { MAX_COMMAND_LINE } from "../../../ffi/windows/kernel32.ts";
import { wideText } from "../../../ffi/memory.ts";

type Variables = Readonly<Record<string, string>>;

/** The value of a variable, however its name is written. */
export function findVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const wanted = upperCase(name);
  return Object.entries(env).find(([each]) => upperCase(each) === wanted)?.[1];
}

/**
 * What CreateProcessW takes: `NAME=value` and a NUL each, sorted by name, and a NUL at the end. Of two names that differ
 * by case only, the last one counts.
 * @throws ServiceError `too_large`: one is longer than the system takes.
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

/** As Windows does it, one UTF-16 unit by one: `ß` stays, and what is not ASCII does not become it. */
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
