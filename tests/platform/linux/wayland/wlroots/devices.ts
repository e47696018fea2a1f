/** The input devices on a test's sway, without the service around them. */

import type { Input, Keyboard, Mouse } from "../../../../../src/platform/types/mod.ts";
import { findKey } from "../../../../../src/platform/keys.ts";
import { requirePort } from "../../../../../src/platform/open_port.ts";
import { WaylandClient } from "../../../../../src/platform/linux/wayland/client.ts";
import { WlrootsDevices } from "../../../../../src/platform/linux/wayland/wlroots/devices.ts";
import type { Size } from "../../../../../src/core/geometry.ts";
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

export async function openDevices(
  desktop: Pick<WaylandDesktop, "socket">,
  size: Size = { width: 1280, height: 800 },
): Promise<TestDevices> {
  await using opening = new AsyncDisposableStack();
  const client = opening.use(await WaylandClient.open(desktop.socket));
  const devices = opening.use(await WlrootsDevices.open(client, { keymapSettleMs: SETTLE_MS }));
  const output = client.bind("wl_output", 2);
  const port = devices.inputFor({ displayNum: 1, output, size: () => size });
  const input = requirePort(port);
  const keyboard = requirePort(input.keyboard);
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
