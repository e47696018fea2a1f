/**
 * Which fields of a step are kept. What is typed is kept only where the caller asked for it; what is
 * stored, written into files or given to commands never is.
 */

import { typedCharacter } from "../../shown_fields.ts";
import type { OperationRecord } from "../entry.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface KeptFields {
  /** A text that is not kept is `{"text_length": 12}` in its place. */
  readonly fields: Record<string, unknown>;
  /** The paths of what is not kept. */
  readonly omitted: string[];
}

/** Groups whose texts act on what a display shows, by fields that are kept if asked for. */
const TYPED: Readonly<Record<string, ReadonlySet<string>>> = {
  keyboard: new Set(["text"]),
  browser: new Set(["text", "text_gone", "value", "query", "expression"]),
  accessibility: new Set(["value"]),
  clipboard: new Set(["text"]),
  display: new Set(["text", "contains", "name", "title"]),
};
/** Texts that name keys: a single character is a part of what is typed. */
const KEYS: ReadonlySet<string> = new Set(["key", "keys"]);
/** Never kept, whatever the group. */
const CONTENTS: ReadonlySet<string> = new Set([
  ...["content", "item", "env", "env_secrets", "authElements", "input", "data", "html", "files"],
  ...["old_str", "new_str", "patch", "diff", "file_text", "insert_text", "command"],
]);
/** Groups whose steps act on what a display shows; the fields of others are those that are seen. */
const SHOWN: ReadonlySet<string> = new Set([...Object.keys(TYPED), "mouse", "window"]);
/** Of all texts of a step, in characters: what can be typed at once, and its other fields. */
const MAX_TEXTS = 101_000;
const MAX_DEPTH = 8;

/**
 * @param texts whether what is typed is kept
 * @param seen the fields of other groups that others may see
 */
export function keptFields(
  group: string,
  input: Fields,
  { texts, seen }: { readonly texts: boolean; readonly seen: OperationRecord["fields"] },
): KeptFields {
  if (group === "keychain") return { fields: keepLogin(input), omitted: [] };
  const omitted: string[] = [];
  let left = MAX_TEXTS;
  const typed = TYPED[group];
  const keep = (value: unknown, name: string, path: readonly string[]): unknown => {
    const refuse = (length: number) => {
      omitted.push(path.join("."));
      return { text_length: length };
    };
    if (CONTENTS.has(name) || path.length > MAX_DEPTH) return refuse(lengthOf(value));
    const isTyped = typed?.has(name) === true;
    if (typeof value === "string") {
      const isKey = KEYS.has(name) && typedCharacter(value) !== undefined;
      const isLong = value.length > left;
      if ((isTyped || isKey) && !texts || isLong) return refuse([...value].length);
      left -= value.length;
      return value;
    }
    if (isTyped && !texts && typeof value !== "object") return refuse(String(value).length);
    if (Array.isArray(value)) return value.map((each, at) => keep(each, name, [...path, `${at}`]));
    return typeof value === "object" && value !== null ? keepAll(value as Fields, path) : value;
  };
  const keepAll = (given: Fields, path: readonly string[]): Record<string, unknown> => {
    const entries = Object.entries(given).filter(([, each]) => each !== undefined);
    return Object.fromEntries(
      entries.map(([name, each]) => [name, keep(each, name, [...path, name])]),
    );
  };
  if (SHOWN.has(group)) return { fields: keepAll(input, []), omitted };
  const { command: _, ...fields } = seen;
  const others = Object.keys(input).filter((name) => input[name] !== undefined);
  return { fields, omitted: others.filter((name) => fields[name] === undefined) };
}

/** What could not be pressed may be no key, but a text. */
export function withoutKeys<Step extends KeptFields & { readonly outcome: string }>(
  step: Step,
): Step {
  const isKey = (name: string) => step.outcome !== "done" && KEYS.has(name);
  const kept = Object.entries(step.fields).filter(([name]) => !isKey(name));
  const omitted = [
    ...step.omitted,
    ...Object.keys(step.fields).filter((name) => isKey(name) && !step.omitted.includes(name)),
  ];
  return { ...step, fields: Object.fromEntries(kept), omitted };
}

/** Of what is filled in, which login and where, but no value. */
function keepLogin({ service, frame, clear, display_num, authElements }: Fields) {
  const elements = (authElements as readonly Fields[] | undefined)
    ?.map(({ value: _, ...element }) => element);
  return { service, frame, clear, display_num, authElements: elements };
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? [...value].length : JSON.stringify(value ?? null).length;
}
