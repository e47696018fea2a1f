/** Compositors that end in the middle, and those that lack what input needs. */

import { expect } from "expect";
import { ServiceError } from "../../../../../src/core/errors.ts";
import { WaylandClient } from "../../../../../src/platform/linux/wayland/client.ts";
import { findKey } from "../../../../../src/platform/keys.ts";
import { openKeymap } from "../../../../../src/platform/linux/wayland/keymap/keymap.ts";
import { ScratchKeys } from "../../../../../src/platform/linux/wayland/keymap/scratch_keys.ts";
import { WlrootsDevices } from "../../../../../src/platform/linux/wayland/wlroots/devices.ts";
import { openTextClient } from "../../../../support/wayland/clients.ts";
import {
  missingFor,
  startWaylandDesktop,
  type WaylandDesktop,
} from "../../../../support/wayland/desktop.ts";
import { WaylandProxy } from "../../../../support/wayland/proxy.ts";
import { waitFor } from "../../../../support/wait.ts";
import { testIf } from "../../../../support/test_if.ts";
import { openDevices, SETTLE_MS, type TestDevices } from "./devices.ts";

const missing = missingFor("sway", ["foot"]);
const test = testIf(missing === undefined, missing ?? "");

test(
  "a compositor that dies in the middle of a text is unavailable, and works when it is back",
  async () => {
    await using desktop = await startWaylandDesktop("sway");
    {
      await using devices = await openDevices(desktop);
      const typing = devices.type("é漢x".repeat(20_000));
      typing.catch(() => {}); // looked at below
      await devices.client.roundtrip();
      await desktop.crash();
      await expect(typing).rejects.toThrow(ServiceError);
      expect(await typing.catch(({ code }) => code)).toBe("unavailable");
      expect(devices.client.connected).toBe(false);
      await expect(devices.input.releaseAll()).rejects.toMatchObject({ code: "unavailable" });
    }
    await desktop.restart();
    await using again = await openDevices(desktop);
    await using program = await openTextClient(desktop, "foot", again.press);
    await again.type("back é漢😀");
    expect(await program.received("back é漢😀")).toBe("back é漢😀");
  },
);

test("a text that is stopped while keys change hands leaves the next one whole", async () => {
  await using desktop = await startWaylandDesktop("sway");
  await using devices = await openDevices(desktop, { settleMs: 60_000 });
  await using _program = await openTextClient(desktop, "foot", devices.press);
  const text = String.fromCodePoint(...Array.from({ length: 300 }, (_, index) => 0x5000 + index));
  {
    await using plan = await devices.keyboard.plan(text, { delayMs: 0 });
    const controller = new AbortController();
    const sending = plan.send(0, plan.length, controller.signal) as Promise<void>;
    sending.catch(() => {}); // looked at below
    const { capacity } = new ScratchKeys(openKeymap({ layouts: "us" }));
    await waitFor(() => receivedBy(desktop, "")!.length === capacity, { what: "a full keymap" });
    controller.abort(new Error("stopped"));
    await expect(sending).rejects.toThrow("stopped");
  }
  const next = text.slice(200, 210);
  await devices.type(next);
  const received = await waitFor(() => receivedBy(desktop, next), { what: "the next text" });
  const typed = received.slice(0, -next.length);
  expect(typed.length).toBeLessThan(text.length);
  expect(typed).toBe(text.slice(0, typed.length));
});

/** What the program in the terminal has got, once that ends with `end`. */
function receivedBy({ home }: WaylandDesktop, end: string): string | undefined {
  const folder = [...Deno.readDirSync(home)].find(({ name }) => name.startsWith("foot-"))!;
  const received = Deno.readTextFileSync(`${home}/${folder.name}/received`);
  return received.endsWith(end) ? received : undefined;
}

for (const how of ["is taken away", "ends with its connection"] as const) {
  test(`what is down on a device goes up when it ${how}`, async () => {
    await using desktop = await startWaylandDesktop("sway");
    await using other = await openDevices(desktop);
    await using program = await openTextClient(desktop, "foot", other.press);
    {
      await using devices = await openDevices(desktop);
      await pressAndLeave(devices);
      if (how === "ends with its connection") devices.client[Symbol.dispose]();
    }
    await other.type("x");
    expect(await program.received("x")).toBe("x");
  });
}

test("descriptors stay flat over many keymaps", async () => {
  await using desktop = await startWaylandDesktop("sway");
  await using devices = await openDevices(desktop);
  const rounds = Array.from(
    { length: 30 },
    (_, round) =>
      String.fromCodePoint(...Array.from({ length: 130 }, (_, i) => 0x4e00 + 130 * round + i)),
  );
  await devices.type(rounds[0]!);
  const before = openFiles();
  await devices.type(rounds.join(""));
  await devices.client.roundtrip();
  expect(openFiles()).toBeLessThanOrEqual(before);
});

function openFiles(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}

async function pressAndLeave({ keyboard, mouse, input }: TestDevices): Promise<void> {
  const keys = ["ctrl", "shift"].map((name) => findKey(name)!);
  await keyboard.prepare(keys);
  for (const key of keys) keyboard.press(key);
  mouse.move({ x: 5, y: 5 });
  mouse.press("left");
  await input.confirm();
}

const POINTERS = "zwlr_virtual_pointer_manager_v1";
const KEYBOARDS = "zwp_virtual_keyboard_manager_v1";

test("each protocol that is missing is a reason, and takes no more than it must", async () => {
  await using desktop = await startWaylandDesktop("sway");
  let count = 0;
  const lacking = async (...hidden: readonly string[]) => {
    using proxy = new WaylandProxy(`${desktop.runtime}/proxy-${++count}`, desktop.socket, {
      hidden,
    });
    using client = await WaylandClient.open(proxy.path);
    await using devices = await WlrootsDevices.open(client, { keymapSettleMs: SETTLE_MS });
    const output = { x: 0, y: 0, width: 1280, height: 800 };
    const input = devices.makeInput(1, () => ({ output, scale: 1, desktop: output }));
    if (!input.ready) return input.reason;
    const { keyboard } = input.use;
    return keyboard.ready ? "all is there" : `no keyboard: ${keyboard.reason}`;
  };
  expect(await lacking()).toBe("all is there");
  expect(await lacking("wl_seat")).toMatch(/has no wl_seat$/);
  expect(await lacking(POINTERS)).toContain("does not allow programs to move the mouse");
  expect(await lacking(KEYBOARDS)).toMatch(
    /^no keyboard: .*has no zwp_virtual_keyboard_manager_v1/,
  );
  expect(await lacking("zwp_input_method_manager_v2")).toBe("all is there");
});
