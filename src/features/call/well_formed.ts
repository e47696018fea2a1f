/** Finds texts that UTF-8 cannot represent: JSON allows an escaped half of a surrogate pair. */

import type { Fault } from "../../core/errors.ts";
import { type Loc, MAX_FAULTS } from "./faults/faults.ts";

/** The faults of all ill-formed texts in the fields. */
export function illFormedTexts(fields: object, at: Loc): readonly Fault[] {
  return isFlatAndFine(fields) ? NONE : searchDeep(fields, at);
}

const NONE: readonly Fault[] = [];

/** A fast check that suffices for nearly all bodies and allocates nothing. */
function isFlatAndFine(fields: object): boolean {
  for (const key in fields) {
    const value: unknown = fields[key as keyof typeof fields];
    if (typeof value === "string" && !value.isWellFormed()) return false;
    if (typeof value === "object" && value !== null) return false;
  }
  return true;
}

/**
 * A value within others. Locations are linked, because copying the path at each level would take
 * quadratic time in the depth.
 */
interface Place {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Place | undefined;
}

/** Iterative, because deeply nested input would overflow the call stack. */
function searchDeep(fields: object, at: Loc): readonly Fault[] {
  const faults: Fault[] = [];
  const waiting: Place[] = listChildren(fields, undefined);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (faults.length >= MAX_FAULTS) break;
    if (!isWellFormed(place)) faults.push(illFormed([...at, ...pathTo(place)]));
    if (typeof place.value !== "object" || place.value === null) continue;
    for (const child of listChildren(place.value, place)) waiting.push(child);
  }
  return faults;
}

/** The children in reverse order, because the search takes them from the end. */
function listChildren(value: object, parent: Place | undefined): Place[] {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.reverse().map(([key, child]) => ({ key, value: child, parent }));
}

function isWellFormed({ key, value }: Place): boolean {
  if (typeof key === "string" && !key.isWellFormed()) return false;
  return typeof value !== "string" || value.isWellFormed();
}

function pathTo(place: Place): Loc {
  const keys: (string | number)[] = [];
  for (let next: Place | undefined = place; next !== undefined; next = next.parent) {
    keys.push(typeof next.key === "string" ? next.key.toWellFormed() : next.key);
  }
  return keys.reverse();
}

function illFormed(loc: Loc): Fault {
  return {
    loc,
    msg: "Input should be a valid string, unable to parse raw data as a unicode string",
    type: "string_unicode",
  };
}
