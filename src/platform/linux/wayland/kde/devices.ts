/** The input devices of a KWin session, by `org_kde_kwin_fake_input`, and its clipboard. */

import { pause } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { findKey } from "../../../keys.ts";
import { available, missing } from "../../../open_port.ts";
import type { Available, Button, Key, Point, Port } from "../../../types/mod.ts";
import type { MessageBus } from "../../bus/types.ts";
import { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import type { WaylandClient } from "../client.ts";
import { DataControl } from "../data_control.ts";
import { BUTTON_CODES, InputQueue, RemoteMouse } from "../input/remote_mouse.ts";
import { LayoutKeyboard, type LayoutKeyboardOptions } from "../input/keyboard.ts";
import type { Paste } from "../input/text_plan.ts";
import { type Output, toLogical, toPixel } from "../outputs.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { UnreadBytesReader } from "../unread_bytes.ts";
import type { CursorPosition } from "./screen.ts";
import { KdeLayout } from "./layout.ts";

/** Programs listen to a device that appears only after a moment. */
const NEW_DEVICE_MS = 200;
/** `wl_seat.capability`: pointer and keyboard. */
const BOTH = 1 | 2;
/** Axes of `wl_pointer`. */
const AXES = { vertical: 0, horizontal: 1 } as const;
/**
 * What programs take for one notch where an event carries no notches, and KWin's fake input carries
 * none.
 */
const UNITS_PER_NOTCH = 10;
/**
 * `linux/input-event-codes.h`: both keys of Shift, Control, Alt and Super. KWin keeps down what a
 * program held that has ended, and tells nobody.
 */
const MODIFIER_KEYS = [42, 54, 29, 97, 56, 100, 125, 126];
const PASTE_KEYS: readonly Key[] = [findKey("ctrl")!, findKey("v")!];

interface DevicesOptions {
  readonly client: WaylandClient;
  readonly bus: MessageBus;
  readonly cursor: CursorPosition;
  /** The first number of KWin's version. */
  readonly version: number;
  /** Whether text may pass through the clipboard. */
  readonly clipboardTyping: boolean;
}

type FakeInput = WaylandObject<"org_kde_kwin_fake_input">;

export class KdeDevices {
  readonly keyboard: Available<KdeKeyboard>;
  readonly clipboard: Port<LinuxClipboard>;
  readonly #queue = new InputQueue();
  readonly #down = new Set<Button>();

  private constructor(
    private readonly options: DevicesOptions,
    private readonly device: FakeInput,
    { layout, clipboard }: { layout: KdeLayout; clipboard: DataControl | undefined },
  ) {
    this.clipboard = clipboard === undefined
      ? missing("This KWin has no zwlr_data_control_manager_v1, by which the clipboard is used")
      : available(new LinuxClipboard(() => Promise.resolve(clipboard)));
    const confirm = () => this.confirm();
    const paste = this.#paste();
    this.keyboard = available(
      new KdeKeyboard({
        ...{ device, queue: this.#queue, layout, paste, confirm },
        unread: new UnreadBytesReader(options.client.name.split("/").at(-1)!),
      }),
    );
  }

  /** @throws ServiceError `unavailable` */
  static async open(options: DevicesOptions): Promise<KdeDevices> {
    const { client, bus } = options;
    const seat = client.bind("wl_seat", 5);
    let capabilities = 0;
    seat.on("capabilities", (now) => capabilities = now);
    await client.roundtrip();
    const hadBoth = (capabilities & BOTH) === BOTH;
    const device = client.bind("org_kde_kwin_fake_input", 4);
    device.send("authenticate", "computer-control", "control of this desktop");
    await client.roundtrip();
    const layout = await KdeLayout.open(client, seat, bus);
    const hasClipboard = client.globals.find("zwlr_data_control_manager_v1") !== undefined;
    const clipboard = hasClipboard ? await DataControl.open(client, seat) : undefined;
    if (!hadBoth) await pause(NEW_DEVICE_MS);
    const devices = new KdeDevices(options, device, { layout, clipboard });
    devices.#releaseModifiers();
    return devices;
  }

  get connected(): boolean {
    return this.options.client.connected && this.options.bus.connected;
  }

  get bus(): MessageBus {
    return this.options.bus;
  }

  /** The mouse, with its points in pixels of an output. */
  mouseOf(output: Output): RemoteMouse {
    const { device, options: { cursor, version } } = this;
    let target: Point | undefined;
    return new RemoteMouse({
      queue: this.#queue,
      down: this.#down,
      calls: {
        move: (pixel) => {
          target = pixel;
          output.update();
          const { x, y } = findPlace(pixel, output, version);
          device.send("pointer_motion_absolute", x, y);
        },
        button: (code, isDown) => device.send("button", code, isDown ? 1 : 0),
        turn: (axis, notches) => device.send("axis", AXES[axis], notches * UNITS_PER_NOTCH),
      },
      position: async (): Promise<Point> => {
        await this.confirm();
        return findPixel(await cursor.read(), output, { target, version });
      },
    });
  }

  /** Releases what this service holds down. */
  letGo(): void {
    this.keyboard.use.releaseAll();
    for (const button of [...this.#down]) this.#release(BUTTON_CODES[button]);
    this.#down.clear();
  }

  /** Releases every button, and every modifier: whoever pressed them. */
  async releaseAll(): Promise<void> {
    this.letGo();
    this.#releaseModifiers();
    for (const code of Object.values(BUTTON_CODES)) this.#release(code);
    await this.confirm();
  }

  async confirm(): Promise<void> {
    await this.#queue.sent();
    await this.options.client.roundtrip();
  }

  #release(button: number): void {
    this.#queue.add(() => this.device.send("button", button, 0));
  }

  #releaseModifiers(): void {
    for (const keycode of MODIFIER_KEYS) {
      this.#queue.add(() => this.device.send("keyboard_key", keycode, 0));
    }
  }

  #paste(): Paste {
    const { clipboard } = this;
    if (!this.options.clipboardTyping) {
      return missing(
        "Nothing was typed: some characters are not on the active keyboard layout, KWin takes keys " +
          "alone, and --no-clipboard-typing forbids to paste them: switch to a layout that has them",
      );
    }
    if (!clipboard.ready) {
      return missing(
        "Nothing was typed: some characters are not on the active keyboard layout, and this KWin " +
          "has no zwlr_data_control_manager_v1 to paste them: switch to a layout that has them",
      );
    }
    return available(() => clipboard.use.beginPasting(() => this.#pressPaste()));
  }

  async #pressPaste(): Promise<void> {
    const { use: keyboard } = this.keyboard;
    keyboard.prepare(PASTE_KEYS);
    try {
      for (const key of PASTE_KEYS) keyboard.press(key);
    } finally {
      for (const key of PASTE_KEYS.toReversed()) keyboard.release(key);
    }
    await this.confirm();
    if (!this.connected) throw new ServiceError("unavailable", "KWin went away");
  }
}

// The keyboard, through `org_kde_kwin_fake_input`: keys by their numbers, in the active layout.

const PRESSED = 1;
const RELEASED = 0;

interface KdeKeyboardOptions
  extends Pick<LayoutKeyboardOptions, "layout" | "paste" | "confirm" | "unread"> {
  readonly device: WaylandObject<"org_kde_kwin_fake_input">;
  readonly queue: InputQueue;
}

class KdeKeyboard extends LayoutKeyboard {
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

// Pixels of an output in KWin's coordinates, and back.

/** The first KWin that gives programs fractions of its units; before, it rounds them. */
const EXACT_VERSION = 6;

type Place = Pick<Output, "size" | "logical" | "scale">;

/**
 * Where to put the cursor for a pixel: its middle, or the unit that contains this.
 * @param version the first number of KWin's version
 */
function findPlace(pixel: Point, { size, logical, scale }: Place, version: number): Point {
  if (scale === 1) return { x: logical.x + pixel.x, y: logical.y + pixel.y };
  const { x, y } = toLogical(pixel, size, logical);
  return version >= EXACT_VERSION ? { x, y } : { x: Math.floor(x), y: Math.floor(y) };
}

/**
 * The pixel of the cursor, whose place KWin tells in whole units: each can be several pixels.
 * @param target where this service moved it last
 */
function findPixel(
  place: Point,
  output: Place,
  { target, version }: { readonly target: Point | undefined; readonly version: number },
): Point {
  if (target !== undefined) {
    const { x, y } = findPlace(target, output, version);
    if (Math.abs(x - place.x) < 1 && Math.abs(y - place.y) < 1) return target;
  }
  return toPixel(place, output.size, output.logical);
}
