/** The input devices on a test's sway, without the service around them. */

import type { Input, Keyboard, Mouse } from "../../../../../src/platform/types/mod.ts";
import { findKey } from "../../../../../src/platform/keys.ts";
import { requireCapability } from "../../../../../src/platform/capability.ts";
import { WaylandClient } from "../../../../../src/platform/linux/wayland/client.ts";
import { EventClock } from "../../../../../src/platform/linux/wayland/seat.ts";
import { openKeymap } from "../../../../../src/platform/linux/wayland/keymap/keymap.ts";
import {
  VirtualKeyboard,
} from "../../../../../src/platform/linux/wayland/wlroots/virtual_keyboard.ts";
import { WlrootsDevices } from "../../../../../src/platform/linux/wayland/wlroots/devices.ts";
import type { WaylandDesktop } from "../../../../support/wayland/desktop.ts";

export interface TestDevices extends AsyncDisposable {
  readonly client: WaylandClient;
  readonly devices: WlrootsDevices;
  readonly input: Input;
  readonly mouse: Mouse;
  readonly keyboard: Keyboard;
  /** Types a text as fast as it may be. */
  type(text: string): Promise<void>;
  /** Presses and releases a combination. */
  key(...names: readonly string[]): Promise<void>;
  /** For the clients that are opened through the service's operations. */
  press(operation: string, body: Record<string, unknown>): Promise<void>;
}

export const SETTLE_MS = 20;

/** A keyboard of somebody else's. */
export interface OtherKeyboard extends Disposable {
  press(keycode: number): Promise<void>;
  release(keycode: number): Promise<void>;
}

/** Attaches a keyboard with layouts of its own, on which Shift was just pressed. */
export async function attachKeyboard(
  { socket }: Pick<WaylandDesktop, "socket">,
  layouts: string,
): Promise<OtherKeyboard> {
  const client = await WaylandClient.open(socket);
  const keymap = openKeymap({ layouts });
  const manager = client.bind("zwp_virtual_keyboard_manager_v1", 1);
  const object = manager.send("create_virtual_keyboard", client.bind("wl_seat", 1));
  const device = new VirtualKeyboard(object, new EventClock(), keymap);
  device.load(keymap.text, keymap);
  async function press(keycode: number): Promise<void> {
    device.press(keycode);
    await client.roundtrip();
  }
  async function release(keycode: number): Promise<void> {
    device.release(keycode);
    await client.roundtrip();
  }
  await press(SHIFT_KEYCODE);
  await release(SHIFT_KEYCODE);
  return { press, release, [Symbol.dispose]: () => client[Symbol.dispose]() };
}

export const SHIFT_KEYCODE = 42;

export async function openDevices(
  desktop: Pick<WaylandDesktop, "socket">,
  { settleMs = SETTLE_MS }: { readonly settleMs?: number } = {},
): Promise<TestDevices> {
  await using opening = new AsyncDisposableStack();
  const client = opening.use(await WaylandClient.open(desktop.socket));
  const devices = opening.use(await WlrootsDevices.open(client, { keymapSettleMs: settleMs }));
  const output = { x: 0, y: 0, width: 1280, height: 800 };
  const port = devices.makeInput(1, () => ({ output, scale: 1, desktop: output }));
  const input = requireCapability(port);
  const keyboard = requireCapability(input.keyboard);
  const open = opening.move();
  async function key(...names: readonly string[]): Promise<void> {
    const keys = names.map((name) => findKey(name)!);
    await keyboard.prepare(keys);
    for (const each of keys) keyboard.press(each);
    for (const each of keys.toReversed()) keyboard.release(each);
    await input.confirm();
  }
  return {
    ...{ client, devices, input, keyboard, key },
    mouse: input.mouse,
    type: (text) => typeText(input, keyboard, text),
    press: (_operation, body) => key(...String(body["key"]).split("+")),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

async function typeText(input: Input, keyboard: Keyboard, text: string): Promise<void> {
  await using plan = await keyboard.plan(text, { delayMs: 0 });
  for (let start = 0; start < plan.length; start += plan.sliceSize) {
    await plan.send(start, Math.min(plan.length, start + plan.sliceSize));
    await input.confirm();
  }
}
