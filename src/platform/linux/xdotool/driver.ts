/** Input by the xdotool program instead of the built-in driver: one process for each chain of commands that are sent together. */

import type { Input } from "../../types/mod.ts";
import type { Connection } from "../x11/displays.ts";
import { XdotoolKeyboard } from "./keyboard.ts";
import { XdotoolMouse } from "./mouse.ts";
import { CommandQueue } from "./queue.ts";

/**
 * The same display with the input of xdotool. What differs from the built-in driver:
 * - what is sent together is a process (about 3 ms instead of 30 µs); while one runs, what is sent
 *   meanwhile waits for it and goes into the next;
 * - a character that is not on the layout is mapped for its stroke alone, so a program that reads
 *   the map late loses it; runs of characters beyond ASCII therefore go at 100 ms each;
 * - it cannot tell that a person holds a modifier, so nothing waits for one: for a text the
 *   modifiers are taken away and given back, a key is pressed with them;
 * - typing turns Caps Lock off, and it stays off;
 * - an error is noticed when the process ends, not at the command that failed;
 * - release-all and the end of the display drop what waits, and let the process that runs finish its
 *   few strokes, or kill it when it hangs.
 */
export function withXdotool(display: Connection, xDisplay: string): Connection {
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

/** The input; disposing it ends its processes. */
export function createXdotoolInput(xDisplay: string): Input & AsyncDisposable {
  const queue = new CommandQueue(xDisplay);
  const mouse = new XdotoolMouse(queue);
  const keyboard = new XdotoolKeyboard(queue);
  return {
    driver: "xdotool",
    mouse,
    keyboard,
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
