/** The pointer of zwlr_virtual_pointer_v1, in the coordinates of one output. */

import { ServiceError } from "../../../../core/errors.ts";
import type { Button, Mouse, Point, Region } from "../../../types/mod.ts";
import type { EventClock } from "../event_clock.ts";
import { BUTTON_CODES, NO_PIXELS } from "../input/pointer_codes.ts";
import type { WaylandObject } from "../protocols/types.ts";

/** `wl_pointer.button_state` */
const STATE = { released: 0, pressed: 1 } as const;
/** `wl_pointer.axis`, `wl_pointer.axis_source` */
const AXIS = { vertical: 0, horizontal: 1 } as const;
const WHEEL = 0;
/** What a notch of a wheel is in the units of an axis: degrees, as libinput has it. */
const NOTCH = 15;

/** Parts of a logical unit, which is what Wayland's own coordinates are counted in. */
const UNIT = 256;

type Pointer = WaylandObject<"zwlr_virtual_pointer_v1">;

/** Where the cursor is, and what is down: one for all outputs of a compositor. */
export interface PointerState {
  /** Where this service has sent the cursor last. */
  at: (Point & { readonly displayNum: number }) | undefined;
  readonly down: Set<Button>;
}

/** Where an output is now, in logical units. */
export interface OutputPlace {
  readonly output: Region;
  /** Picture pixels per logical unit. */
  readonly scale: number;
  /** What surrounds all outputs. */
  readonly desktop: Region;
}

export interface MouseOptions {
  readonly displayNum: number;
  /**
   * Not tied to the output: compositors turn the coordinates of a pointer that is, and not all in
   * the same way.
   */
  readonly pointer: Pointer;
  readonly clock: EventClock;
  readonly state: PointerState;
  /** `undefined` once the output was unplugged: what is meant for it must not reach another. */
  place(): OutputPlace | undefined;
}

export class WlrootsMouse implements Mouse {
  readonly notchesAtOnce = 1;
  readonly pixels = NO_PIXELS;
  /** The least time between the last event and the next press, in milliseconds. */
  #gap = 0;

  constructor(private readonly options: MouseOptions) {}

  /** To the middle of the pixel, so that rounding in between does not hit the next one. */
  move({ x, y }: Point): void {
    const { pointer, clock, state, displayNum, place } = this.options;
    const now = place();
    if (now === undefined) return;
    const { output, scale, desktop } = now;
    const across = output.x - desktop.x + within((x + 0.5) / scale, output.width);
    const down = output.y - desktop.y + within((y + 0.5) / scale, output.height);
    state.at = { x, y, displayNum };
    pointer.send(
      "motion_absolute",
      clock.next(),
      Math.round(across * UNIT),
      Math.round(down * UNIT),
      desktop.width * UNIT,
      desktop.height * UNIT,
    );
    pointer.send("frame");
  }

  press(button: Button): void {
    const { clock, state, place } = this.options;
    if (place() === undefined) return;
    state.down.add(button);
    this.#send(button, STATE.pressed, clock.after(this.#gap));
    this.#gap = 0;
  }

  release(button: Button): void {
    const { clock, state } = this.options;
    state.down.delete(button);
    this.#send(button, STATE.released, clock.next());
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
    sendButton(this.options.pointer, { button, state, time });
  }

  #turn(axis: number, notches: number): void {
    if (notches === 0) return;
    const { pointer, clock } = this.options;
    pointer.send("axis_source", WHEEL);
    pointer.send("axis_discrete", clock.next(), axis, NOTCH * notches, notches);
    pointer.send("frame");
  }
}

export function releaseButtons(
  pointer: Pointer,
  { clock, down }: { readonly clock: EventClock; readonly down: Set<Button> },
): void {
  for (const button of down) {
    sendButton(pointer, { button, state: STATE.released, time: clock.next() });
  }
  down.clear();
}

function sendButton(
  pointer: Pointer,
  { button, state, time }: {
    readonly button: Button;
    readonly state: number;
    readonly time: number;
  },
): void {
  pointer.send("button", time, BUTTON_CODES[button], state);
  pointer.send("frame");
}

/** Compositors round the size of an output down, so its last pixel can be partly outside. */
function within(distance: number, size: number): number {
  return Math.min(distance, size - 1 / UNIT);
}
