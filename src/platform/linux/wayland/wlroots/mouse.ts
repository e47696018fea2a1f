/** The pointer of zwlr_virtual_pointer_v1, on one output. */

import { ServiceError } from "../../../../core/errors.ts";
import { missing } from "../../../open_port.ts";
import type { Button, Mouse, Point, Size } from "../../../types/mod.ts";
import type { EventClock } from "../event_clock.ts";
import type { WaylandObject } from "../protocols/types.ts";

/** `linux/input-event-codes.h` */
const BUTTONS = {
  left: 0x110,
  right: 0x111,
  middle: 0x112,
  back: 0x113,
  forward: 0x114,
} satisfies Record<Button, number>;
/** `wl_pointer.button_state` */
const STATE = { released: 0, pressed: 1 } as const;
/** `wl_pointer.axis`, `wl_pointer.axis_source` */
const AXIS = { vertical: 0, horizontal: 1 } as const;
const WHEEL = 0;
/** What a notch of a wheel is in the units of an axis: degrees, as libinput has it. */
const NOTCH = 15;

/** Where the cursor is, and what is down: one for all outputs of a compositor. */
export interface PointerState {
  /** Where this service has sent the cursor last. */
  at: (Point & { readonly displayNum: number }) | undefined;
  /** The buttons that are down, and the pointer that holds each. */
  readonly down: Map<Button, WlrootsMouse>;
}

export interface MouseOptions {
  readonly displayNum: number;
  readonly pointer: WaylandObject<"zwlr_virtual_pointer_v1">;
  readonly clock: EventClock;
  readonly state: PointerState;
  /** The size of the output's picture now, as it is turned. */
  size(): Size;
}

export class WlrootsMouse implements Mouse {
  readonly notchesAtOnce = 1;
  readonly pixels = missing(
    "Cannot scroll by pixels: on Wayland each program turns the way of a wheel into pixels as it " +
      "likes; scroll by `clicks` without `unit`",
  );
  /** The least time between the last event and the next press, in milliseconds. */
  #gap = 0;

  constructor(private readonly options: MouseOptions) {}

  /**
   * The output is the whole range of the coordinates, so its scale does not matter; the middle of
   * the pixel, so that rounding in between does not hit the next one.
   */
  move({ x, y }: Point): void {
    const { pointer, clock, state, displayNum, size } = this.options;
    const { width, height } = size();
    state.at = { x, y, displayNum };
    pointer.send("motion_absolute", clock.next(), 2 * x + 1, 2 * y + 1, 2 * width, 2 * height);
    pointer.send("frame");
  }

  press(button: Button): void {
    const { clock, state } = this.options;
    state.down.set(button, this);
    this.#send(button, STATE.pressed, clock.after(this.#gap));
    this.#gap = 0;
  }

  release(button: Button): void {
    const { clock, state } = this.options;
    const holder = state.down.get(button) ?? this;
    state.down.delete(button);
    holder.#send(button, STATE.released, clock.next());
  }

  /** The time stamps are ours, so nothing has to wait. */
  separate(ms: number): void {
    this.#gap = ms;
  }

  scroll({ up, right }: { readonly up: number; readonly right: number }): void {
    this.#turn(AXIS.vertical, -up);
    this.#turn(AXIS.horizontal, right);
  }

  /**
   * Compositors do not tell where the cursor is, so this is where the service has sent it.
   * @throws ServiceError `unsupported`: it has not sent it anywhere on this display
   */
  position(): Promise<Point> {
    const { at } = this.options.state;
    if (at?.displayNum === this.options.displayNum) return Promise.resolve({ x: at.x, y: at.y });
    return Promise.reject(
      new ServiceError(
        "unsupported",
        "Wayland does not tell where the cursor is, and this service has not moved it on this " +
          "display yet: move it first",
      ),
    );
  }

  /** Releases what is down on any output. */
  releaseAll(): void {
    for (const button of [...this.options.state.down.keys()]) this.release(button);
  }

  #send(button: Button, state: number, time: number): void {
    const { pointer } = this.options;
    pointer.send("button", time, BUTTONS[button], state);
    pointer.send("frame");
  }

  #turn(axis: number, notches: number): void {
    if (notches === 0) return;
    const { pointer, clock } = this.options;
    pointer.send("axis_source", WHEEL);
    pointer.send("axis_discrete", clock.next(), axis, NOTCH * notches, notches);
    pointer.send("frame");
  }
}
