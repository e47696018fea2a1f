/** The input devices that this service adds to a compositor: a keyboard and a pointer. */

import { pause } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../open_port.ts";
import type { Button, Input, Mouse, Point, Port, Region } from "../../../types/mod.ts";
import { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import type { WaylandClient } from "../client.ts";
import { DataControl } from "../data_control.ts";
import { EventClock, Seat } from "../seat.ts";
import { BUTTON_CODES, NO_PIXELS } from "../input/remote_mouse.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { WlrootsKeyboard } from "./keyboard.ts";

/**
 * Programs start to listen when a seat gets its first mouse, and miss what it presses until then.
 */
const FIRST_POINTER_MS = 300;
const POINTERS = "zwlr_virtual_pointer_manager_v1";

/** The devices of one compositor; disposing them releases what is down. */
export class WlrootsDevices implements AsyncDisposable {
  readonly #state: PointerState = { at: undefined, down: new Set() };

  private constructor(
    private readonly client: WaylandClient,
    private readonly clock: EventClock,
    private readonly pointer: Port<WaylandObject<"zwlr_virtual_pointer_v1">>,
    private readonly keyboard: Port<WlrootsKeyboard>,
    readonly clipboard: Port<LinuxClipboard>,
  ) {}

  /** @param keymapSettleMs see `--keymap-settle` */
  static async open(
    client: WaylandClient,
    { keymapSettleMs }: { readonly keymapSettleMs: number },
  ): Promise<WlrootsDevices> {
    const clock = new EventClock();
    const seat = await portOf(Seat.open(client));
    if (!seat.ready) return new WlrootsDevices(client, clock, seat, seat, seat);
    const keyboard = await portOf(
      WlrootsKeyboard.open({ client, seat: seat.use, clock, keymapSettleMs }),
    );
    const isFirst = !seat.use.hasPointer;
    const pointer = openPointer(client, seat.use);
    if (isFirst && pointer.ready) await pause(FIRST_POINTER_MS);
    const clipboard = await openClipboard(client, seat.use);
    return new WlrootsDevices(client, clock, pointer, keyboard, clipboard);
  }

  /**
   * The input of a display that shows an output; all displays share the devices.
   * @param place where its output is now; `undefined` once it was unplugged
   */
  inputFor(displayNum: number, place: () => OutputPlace | undefined): Port<Input> {
    const { client, clock, pointer, keyboard } = this;
    if (!pointer.ready) return pointer;
    const state = this.#state;
    const mouse = new WlrootsMouse({ displayNum, pointer: pointer.use, clock, state, place });
    const isPlugged = () => place() !== undefined;
    return available(new WlrootsInput({ client, displayNum, mouse, keyboard, isPlugged }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client, keyboard, pointer } = this;
    if (!client.connected) return; // nothing is held down on a compositor that has gone
    if (keyboard.ready) keyboard.use.close();
    if (pointer.ready) {
      releaseButtons(pointer.use, { clock: this.clock, down: this.#state.down });
      pointer.use.send("destroy");
    }
    await client.roundtrip().catch(() => {}); // it has gone meanwhile
  }
}

interface WlrootsInputOptions {
  readonly client: WaylandClient;
  readonly displayNum: number;
  readonly mouse: WlrootsMouse;
  readonly keyboard: Port<WlrootsKeyboard>;
  isPlugged(): boolean;
}

class WlrootsInput implements Input {
  readonly driver = "wlroots";
  readonly mouse: WlrootsMouse;
  readonly keyboard: Port<WlrootsKeyboard>;

  constructor(private readonly options: WlrootsInputOptions) {
    this.mouse = options.mouse;
    this.keyboard = options.keyboard;
  }

  /**
   * The compositor has sent it on to the programs by then.
   * @throws ServiceError `unavailable` also when the output was unplugged meanwhile
   */
  async confirm(): Promise<void> {
    const { client, displayNum, isPlugged } = this.options;
    await client.roundtrip();
    if (isPlugged()) return;
    throw new ServiceError("unavailable", `The output of display ${displayNum} was unplugged`);
  }

  /** Releases what this service holds down; devices of others cannot be released. */
  async releaseAll(): Promise<void> {
    if (this.keyboard.ready) this.keyboard.use.releaseAll();
    this.mouse.releaseAll();
    await this.options.client.roundtrip();
  }
}

function openPointer(
  client: WaylandClient,
  seat: Seat,
): Port<WaylandObject<"zwlr_virtual_pointer_v1">> {
  if (client.globals.find(POINTERS) === undefined) {
    return missing(
      `The Wayland compositor at "${client.name}" lets no program move the mouse: it has no ${POINTERS}`,
    );
  }
  const manager = client.bind(POINTERS, 1);
  const pointer = manager.send("create_virtual_pointer", seat.object);
  manager.send("destroy");
  return available(pointer);
}

async function openClipboard(client: WaylandClient, seat: Seat): Promise<Port<LinuxClipboard>> {
  const typed = await portOf(DataControl.open(client, seat.object));
  return typed.ready ? available(new LinuxClipboard(() => Promise.resolve(typed.use))) : typed;
}

/** What the compositor lacks is a reason; that it has gone is an error. */
async function portOf<T>(opening: Promise<T>): Promise<Port<T>> {
  try {
    return available(await opening);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "unsupported")) throw error;
    return missing(error.message);
  }
}

// The pointer of zwlr_virtual_pointer_v1, in the coordinates of one output.

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
interface PointerState {
  /** Where this service has sent the cursor last. */
  at: (Point & { readonly displayNum: number }) | undefined;
  readonly down: Set<Button>;
}

/** Where an output is now, in logical units. */
interface OutputPlace {
  readonly output: Region;
  /** Picture pixels per logical unit. */
  readonly scale: number;
  /** What surrounds all outputs. */
  readonly desktop: Region;
}

interface MouseOptions {
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

class WlrootsMouse implements Mouse {
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

function releaseButtons(
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
