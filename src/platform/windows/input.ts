/** The mouse and the keyboard of Windows as the input of one monitor. */

import { pause } from "../../core/deadline.ts";
import { available } from "../open_port.ts";
import type { Available, Input } from "../types/mod.ts";
import type { InputQueue } from "./input_queue.ts";
import type { WindowsKeyboard } from "./keyboard.ts";
import type { WindowsMouse } from "./mouse.ts";

/** Time for the cursor to arrive; after that, a person or a confining program holds it back. */
const MAX_MOVE_MS = 200;
const POLL_MS = 2;

export class WindowsInput implements Input {
  readonly driver = "sendinput";
  readonly keyboard: Available<WindowsKeyboard>;

  constructor(
    readonly mouse: WindowsMouse,
    keyboard: WindowsKeyboard,
    private readonly queue: InputQueue,
  ) {
    this.keyboard = available(keyboard);
  }

  /**
   * Resolves when Windows has accepted every event and the cursor has arrived. Windows does not
   * report which program got the keys.
   */
  async confirm(): Promise<void> {
    this.queue.flush();
    const target = this.mouse.takeTarget();
    if (target === undefined) return;
    const end = performance.now() + MAX_MOVE_MS;
    while (!this.mouse.isAt(target) && performance.now() < end) {
      await pause(POLL_MS);
    }
  }

  async releaseAll(): Promise<void> {
    this.keyboard.use.releaseAll();
    this.mouse.releaseAll();
    await this.confirm();
  }
}
