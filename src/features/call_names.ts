/** The names by which operations are called. */

import { editDistance } from "../core/texts.ts";

/** What names are made of; all operations have it. */
export interface NamedOperation {
  readonly id: string;
  readonly group: string;
  readonly path: string;
}

const PREFIX = /^\/(?:api\/)?/;
const PARAMETER = /\/\{\w+\}/g;

/**
 * The group, then what follows it in the path: `mouse.left-click`, `bash.process.output`,
 * `system.healthz`.
 */
export function callName(operation: Omit<NamedOperation, "id">): string {
  return NAMES.getOrInsertComputed(operation, makeName);
}

/** Each is asked for with every call. */
const NAMES = new WeakMap<Omit<NamedOperation, "id">, string>();

function makeName({ group, path }: Omit<NamedOperation, "id">): string {
  const [first, ...rest] = path.replace(PREFIX, "").replace(PARAMETER, "").split("/");
  const words = first === group ? [group, ...rest] : [group, first!, ...rest];
  return words.join(".").replaceAll("_", "-");
}

/** All other spellings of a name: the path, with or without `/api/`, and the OpenAPI id. */
export function otherNames({ id, path }: Omit<NamedOperation, "group">): readonly string[] {
  const short = path.replace(PREFIX, "");
  return [id, path, short, short.replace(PARAMETER, "")];
}

/** The names that may be meant, the most similar first: `mouse.left-click` for `mouse.click`. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  return names.map((name) => ({ name, distance: distanceTo(wanted, name) }))
    .filter(({ name, distance }) => distance <= name.length / 3)
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

/**
 * A name of the same group that contains the wanted word is nearly as similar as the same one, and so
 * is one that resembles the wanted word but for its group.
 */
function distanceTo(wanted: string, name: string): number {
  const [group, word = ""] = splitGroup(wanted);
  const [otherGroup, others = ""] = splitGroup(name);
  const whole = editDistance(wanted, name);
  if (word === "") {
    const alone = editDistance(wanted, others);
    return alone <= others.length / 3 ? Math.min(whole, 0.5 + alone) : whole;
  }
  if (group !== otherGroup) return whole;
  return Math.min(whole, ...others.split(/[.-]/).map((other) => 0.5 + editDistance(word, other)));
}

function splitGroup(name: string): string[] {
  const dot = name.search(/[./]/);
  return dot === -1 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}
