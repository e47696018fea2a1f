/**
 * Moves the mouse and the keyboard that an X server has itself: XTEST makes events of any device that
 * is named (Xlib's XTestFakeDeviceMotionEvent and XTestFakeDeviceKeyEvent; `xtestproto.h`,
 * `XIproto.h`). For the server and its clients they are those of the device.
 */

import { Buffer } from "node:buffer";
import type { Callback } from "../../src/platform/linux/x11/client.ts";
import { TestX } from "./x_client.ts";

interface Extension {
  readonly majorOpcode: number;
  readonly firstEvent: number;
}

interface XInput extends Extension {
  ListInputDevices(callback: Callback<readonly Device[]>): void;
}

interface Device {
  readonly id: number;
  readonly use: number;
  readonly name: string;
}

const EXTENSION_KEYBOARD = 3;
const EXTENSION_POINTER = 4;
const FAKE_INPUT = 2;
/** Counted from the first event of the X Input Extension. */
const EVENTS = { valuator: 0, keyPress: 1, keyRelease: 2, buttonPress: 3, motion: 5 } as const;
const REQUEST_BYTES = 36;
const EVENT_BYTES = 32;
const RELATIVE = 1;
/** XInput 2: the request that attaches devices to the cursor, whose pointer is always number 2. */
const CHANGE_HIERARCHY = 43;
const ATTACH = 3;
const DETACH = 4;
const CORE_POINTER = 2;

export class RealDevices implements Disposable {
  private constructor(
    readonly x: TestX,
    private readonly xtest: Extension,
    private readonly xinput: XInput,
    private readonly mouse: number,
    private readonly keyboard: number,
  ) {}

  static async open(display: string): Promise<RealDevices> {
    const x = await TestX.open(display);
    const require = <T>(name: string) => x.call<T>((done) => x.client.require(name, done as never));
    const xtest = await require<Extension>("xtest");
    const xinput = await require<XInput>("xinput");
    const all = await x.call<readonly Device[]>((done) => xinput.ListInputDevices(done));
    const find = (use: number) =>
      all.find((each) => each.use === use && !each.name.includes("XTEST"))!.id;
    return new RealDevices(x, xtest, xinput, find(EXTENSION_POINTER), find(EXTENSION_KEYBOARD));
  }

  /** Moves the mouse by so many pixels. */
  async move(dx: number, dy: number): Promise<void> {
    const packet = this.#packet(this.mouse, EVENTS.motion, { detail: RELATIVE, valuators: 1 });
    packet[REQUEST_BYTES] = this.xinput.firstEvent + EVENTS.valuator;
    packet[REQUEST_BYTES + 1] = this.mouse;
    packet[REQUEST_BYTES + 6] = 2;
    packet.writeInt32LE(dx, REQUEST_BYTES + 8);
    packet.writeInt32LE(dy, REQUEST_BYTES + 12);
    await this.#send(packet);
  }

  async press(button: number): Promise<void> {
    await this.#send(this.#packet(this.mouse, EVENTS.buttonPress, { detail: button }));
  }

  async pressKey(keycode: number): Promise<void> {
    await this.#send(this.#packet(this.keyboard, EVENTS.keyPress, { detail: keycode }));
  }

  async releaseKey(keycode: number): Promise<void> {
    await this.#send(this.#packet(this.keyboard, EVENTS.keyRelease, { detail: keycode }));
  }

  /** From now on the mouse does not move the cursor. */
  async detachMouse(): Promise<void> {
    await this.#changeHierarchy(DETACH, 0);
  }

  async attachMouse(): Promise<void> {
    await this.#changeHierarchy(ATTACH, CORE_POINTER);
  }

  [Symbol.dispose](): void {
    this.x[Symbol.dispose]();
  }

  async #changeHierarchy(change: number, master: number): Promise<void> {
    const packet = Buffer.alloc(16);
    packet[0] = this.xinput.majorOpcode;
    packet[1] = CHANGE_HIERARCHY;
    packet.writeUInt16LE(packet.length / 4, 2);
    packet[4] = 1;
    [change, 2, this.mouse, master].forEach((word, at) => packet.writeUInt16LE(word, 8 + 2 * at));
    await this.#send(packet);
  }

  #packet(device: number, event: number, { detail = 0, valuators = 0 }): Buffer {
    const packet = Buffer.alloc(REQUEST_BYTES + valuators * EVENT_BYTES);
    packet[0] = this.xtest.majorOpcode;
    packet[1] = FAKE_INPUT;
    packet.writeUInt16LE(packet.length / 4, 2);
    packet[4] = this.xinput.firstEvent + event;
    packet[5] = detail;
    packet[REQUEST_BYTES - 1] = device;
    return packet;
  }

  /** Resolves when the server has done it. */
  async #send(packet: Buffer): Promise<void> {
    const { client } = this.x;
    client.seq_num++;
    client.pack_stream.put(packet);
    client.pack_stream.submit();
    await this.x.pointer();
  }
}
