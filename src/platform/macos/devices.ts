/** The input devices that all displays share: there is one cursor and one keyboard. */

import { Semaphore } from "../../core/semaphore.ts";
import { available } from "../open_port.ts";
import type { Input } from "../types/mod.ts";
import type { Desktop } from "./desktop.ts";
import { MacosKeyboard } from "./keyboard.ts";
import { MacosMouse } from "./mouse.ts";
import { Pasteboard } from "./pasteboard.ts";
import type { Placement } from "./placement.ts";
import type { Programs } from "./programs.ts";
import { StepQueue } from "./queue.ts";

export class MacosDevices implements AsyncDisposable {
  readonly #queue: StepQueue;
  readonly #keyboard: MacosKeyboard;

  constructor(programs: Programs, desktop: Desktop) {
    this.#queue = new StepQueue(programs, new Semaphore({ places: 1 }), () => desktop.checkInput());
    this.#keyboard = new MacosKeyboard(this.#queue, new Pasteboard(programs), desktop);
  }

  /** @param placement returns the current placement of the display */
  makeInput(placement: () => Placement): Input {
    const queue = this.#queue;
    return {
      driver: "cliclick",
      mouse: new MacosMouse(queue, placement),
      keyboard: available(this.#keyboard),
      confirm: () => queue.confirm(),
      releaseAll: () => queue.releaseAll(),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
  }
}
