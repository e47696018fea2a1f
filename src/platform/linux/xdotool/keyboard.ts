/** The keyboard through xdotool, which finds keys and their modifiers itself. */

import { missing } from "../../open_port.ts";
import type { Key, Keyboard, TextPlan } from "../../types/mod.ts";
import type { CommandQueue } from "./queue.ts";
import { planText } from "./text_plan.ts";

/** X keycodes are 8 to 255; xdotool would read 8 and 9 (Escape) as the digit keys. */
const KEYCODES = Array.from({ length: 246 }, (_, index) => String(index + 10));

export class XdotoolKeyboard implements Keyboard {
  readonly heldByOthers = missing("xdotool cannot tell who holds a modifier down");

  constructor(private readonly queue: CommandQueue) {}

  /** xdotool maps a missing symbol itself when it presses it. */
  prepare(_keys: readonly Key[]): void {}

  press(key: Key): void {
    this.queue.add("keydown", "--delay", "0", xdotoolSymbol(key));
  }

  release(key: Key): void {
    this.queue.add("keyup", "--delay", "0", xdotoolSymbol(key));
  }

  plan(text: string): Promise<TextPlan> {
    return Promise.resolve().then(() => planText(this.queue, text));
  }

  releaseAll(): void {
    this.queue.add("keyup", "--delay", "0", "Escape", ...KEYCODES);
  }
}

/**
 * The keysym as a hexadecimal number, which works for every symbol; a bare digit would be read as a
 * keycode.
 */
function xdotoolSymbol({ keysym }: Key): string {
  return `0x${keysym.toString(16)}`;
}
