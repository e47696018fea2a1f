/** Key combinations: pressed in order, released in reverse order. */

import { ValueFault } from "../../core/errors.ts";
import { findKey, nearestKeyNames } from "../../platform/keys.ts";
import type { Key } from "../../platform/types/mod.ts";
import type { DisplaySession } from "../session.ts";

/**
 * The keys of a combination. ASCII letters count as lower case, so that Shift is pressed only if
 * listed.
 * @throws ValueFault on `field`, naming the most similar key names.
 */
export function chordKeys(names: readonly string[], field: string): Key[] {
  return names.map((name, index) => {
    const letter = names.length > 1 || field === "modifiers" ? lowerLetter(name) : name;
    if (field !== "key") return requireKey(letter, [field, index]);
    return requireKey(
      letter,
      field,
      names.length > 1 ? `Part ${index + 1} of the combination: ` : "",
    );
  });
}

/** @throws ValueFault on `field` for an unknown name. */
export function requireKey(
  name: string,
  field: string | readonly (string | number)[],
  where = "",
): Key {
  const key = findKey(name);
  if (key) return key;
  if (name === "") throw new ValueFault(field, `${where}no key is named; the plus key is "+"`);
  const nearest = nearestKeyNames(name).map((candidate) => `"${candidate}"`);
  const hint = nearest.length === 0
    ? 'a name is a word ("enter", "f5", "ctrl"), an X keysym name ("Page_Down") or one character'
    : `the nearest ${nearest.length === 1 ? "is" : "are"} ${nearest.join(", ")}`;
  throw new ValueFault(field, `${where}unknown key name; ${hint}`);
}

/** Splits `ctrl+shift+t`; the plus key is written `+`, alone or after a final `+` (`ctrl++`). */
export function splitCombination(combination: string): string[] {
  if (combination === "+") return ["+"];
  if (combination.endsWith("++")) return [...combination.slice(0, -2).split("+"), "+"];
  return combination.split("+");
}

/**
 * Presses keys in order and adds them to `pressed`; leaves keys that are already held as they are.
 */
export function pressAll(
  displaySession: DisplaySession,
  keys: readonly Key[],
  pressed: Key[],
): void {
  for (const key of keys) {
    if (displaySession.held.hasKey(key) || pressed.some((other) => other.keysym === key.keysym)) {
      continue;
    }
    pressed.push(key);
    displaySession.keyboard.press(key);
  }
}

/** Releases the keys that {@link pressAll} pressed, in reverse order. */
export function releaseAll(displaySession: DisplaySession, pressed: readonly Key[]): void {
  for (const key of [...pressed].reverse()) displaySession.keyboard.release(key);
}

function lowerLetter(name: string): string {
  return /^[A-Z]$/.test(name) ? name.toLowerCase() : name;
}
