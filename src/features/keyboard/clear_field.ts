/** Empties the focused field with the keys that select and delete in all toolkits. */

import { z } from "zod";
import type { System } from "../../platform/types/mod.ts";
import type { DisplaySession } from "../session.ts";
import { chordKeys, pressAll, releaseAll } from "./chord.ts";

export const Clear = z.boolean().describe(
  "If true, the field is emptied first, by selecting and deleting everything in it. " +
    "A terminal has no selection to delete: leave it `false` there and send `ctrl+u`.",
);

/**
 * Selects all and deletes; then repeats this from the first to the last character, because Ctrl+A
 * moves to the start of the line in some toolkits (Tk, Emacs key themes) and does nothing in older
 * multi-line fields on Windows. The second part has no effect on an empty field.
 */
const ELSEWHERE = [["ctrl", "a"], ["delete"], ["ctrl", "home"], ["ctrl", "shift", "end"], [
  "delete",
]];
const MACOS = [["command", "a"], ["delete"]];

/** Sends the keys and leaves none pressed. */
export async function clearField(displaySession: DisplaySession, system: System): Promise<void> {
  for (const names of system === "macos" ? MACOS : ELSEWHERE) {
    const keys = chordKeys(names, "keys");
    await displaySession.keyboard.prepare(keys);
    const pressed: typeof keys = [];
    try {
      pressAll(displaySession, keys, pressed);
    } finally {
      releaseAll(displaySession, pressed);
    }
  }
  await displaySession.input.confirm();
}
