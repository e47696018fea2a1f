/**
 * Mouse and keyboard of a desktop that takes them event by event, and keys by their numbers: KWin,
 * Mutter and the desktop portal. All displays of the desktop share them.
 */

import { available } from "../../../capability.ts";
import type { Button, Capability, Input, Point } from "../../../types/mod.ts";
import type { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import { LayoutKeyboard, type LayoutKeyboardOptions } from "./keyboard.ts";
import { type Axis, BUTTON_CODES, InputQueue, type PointerCalls, WaylandMouse } from "./mouse.ts";

/** How a desktop takes input: event by event, in the order of the calls. */
export interface InputSender {
  /** @param keycode as in `linux/input-event-codes.h` */
  key(keycode: number, isDown: boolean): void;
  /** @param code one of {@link BUTTON_CODES} */
  button(code: number, isDown: boolean): void;
  /** Turns the wheel; positive is down and right. */
  turn(axis: Axis, notches: number): void;
  /** Resolves when the desktop has processed what was sent. */
  confirm(): Promise<void>;
}

interface LayoutDevicesOptions extends Omit<LayoutKeyboardOptions, "send" | "confirm"> {
  readonly driver: Input["driver"];
  readonly sender: InputSender;
}

/** What differs between the mice of two displays. */
interface PointerOfDisplay {
  readonly move: PointerCalls["move"];
  position(): Promise<Point>;
}

export abstract class LayoutDevices {
  readonly clipboard: Capability<LinuxClipboard>;
  protected readonly queue = new InputQueue();
  protected readonly sender: InputSender;
  readonly #driver: string;
  readonly #keyboard: LayoutKeyboard;
  readonly #down = new Set<Button>();

  constructor(options: LayoutDevicesOptions) {
    this.clipboard = options.clipboard;
    this.#driver = options.driver;
    this.sender = options.sender;
    this.#keyboard = new LayoutKeyboard({
      ...options,
      send: (keycode, isDown) => this.queue.add(() => this.sender.key(keycode, isDown)),
      confirm: () => this.confirm(),
    });
  }

  async confirm(): Promise<void> {
    await this.queue.sent();
    await this.sender.confirm();
  }

  /** Releases what this service holds down. */
  releaseHeld(): void {
    this.releaseKeys();
    this.releaseButtons();
  }

  protected releaseKeys(): void {
    this.#keyboard.releaseAll();
  }

  protected releaseButtons(): void {
    for (const button of this.#down) {
      this.queue.add(() => this.sender.button(BUTTON_CODES[button], false));
    }
    this.#down.clear();
  }

  /** Releases no more than {@link releaseHeld}: the desktop does not report what others hold down. */
  protected async releaseAll(): Promise<void> {
    this.releaseHeld();
    await this.confirm();
  }

  protected makeInput({ move, position }: PointerOfDisplay): Input {
    const mouse = new WaylandMouse({
      down: this.#down,
      calls: {
        move: (pixel) => this.queue.add(() => move(pixel)),
        button: (code, isDown, delayMs) =>
          this.queue.add(() => this.sender.button(code, isDown), delayMs),
        turn: (axis, notches) => this.queue.add(() => this.sender.turn(axis, notches)),
      },
      position,
    });
    return {
      driver: this.#driver,
      mouse,
      keyboard: available(this.#keyboard),
      confirm: () => this.confirm(),
      releaseAll: () => this.releaseAll(),
    };
  }
}
