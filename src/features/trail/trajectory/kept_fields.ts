/**
 * Which fields of a step are kept. What is typed is kept only where the caller asked for it; what is
 * stored, written into files or given to commands never is.
 */

import type { OperationRecord } from "../operation_log.ts";

/** A text that is not kept, in its place. */
interface NotKept {
  readonly text_length: number;
}

export interface KeptFields {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The paths of what is not kept. */
  readonly omitted: readonly string[];
}

/** Groups whose texts act on what a display shows, by fields that are kept if asked for. */
const TYPED: Readonly<Record<string, ReadonlySet<string>>> = {
  keyboard: new Set(["text"]),
  browser: new Set(["text", "text_gone", "value", "query", "expression"]),
  accessibility: new Set(["value"]),
  clipboard: new Set(["text", "html"]),
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
const MAX_TEXT = 100_000;
const MAX_DEPTH = 8;

/**
 * @param texts whether what is typed is kept
 * @param seen the fields of other groups that others may see
 */
export function keptFields(
  group: string,
  input: unknown,
  { texts, seen }: { readonly texts: boolean; readonly seen: OperationRecord["fields"] },
): KeptFields {
  const given = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (group === "keychain") return { ...keepLogin(given), omitted: [] };
  const omitted: string[] = [];
  const isShown = SHOWN.has(group);
  const typed = TYPED[group];
  const keep = (value: unknown, name: string, path: readonly string[]): unknown => {
    const refuse = (length: number): NotKept => {
      omitted.push(path.join("."));
      return { text_length: length };
    };
    if (CONTENTS.has(name) || path.length > MAX_DEPTH) return refuse(lengthOf(value));
    const isTyped = typed?.has(name) === true;
    if (typeof value === "string") {
      const isKey = KEYS.has(name) && [...value.replace(/^(?:shift|altgr)\+/i, "")].length === 1;
      const isLong = value.length > MAX_TEXT;
      return (isTyped || isKey) && !texts || isLong ? refuse([...value].length) : value;
    }
    if (isTyped && !texts && typeof value !== "object") return refuse(String(value).length);
    if (Array.isArray(value)) return value.map((each, at) => keep(each, name, [...path, `${at}`]));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    return Object.fromEntries(
      entries.map(([each, inner]) => [each, keep(inner, each, [...path, each])]),
    );
  };
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (isShown) fields[name] = keep(value, name, [name]);
    else if (seen[name] !== undefined && name !== "command") fields[name] = seen[name];
    else omitted.push(name);
  }
  return { fields, omitted };
}

/** Of what is filled in, which login and where, but no value. */
function keepLogin(given: Readonly<Record<string, unknown>>): Pick<KeptFields, "fields"> {
  const { service, frame, clear, display_num } = given;
  const elements = Array.isArray(given["authElements"]) ? given["authElements"] : [];
  const authElements = elements.map((element) => {
    const { value: _, ...rest } = element as Readonly<Record<string, unknown>>;
    return rest;
  });
  const named = { service, frame, clear, display_num };
  const known = Object.entries(named).filter(([, value]) => value !== undefined);
  return { fields: { ...Object.fromEntries(known), ...(elements.length > 0 && { authElements }) } };
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? [...value].length : JSON.stringify(value ?? null).length;
}
