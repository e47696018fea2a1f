/** Types a text by pasting it, and puts back what was on the clipboard. */

import type { Config } from "../../config/config.ts";
import { ServiceError } from "../../core/errors.ts";
import { requirePort } from "../../platform/open_port.ts";
import type { System } from "../../platform/types/mod.ts";
import type { Turn } from "../input/input_turn.ts";
import type { DisplaySession } from "../session.ts";
import { chordKeys, pressAll, releaseAll } from "./chord.ts";

/** @throws ServiceError `forbidden` when a flag keeps texts off the clipboard */
export function checkMayPaste({ clipboardTyping, disabled }: Config): void {
  const flag = !clipboardTyping
    ? "--no-clipboard-typing"
    : disabled.has("clipboard")
    ? "--disable clipboard"
    : undefined;
  if (flag !== undefined) {
    throw new ServiceError("forbidden", `Nothing was typed: ${flag} forbids to paste texts`);
  }
}

/** @throws ServiceError `conflict`: the program has not taken the text; `unsupported` */
export async function pasteText(
  { displaySession, turn, text }: {
    readonly displaySession: DisplaySession;
    readonly turn: Turn;
    readonly text: string;
  },
  system: System,
): Promise<void> {
  const clipboard = requirePort(displaySession.display.clipboard);
  await using pasting = clipboard.beginPasting(() => pressPaste(displaySession, system));
  await pasting.paste(text.replace(/\r\n?/g, "\n"), turn.signal);
}

async function pressPaste(displaySession: DisplaySession, system: System): Promise<void> {
  const keys = chordKeys([system === "macos" ? "command" : "ctrl", "v"], "keys");
  await displaySession.keyboard.prepare(keys);
  const pressed: typeof keys = [];
  try {
    pressAll(displaySession, keys, pressed);
  } finally {
    releaseAll(displaySession, pressed);
  }
  await displaySession.input.confirm();
}
