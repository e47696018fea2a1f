/** The input devices that this service adds to a compositor: a keyboard and a pointer. */

import { ServiceError } from "../../../../core/errors.ts";
import { available, capabilityOf, missing } from "../../../capability.ts";
import type { Button, Capability, Input, Point, Region } from "../../../types/mod.ts";
import type { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import type { WaylandClient } from "../client.ts";
import { openDataClipboard } from "../clipboards.ts";
import { AXES, type Axis, BUTTON_CODES, WaylandMouse } from "../input/mouse.ts";
import type { WaylandObject } from "../protocols/mod.ts";
import { EventClock, Seat } from "../seat.ts";
import { awaitListeners } from "../unread_bytes.ts";
import { WlrootsKeyboard } from "./keyboard.ts";

const POINTERS = "zwlr_virtual_pointer_manager_v1";

interface DevicesOptions {
  /** See `--keymap-settle`. */
  readonly keymapSettleMs: number;
  /** Connects to the same compositor once more. */
  readonly connect?: () => Promise<WaylandClient>;
}

/** The devices of one compositor; disposing them releases what is down. */
export class WlrootsDevices implements AsyncDisposable {
  readonly #down = new Set<Button>();
  readonly #reached = new ReachedButtons();
  #lost: Promise<void> | undefined;
  /** Where this service has sent the cursor last. */
  #sent: (Point & { readonly displayNum: number }) | undefined;

  private constructor(
    private readonly client: WaylandClient,
    private readonly pointer: Capability<VirtualPointer>,
    private readonly keyboard: Capability<WlrootsKeyboard>,
    readonly clipboard: Capability<LinuxClipboard>,
    private readonly connect: DevicesOptions["connect"],
  ) {
    client.closed.then(() => this.#releaseLost());
  }

  static async open(
    client: WaylandClient,
    { keymapSettleMs, connect }: DevicesOptions,
  ): Promise<WlrootsDevices> {
    const clock = new EventClock();
    const seat = await capabilityOf(Seat.open(client));
    if (!seat.ready) return new WlrootsDevices(client, seat, seat, seat, connect);
    const keyboard = await capabilityOf(
      WlrootsKeyboard.open({ client, seat: seat.use, clock, keymapSettleMs }),
    );
    const isFirst = !seat.use.hasPointer;
    const pointer = openPointer(client, seat.use.object, clock);
    if (isFirst && pointer.ready) await awaitListeners(client.path);
    const clipboard = await openDataClipboard(client, seat.use.object);
    return new WlrootsDevices(client, pointer, keyboard, clipboard, connect);
  }

  /**
   * The input of a display that shows an output; all displays share the devices.
   * @param locate where its output is now; `undefined` once it was disconnected
   */
  makeInput(displayNum: number, locate: () => OutputGeometry | undefined): Capability<Input> {
    const { keyboard } = this;
    const down = this.#down;
    if (!this.pointer.ready) return this.pointer;
    const pointer = this.pointer.use;
    const mouse = new WaylandMouse({
      down,
      calls: {
        move: (to) => {
          const now = locate();
          if (now === undefined) return; // what is meant for this output must not reach another
          this.#sent = { ...to, displayNum };
          pointer.move(to, now);
        },
        button: (code, isDown, delayMs) => {
          if (isDown && locate() === undefined) return; // the same
          this.#reached.note(code, isDown);
          pointer.button(code, isDown, delayMs);
        },
        turn: (axis, notches) => pointer.turn(axis, notches),
      },
      position: () => this.#position(displayNum),
    });
    return available({
      driver: "wlroots",
      mouse,
      keyboard,
      /** The compositor has sent it on to the programs by then. */
      confirm: async () => {
        await this.#confirm();
        if (locate() !== undefined) return;
        throw new ServiceError(
          "unavailable",
          `The output of display ${displayNum} was disconnected`,
        );
      },
      /** Releases what this service holds down; devices of others cannot be released. */
      releaseAll: async () => {
        if (keyboard.ready) keyboard.use.releaseAll();
        for (const button of down) mouse.release(button);
        await this.#confirm();
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client, keyboard, pointer } = this;
    if (!client.connected) return await this.#releaseLost();
    if (keyboard.ready) keyboard.use.close();
    if (pointer.ready) {
      for (const button of this.#down) {
        this.#reached.note(BUTTON_CODES[button], false);
        pointer.use.button(BUTTON_CODES[button], false, 0);
      }
      pointer.use.destroy();
    }
    await this.#confirm().catch(() => this.#releaseLost()); // it has gone meanwhile
  }

  /** Resolves when the compositor has processed everything that was sent so far. */
  async #confirm(): Promise<void> {
    const sent = this.#reached.sent;
    await this.client.roundtrip();
    this.#reached.confirm(sent);
  }

  /**
   * Compositors release the keys of a keyboard that goes with its connection, but sway does not release
   * the buttons of such a pointer: those that may be down are released on another connection.
   */
  #releaseLost(): Promise<void> {
    return this.#lost ??= this.#releaseOnce();
  }

  async #releaseOnce(): Promise<void> {
    const codes = this.#reached.mayBeDown();
    if (codes.length === 0 || this.connect === undefined) return;
    try {
      using client = await this.connect();
      const pointer = openPointer(client, client.bind("wl_seat", 1), new EventClock());
      if (!pointer.ready) return;
      for (const code of codes) pointer.use.button(code, false, 0);
      pointer.use.destroy();
      await client.roundtrip();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // nothing is held down on a compositor that has gone
    }
  }

  /**
   * Compositors do not report where the cursor is, so this is where the service has sent it.
   * @throws ServiceError `unsupported`: it has not sent it anywhere on this display
   */
  #position(displayNum: number): Promise<Point> {
    const sent = this.#sent;
    if (sent?.displayNum === displayNum) return Promise.resolve({ x: sent.x, y: sent.y });
    return Promise.reject(
      new ServiceError(
        "unsupported",
        "Wayland does not report the position of the cursor, and this service has not moved it on this " +
          "display yet: move it first",
      ),
    );
  }
}

/** Which buttons may be down in the compositor, whatever of the last requests has reached it. */
class ReachedButtons {
  /** How many changes were sent. */
  sent = 0;
  /** Code -> its last change. */
  readonly #changes = new Map<number, { readonly number: number; readonly isDown: boolean }>();

  note(code: number, isDown: boolean): void {
    this.#changes.set(code, { number: ++this.sent, isDown });
  }

  /** The first so many changes have reached it. */
  confirm(sent: number): void {
    for (const [code, { number, isDown }] of this.#changes) {
      if (!isDown && number <= sent) this.#changes.delete(code);
    }
  }

  mayBeDown(): number[] {
    return [...this.#changes.keys()];
  }
}

function openPointer(
  client: WaylandClient,
  seat: WaylandObject<"wl_seat">,
  clock: EventClock,
): Capability<VirtualPointer> {
  if (client.globals.find(POINTERS) === undefined) {
    return missing(
      `The Wayland compositor at "${client.name}" does not allow programs to move the mouse: it has no ${POINTERS}`,
    );
  }
  const manager = client.bind(POINTERS, 1);
  const pointer = manager.send("create_virtual_pointer", seat);
  manager.send("destroy");
  return available(new VirtualPointer(pointer, clock));
}

// The pointer of zwlr_virtual_pointer_v1.

/** Where an output is now, in logical units. */
interface OutputGeometry {
  readonly output: Region;
  /** Picture pixels per logical unit. */
  readonly scale: number;
  /** What surrounds all outputs. */
  readonly desktop: Region;
}

/** `wl_pointer.axis_source` */
const WHEEL = 0;
/** What a notch of a wheel is in the units of an axis: degrees, as libinput has it. */
const NOTCH = 15;
/** Parts of a logical unit, which is what Wayland's own coordinates are counted in. */
const UNIT = 256;

/**
 * Not tied to an output: compositors rotate the coordinates of a pointer that is, and not all of
 * them alike.
 */
class VirtualPointer {
  constructor(
    private readonly object: WaylandObject<"zwlr_virtual_pointer_v1">,
    private readonly clock: EventClock,
  ) {}

  /** To the middle of the pixel, so that rounding in between does not hit the next one. */
  move({ x, y }: Point, { output, scale, desktop }: OutputGeometry): void {
    const across = output.x - desktop.x + within((x + 0.5) / scale, output.width);
    const down = output.y - desktop.y + within((y + 0.5) / scale, output.height);
    this.object.send(
      "motion_absolute",
      this.clock.next(),
      Math.round(across * UNIT),
      Math.round(down * UNIT),
      desktop.width * UNIT,
      desktop.height * UNIT,
    );
    this.object.send("frame");
  }

  /** The time stamps are ours, so nothing has to wait. */
  button(code: number, isDown: boolean, delayMs: number): void {
    this.object.send("button", this.clock.after(delayMs), code, isDown ? 1 : 0);
    this.object.send("frame");
  }

  turn(axis: Axis, notches: number): void {
    this.object.send("axis_source", WHEEL);
    this.object.send("axis_discrete", this.clock.next(), AXES[axis], NOTCH * notches, notches);
    this.object.send("frame");
  }

  destroy(): void {
    this.object.send("destroy");
  }
}

/** Compositors round the size of an output down, so its last pixel can be partly outside. */
function within(distance: number, size: number): number {
  return Math.min(distance, size - 1 / UNIT);
}
