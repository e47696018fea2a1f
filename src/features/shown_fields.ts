/**
 * Which fields of a call others may see: numbers, switches and names of places and things; never what
 * is written, typed or searched.
 */

import { CUT_MARK } from "../core/texts.ts";

export type ShownValue = string | number | boolean;

/** Names with values of a fixed set. */
const FIXED: ReadonlySet<string> = new Set([
  ...["button", "unit", "action", "format", "encoding", "quality", "method", "element", "state"],
  ...["key", "modifiers", "desk"],
]);
/** Names of what the service gave, for which a caller may send anything. */
const IDS: ReadonlySet<string> = new Set(["ref", "tab_id", "frame", "window"]);
const ID = /^(?:focused|e?\d{1,7}|[\da-f]{8}-\d+)$/;
const PLACES: ReadonlySet<string> = new Set([
  ...["path", "paths", "files", "source", "destination", "root_path", "image_path", "image", "cwd"],
  ...["program", "service", "url", "command"],
]);
/** What is written into a field, be it a number or a switch. */
const WRITTEN: ReadonlySet<string> = new Set(["value", "text", "content", "data", "input"]);
/** A single character of a key is a part of a text that is typed. */
const KEYS: ReadonlySet<string> = new Set(["keyboard", "browser"]);

/** The value, of an address without what may be confidential; `undefined` if others may not see it. */
export function shownValue(group: string, name: string, value: unknown): ShownValue | undefined {
  if (WRITTEN.has(name)) return undefined;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "string") return undefined;
  if (name === "key") {
    return KEYS.has(group) && typedCharacter(value) === undefined ? value : undefined;
  }
  if (name === "url") return shownUrl(value);
  if (name === "name" && group === "desk") return value; // who has ended which one
  return FIXED.has(name) || IDS.has(name) || PLACES.has(name) ? value : undefined;
}

/** Whether stored values of the keychain can be in it. */
export function mayHaveSecrets(name: string, value: string): boolean {
  return IDS.has(name) ? !ID.test(value) : !FIXED.has(name);
}

const CONTENT = /^(?:data|blob|javascript):/i;
const USER = /^([a-z][\w+.-]*:[/\\]*)[^/\\]*@/i;

/**
 * The origin and the path of an address, without names of users, passwords, query and fragment; of
 * one that is its own content, the scheme. It is cut as a browser reads it, but not encoded anew, so
 * that stored values are found in it.
 */
export function shownUrl(given: string): string {
  const address = given.replaceAll(/\p{Cc}/gu, "").trim();
  if (CONTENT.test(address)) return address.slice(0, address.indexOf(":") + 1) + CUT_MARK;
  return address.replace(/[?#].*$/su, "").replace(USER, "$1");
}

/** The character that a key types: of `a`, `shift+A` and `KeyA`, but not of `enter` or `ctrl+a`. */
export function typedCharacter(key: string): string | undefined {
  return /^(?:(?:shift|altgr)\+)*(?:key|digit|numpad|num|kp_)?(.)$/isu.exec(key)?.[1];
}
