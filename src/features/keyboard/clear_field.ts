/** Empties the field that has the focus, by the keys that select and delete everywhere. */

import { z } from "zod";
import type { System } from "../../platform/types/mod.ts";
import type { DisplaySession } from "../session.ts";
import { chordKeys, pressAll, releaseAll } from "./chord.ts";

export const Clear = z.boolean().describe(
  "When true, the field is emptied first: everything in it is selected and deleted. " +
    "A terminal has no selection to delete: leave it `false` there, and send `ctrl+u`.",
);

/**
 * Select all and delete; then the same from the first to the last character, because Ctrl+A goes to the
 * start of the line in some toolkits (Tk, Emacs key themes) and does nothing in older fields of Windows
 * with several lines. On a field that is empty already the second part does nothing.
 */
const ELSEWHERE = [["ctrl", "a"], ["delete"], ["ctrl", "home"], ["ctrl", "shift", "end"], [
  "delete",
]];
const MACOS = [["command", "a"], ["delete"]];

/** Sends the keys; nothing stays down. */
export async function clearField(displaySession: DisplaySession, system: System): Promise<void> {
  for (const names of system === "macos" ? MACOS : ELSEWHERE) {
    const keys = chordKeys(names, "keys");
    await displaySession.input.keyboard.prepare(keys);
    const pressed: typeof keys = [];
    try {
      pressAll(displaySession, keys, pressed);
    } finally {
      releaseAll(displaySession, pressed);
    }
  }
  await displaySession.input.confirm();
}
