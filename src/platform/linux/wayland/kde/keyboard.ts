/** The keyboard, through `org_kde_kwin_fake_input`: keys by their numbers, in the active layout. */

import { LayoutKeyboard, type LayoutKeyboardOptions } from "../input/keyboard.ts";
import type { InputQueue } from "../input/input_queue.ts";
import type { WaylandObject } from "../protocols/types.ts";

const PRESSED = 1;
const RELEASED = 0;

export interface KdeKeyboardOptions
  extends Pick<LayoutKeyboardOptions, "layout" | "paste" | "confirm" | "unread"> {
  readonly device: WaylandObject<"org_kde_kwin_fake_input">;
  readonly queue: InputQueue;
}

export class KdeKeyboard extends LayoutKeyboard {
  constructor({ device, queue, ...options }: KdeKeyboardOptions) {
    super({
      ...options,
      compositor: "KWin",
      send(keycode, isDown) {
        queue.add(() => device.send("keyboard_key", keycode, isDown ? PRESSED : RELEASED));
      },
    });
  }
}
