/**
 * Input through the xdotool program instead of the built-in driver: one process per batch of
 * commands.
 */

import { available } from "../../open_port.ts";
import type { Available, Input } from "../../types/mod.ts";
import type { LinuxDisplay } from "../displays.ts";
import { XdotoolKeyboard } from "./keyboard.ts";
import { XdotoolMouse } from "./mouse.ts";
import { CommandQueue } from "./queue.ts";

/**
 * The same display, with input through xdotool. Differences from the built-in driver:
 * - a batch of commands is one process (about 3 ms instead of 30 µs); commands that arrive while
 *   one runs wait for it and go into the next;
 * - a character that is not on the layout is mapped only for its own stroke, so a program that
 *   reads the map late loses it; runs of characters beyond ASCII are therefore typed at 100 ms
 *   each;
 * - it cannot detect that a person holds a modifier, so nothing waits for the release: for a text
 *   the modifiers are released and pressed again afterwards, a single key is pressed with them;
 * - typing turns Caps Lock off and leaves it off;
 * - an error is noticed when the process ends, not at the command that failed;
 * - release-all and closing the display drop the waiting commands and let the running process
 *   finish its few strokes, or kill it when it hangs.
 */
export function withXdotool(display: LinuxDisplay, xDisplay: string): LinuxDisplay {
  const input = createXdotoolInput(xDisplay);
  return {
    displayNum: display.displayNum,
    name: display.name,
    ...(display.serverRun === undefined ? {} : { serverRun: display.serverRun }),
    input: { ready: true, use: input },
    get size() {
      return display.size;
    },
    get connected() {
      return display.connected;
    },
    pixel: (at) => display.pixel(at),
    focus: display.focus,
    delivery: display.delivery,
    recipients: display.recipients,
    clipboard: display.clipboard,
    accessibility: display.accessibility,
    windows: display.windows,
    ...(display.variables && { variables: display.variables }),
    screen: display.screen,
    watch: () => display.watch(),
    async [Symbol.asyncDispose]() {
      try {
        await input[Symbol.asyncDispose]();
      } finally {
        await display[Symbol.asyncDispose]();
      }
    },
  };
}

export interface XdotoolInput extends Input, AsyncDisposable {
  readonly keyboard: Available<XdotoolKeyboard>;
}

/** Creates the input; disposing it ends its processes. */
export function createXdotoolInput(xDisplay: string): XdotoolInput {
  const queue = new CommandQueue(xDisplay);
  const mouse = new XdotoolMouse(queue);
  const keyboard = new XdotoolKeyboard(queue);
  return {
    driver: "xdotool",
    mouse,
    keyboard: available(keyboard),
    confirm: () => queue.confirm(),
    async releaseAll() {
      await queue.drop();
      keyboard.releaseAll();
      mouse.releaseAll();
      await queue.confirm();
    },
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}
