/** What is special about GNOME by Mutter's remote desktop: secrets, locks, monitors, and its end. */

import { expect } from "expect";
import { openBus } from "../../../../../src/platform/linux/bus/message_bus.ts";
import { SERVICES } from "../../../../../src/platform/linux/wayland/mutter/session.ts";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";
import { openWaylandChromium } from "../../../../support/wayland/chromium.ts";
import { openTextClient } from "../../../../support/wayland/clients.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { startUserService } from "../../../../support/wayland/user_service.ts";

const MISSING = missingFor("mutter", ["chromium", "zenity"]);
const test = testIf(MISSING === undefined, MISSING ?? "");
const MUTTER = ["--wayland-backend", "mutter"];
const OFF_LAYOUT = "é漢😀";
/** Its serial, and of its first monitor the connector and the first mode. */
type CurrentState = readonly [number, readonly [readonly [readonly [string], readonly [[string]]]]];
const FIELD = `<textarea id="text" autofocus style="width: 100%; height: 90vh"></textarea>`;

test("--no-clipboard-typing and secrets: what no key has is refused before anything is typed", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, [...MUTTER, "--no-clipboard-typing"]);
  const type = (body: unknown) =>
    service.send("/api/keyboard/type", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const refused = await type({ text: `a${OFF_LAYOUT}` });
  expect([refused.status, (await refused.json()).detail]).toEqual([
    501,
    expect.stringContaining("--no-clipboard-typing"),
  ]);
  expect((await type({ text: "plain" })).status).toBe(200);
});

test("a secret never touches the clipboard", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, MUTTER);
  await service.call("keychain/set-item", {
    service: "a",
    item: { password: OFF_LAYOUT, pin: "1aB" },
  });
  await using client = await openTextClient(desktop, "zenity", service.call);
  const send = (name: string) =>
    service.send("/api/keyboard/type", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ secret: { service: "a", field: name } }),
    });
  const refused = await send("password");
  expect([refused.status, (await refused.json()).detail]).toEqual([
    501,
    expect.stringContaining("not used for secrets"),
  ]);
  expect((await send("pin")).status).toBe(200);
  expect(await client.received("1aB")).toBe("1aB");
});

test("Caps Lock does not change what is typed, and is on again afterwards", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, MUTTER);
  await using browser = await openWaylandChromium(desktop, { body: FIELD });
  await service.call("keyboard/key", { key: "capslock" });
  await service.call("keyboard/type", { text: "aB1!" });
  await browser.expectValue("#text", "aB1!");
  await service.call("keyboard/key", { key: "x" });
  await browser.expectValue("#text", "aB1!X");
});

test("each monitor is a display, with pictures and positions of its own", async () => {
  await using desktop = await startWaylandDesktop("mutter", {
    width: 800,
    height: 600,
    outputs: 2,
  });
  await using service = await startUserService(desktop, MUTTER);
  const displays = await service.get("display/list");
  expect(displays).toMatchObject([
    { display_num: 1, width: 800, height: 600, primary: true },
    { display_num: 2, width: 800, height: 600, primary: false },
  ]);
  for (const display_num of [2, 1]) {
    await service.call("mouse/move", { x: 700, y: 500, display_num });
    const position = await waitFor(() => service.get(`mouse/position?display_num=${display_num}`));
    expect(position).toEqual({ x: 700, y: 500 });
  }
  const missing = await service.send("/api/display/screenshot?display_num=3");
  expect([missing.status, (await missing.json()).detail]).toEqual([
    503,
    expect.stringContaining("Cannot open display 3"),
  ]);
});

test("at another scale the coordinates are still the pixels of the picture", async () => {
  await using desktop = await startWaylandDesktop("mutter", { width: 2560, height: 1600 });
  using bus = await openBus(desktop.env["DBUS_SESSION_BUS_ADDRESS"]!);
  await using service = await startUserService(desktop, MUTTER);
  const config = SERVICES.displayConfig;
  const { body } = await bus.call({ ...config, member: "GetCurrentState" });
  const [serial, [[[connector], [[mode]]]]] = body as unknown as CurrentState;
  const monitors = [[0, 0, 2, 0, true, [[connector, mode, []]]]];
  await bus.call({
    ...config,
    member: "ApplyMonitorsConfig",
    signature: "uua(iiduba(ssa{sv}))a{sv}",
    body: [serial, 1, monitors, []],
  });
  await waitFor(async () => (await service.get("display/list"))[0].scale === 2, {
    what: "the scale in the list",
  });
  const page = { body: `<style>html { background: rgb(0, 200, 40) }</style>` };
  await using browser = await openWaylandChromium(desktop, page, { width: 1280, height: 800 });
  expect(await browser.evaluate("devicePixelRatio")).toBe(2);
  for (const corner of [{ x: 0, y: 0 }, { x: 2559, y: 1599 }]) { // once its window shows
    const isShown = async () =>
      `${await service.call("display/pixel_color", corner)}` === "0,200,40";
    await waitFor(isShown, { what: "the page in the picture" });
  }
  for (const [x, y] of [[101, 203], [2558, 1598], [640, 400]] as const) {
    browser.clear();
    await service.call("mouse/left-click", { x, y });
    await browser.waitFor(
      ([event]) => event?.clientX === Math.floor(x / 2) && event.clientY === Math.floor(y / 2),
      {
        type: "mousedown",
      },
    );
  }
  const size = await service.get("display/screen_size");
  expect(size).toEqual({ width: 2560, height: 1600 });
});

test("a compositor that dies in the middle of a text is 503, and used again when it is back", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, MUTTER);
  const post = (operation: string, body: unknown) =>
    service.send(`/api/${operation}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await service.call("keyboard/hold", { key: "shift" });
  await service.call("keyboard/release", { key: "shift" });
  const typing = post("keyboard/type", { text: "x".repeat(2_000), typing_delay: 10 });
  await desktop.crash();
  expect((await typing).status).toBe(503);
  const gone = await post("mouse/move", { x: 1, y: 1 });
  expect([gone.status, (await gone.json()).detail]).toEqual([
    503,
    expect.stringContaining("annot"),
  ]);
  await desktop.restart();
  await waitFor(async () => (await post("mouse/move", { x: 1, y: 1 })).status === 204, {
    what: "the display to be back",
  });
  await using client = await openTextClient(desktop, "zenity", service.call);
  await service.call("keyboard/type", { text: `again ${OFF_LAYOUT}` });
  expect(await client.received(`again ${OFF_LAYOUT}`)).toBe(`again ${OFF_LAYOUT}`);
});
