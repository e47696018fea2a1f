/** What keeps the mouse and keyboard of a Mac from being used: the documented error, and nothing stays pressed. */

import { expect } from "expect";
import { findKey } from "../../../src/platform/keys.ts";
import {
  commandsOf,
  inputOf,
  type MacService,
  openKeyboard,
  openMacPlatform,
  startMac,
  startMacService,
} from "../../support/mac.ts";
import type { Fault } from "../../support/mac_desktop.ts";

const WARNING = "WARNING: Accessibility privileges not enabled. Many actions may fail.\n" +
  "         Enable the checkbox for the containing app in:\n" +
  "         System Preferences → Security & Privacy → Accessibility\n";
const SETTING = "System Settings > Privacy & Security > Accessibility";

async function refused(service: MacService, path: string, body = {}): Promise<[number, string]> {
  const answer = await service.post(path, body);
  return [answer.status, (answer.body as { detail: string } | undefined)?.detail ?? ""];
}

Deno.test("without cliclick input is 501 and says how to install it; pictures work, and it is found when it comes", async () => {
  await using mac = await startMac();
  await Deno.rename(`${mac.path}/cliclick`, `${mac.path}/elsewhere`);
  await using service = await startMacService(mac);
  for (
    const [path, body] of [["/api/mouse/left-click", {}], ["/api/keyboard/key", {
      key: "a",
    }]] as const
  ) {
    const [status, detail] = await refused(service, path, body);
    expect(status).toBe(501);
    expect(detail).toBe("cliclick is not installed: run brew install cliclick");
  }
  const input = service.platform.backends()[1];
  expect(input).toMatchObject({ chosen: null, reason: expect.stringContaining("brew install") });
  expect((await service.platform.displays.readiness()).reason).toContain("brew install cliclick");
  expect(await service.post("/api/display/pixel_color", { x: 1, y: 2 })).toMatchObject({
    status: 200,
  });
  await Deno.rename(`${mac.path}/elsewhere`, `${mac.path}/cliclick`);
  expect((await refused(service, "/api/mouse/left-click"))[0]).toBe(204);
});

Deno.test("cliclick that goes away while the service runs is 503", async () => {
  await using mac = await startMac();
  await using platform = await openMacPlatform(mac);
  const input = await inputOf(platform);
  mac.uninstall("cliclick");
  input.mouse.move({ x: 1, y: 1 });
  await expect(input.confirm()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("brew install cliclick"),
  });
});

Deno.test("cliclick in Homebrew's folder is found without a PATH to it", async () => {
  await using mac = await startMac();
  mac.uninstall("cliclick");
  const host = { ...mac.host, exists: (path: string) => path === "/opt/homebrew/bin/cliclick" };
  await using platform = await openMacPlatform({ ...mac, host });
  expect((await platform.displays.open(1)).input.ready).toBe(true);
});

Deno.test("without Accessibility input is 403 and names the setting, by cliclick's own warning", async () => {
  await using mac = await startMac();
  mac.change(({ faults }) => faults.cliclick = { stderr: WARNING });
  await using service = await startMacService(mac);
  const operations = [
    ["/api/mouse/left-click", {}],
    ["/api/keyboard/key", { key: "ctrl+c" }],
    ["/api/keyboard/type", { text: "ab" }],
  ] as const;
  for (const [path, body] of operations) {
    const [status, detail] = await refused(service, path, body);
    expect(status).toBe(403);
    expect(detail).toContain(SETTING);
  }
  expect((await refused(service, "/api/system/release-all"))[0]).toBe(204);
  const position = await service.get("/api/mouse/position");
  expect(await position.json()).toEqual({ x: 5, y: 6 });
});

Deno.test("without Accessibility a text is refused before anything is typed or pasted", async () => {
  await using mac = await startMac();
  mac.change(({ answer }) => answer["accessibility"] = false);
  await using service = await startMacService(mac);
  for (const text of ["ab", "é"]) {
    const [status, detail] = await refused(service, "/api/keyboard/type", { text });
    expect(status).toBe(403);
    expect(detail).toContain(SETTING);
  }
  for (const name of ["scroll", "move", "drag"]) {
    const clicks = name === "scroll" ? { clicks: 1 } : {};
    expect((await refused(service, `/api/mouse/${name}`, { ...clicks, x: 1, y: 1 }))[0]).toBe(403);
  }
  const touched = mac.calls().filter(({ program, stdin }) =>
    program !== "osascript" && stdin !== "p:.\n"
  );
  expect(touched).toEqual([]);
  expect((await service.platform.displays.readiness()).reason).toContain(SETTING);
  expect(service.platform.backends()[1]!.reason).toContain(SETTING);
});

Deno.test("the wheel without Accessibility is 403 where only the event script finds out", async () => {
  await using mac = await startMac();
  mac.change(({ faults }) => faults.osascript = { untrusted: true });
  await using service = await startMacService(mac);
  const [status, detail] = await refused(service, "/api/mouse/scroll", { clicks: 1 });
  expect(status).toBe(403);
  expect(detail).toContain(SETTING);
});

const CLOSED = [
  { session: { locked: true, onConsole: true }, says: "the screen of this Mac is locked" },
  { session: { locked: false, onConsole: false }, says: "shows the session of another user" },
];
for (const { session, says } of CLOSED) {
  Deno.test(`a session that cannot be used is 503: ${says}`, async () => {
    await using mac = await startMac();
    mac.change(({ answer }) => answer["session"] = session);
    await using service = await startMacService(mac);
    const at = { x: 1, y: 1 };
    const requests = [["mouse/left-click", at], ["keyboard/type", { text: "a" }], [
      "display/pixel_color",
      at,
    ]] as const;
    for (const [path, body] of requests) {
      const [status, detail] = await refused(service, `/api/${path}`, body);
      expect(status).toBe(503);
      expect(detail).toContain(says);
    }
    const screenshot = await service.get("/api/display/screenshot");
    expect(screenshot.status).toBe(503);
    await screenshot.body?.cancel();
    expect(mac.calls().filter(({ program }) => program !== "osascript")).toEqual([]);
    expect(await service.platform.displays.readiness()).toMatchObject({ ready: false });
  });
}

Deno.test("a session that is locked between two operations gets no text", async () => {
  await using mac = await startMac();
  await using platform = await openMacPlatform(mac);
  const keyboard = await openKeyboard(platform);
  mac.change(({ answer }) => answer["session"] = { locked: true, onConsole: true });
  await expect(keyboard.plan("secret")).rejects.toMatchObject({ code: "unavailable" });
});

const FAILURES: readonly { readonly name: string; readonly fault: Fault; readonly says: string }[] =
  [
    { name: "fails half way", fault: { code: 1, after: 3, times: 1 }, says: "ended with 1" },
    { name: "hangs", fault: { hang: true, after: 3, times: 1 }, says: "did not end within" },
  ];
for (const { name, fault, says } of FAILURES) {
  Deno.test(`cliclick that ${name} is 503, and nothing stays pressed`, async () => {
    await using mac = await startMac();
    await using service = await startMacService(mac, { programMs: 2_000 });
    const operations = [
      ["/api/mouse/left-click", { x: 1, y: 1, modifiers: ["command", "shift"] }],
      ["/api/keyboard/key", { key: "ctrl+alt+t" }],
    ] as const;
    for (const [path, body] of operations) {
      mac.change(({ faults }) => faults.cliclick = { ...fault });
      const [status, detail] = await refused(service, path, body);
      expect(status).toBe(503);
      expect(detail).toContain(says);
      expect(mac.desktop.down).toEqual([]);
    }
    expect(commandsOf(mac.calls()).at(-1)).toEqual(["ku:alt,ctrl,shift"]); // t: may have held Shift
  });
}

for (const [button, shown] of [["left", "left"], ["middle", "button 2"]] as const) {
  Deno.test(`a drag with the ${button} button whose steps fail lets go of it`, async () => {
    await using mac = await startMac();
    await using service = await startMacService(mac);
    const { mouse, confirm } = await inputOf(service.platform);
    mouse.press(button);
    await confirm();
    expect(mac.desktop.down).toEqual([shown]);
    const fault = { code: 1, after: 0, times: 1 };
    mac.change(({ faults }) => faults[button === "left" ? "cliclick" : "osascript"] = fault);
    mouse.move({ x: 1, y: 1 });
    mouse.move({ x: 9, y: 9 });
    await expect(confirm()).rejects.toMatchObject({ code: "unavailable" });
    expect(mac.desktop.down).toEqual([]);
  });
}

Deno.test("a key that is held stays down when another operation fails", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  await service.post("/api/keyboard/hold", { key: "alt" });
  await service.post("/api/mouse/down", {});
  mac.change(({ faults }) => faults.cliclick = { code: 1, after: 1, times: 1 });
  expect((await refused(service, "/api/keyboard/key", { key: "ctrl+c" }))[0]).toBe(503);
  expect(mac.desktop.down).toEqual(["alt", "left"]);
  await service.post("/api/mouse/move", { x: 5, y: 5 });
  expect(commandsOf(mac.calls()).at(-1)).toEqual(["dm:5,5"]);
  await service.post("/api/system/release-all", {});
  expect(mac.desktop.down).toEqual([]);
});

Deno.test("release-all tries every program, and the next input releases what was not", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const { mouse, confirm, releaseAll } = await inputOf(service.platform);
  const keyboard = await openKeyboard(service.platform);
  for (const name of ["shift", "left"]) keyboard.press(findKey(name)!);
  mouse.press("middle");
  await confirm();
  expect(mac.desktop.down).toEqual(["button 2", "key 123", "shift"]);
  mac.change(({ faults }) => faults.cliclick = { code: 1, after: 0, times: 1 });
  await expect(releaseAll()).rejects.toMatchObject({ code: "unavailable" });
  expect(mac.desktop.down).toEqual(["shift"]);
  mac.calls();
  await service.post("/api/mouse/move", { x: 5, y: 5 });
  expect(mac.desktop.down).toEqual([]);
  await service.post("/api/mouse/move", { x: 6, y: 6 });
  expect(commandsOf(mac.calls())).toEqual([
    ["ku:alt,cmd,ctrl,fn,shift", "du:."],
    ["m:5,5"],
    ["m:6,6"],
  ]);
});

Deno.test("a paste that fails puts the pasteboard back and the command key up", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  mac.change(({ faults }) => faults.cliclick = { code: 1, after: 1, times: 1 });
  expect((await refused(service, "/api/keyboard/type", { text: "漢字" }))[0]).toBe(503);
  expect(mac.desktop).toMatchObject({ down: [], pasteboard: "from before\n", typed: "" });
});

Deno.test("a character without a key is told without naming it", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const stderr = "Unable to get key code for q (see https://example.org)\n";
  mac.change(({ faults }) => faults.cliclick = { stderr });
  const [status, detail] = await refused(service, "/api/keyboard/type", { text: "quiet" });
  expect(status).toBe(503);
  expect(detail).toContain("choose a Latin layout");
  expect(detail).not.toContain(" q ");
});
