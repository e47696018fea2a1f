/** Consent by a desktop portal: asked for once, kept, refused, revoked, taken back, never answered. */

import { expect } from "expect";
import { grantPortal } from "../../../../../src/cli/grant/portal.ts";
import type { GrantRequest } from "../../../../../src/cli/command_line.ts";
import { createLog } from "../../../../../src/core/log.ts";
import { openBus } from "../../../../../src/platform/linux/bus/message_bus.ts";
import { Consent } from "../../../../../src/platform/linux/wayland/portal/backend.ts";
import { grantRecordPath } from "../../../../../src/platform/linux/wayland/portal/open_session.ts";
import { fakeHost } from "../../../../support/fake_host.ts";
import { testFolder } from "../../../../support/folder.ts";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";
import { startFakePortal, type Versions } from "../../../../support/wayland/fake_portal.ts";

const NEW: Versions = { RemoteDesktop: 2, ScreenCast: 5, Clipboard: 1 };
/** GNOME 43 and Plasma 5.27. */
const OLD: Versions = { RemoteDesktop: 1, ScreenCast: 4, Clipboard: 0 };

/** By then a busy computer shows a dialogue, too; less than callers wait. */
const SHOWN_MS = 2_000;

const test = testIf(Deno.build.os === "linux", "needs Linux");

async function startDesktop(versions: Versions) {
  await using opening = new AsyncDisposableStack();
  const portal = opening.use(await startFakePortal(versions));
  const folder = opening.use(await testFolder());
  const stateDir = `${folder.path}/state`;
  const env = { DBUS_SESSION_BUS_ADDRESS: portal.address };
  const host = fakeHost({ env });
  const at = { compositor: "1" };
  const all = opening.move();
  return {
    portal,
    said: host.said,
    at,
    path: grantRecordPath(stateDir),
    async grant(request: Partial<GrantRequest> = {}): Promise<string> {
      const whole = { kind: "grant", grant: "portal", remove: false, print: false } as const;
      const started = { env: {}, standalone: true, program: "/cc", script: "/m", deno: "2" };
      const launch = { version: "1", command: ["/cc"] };
      const options = { host, launch, started, cwd: "/" };
      return (await grantPortal({ ...whole, stateDir, ...request }, options)).join("\n");
    },
    /** The service, from its start on. */
    consent(times: { patienceMs?: number; dialogueMs?: number } = {}): Consent {
      return new Consent({
        stateDir,
        openBus: () => openBus(portal.address),
        compositorRun: () => at.compositor,
        log: createLog(() => {}),
        ...times,
      });
    },
    dialogues: async () => (await portal.log()).filter((line) => line === "dialogue").length,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test("a permission is asked for once, and restored at each start with the token of the last", async () => {
  await using desktop = await startDesktop(NEW);
  expect(await desktop.grant()).toContain("may see one monitor, use mouse and keyboard");
  expect(desktop.said.join(" ")).toContain("Allow remote interaction");
  expect((await Deno.stat(desktop.path)).mode! & 0o777).toBe(0o600);
  const tokens = [await Deno.readTextFile(desktop.path)];
  for (let start = 0; start < 3; start++) {
    using opened = await desktop.consent().open();
    expect(opened.control.require("mouse")).toBe(opened.pictures);
    expect(opened.pictures.monitors).toEqual([
      { node: 42, position: { x: 0, y: 0 }, size: { width: 1280, height: 800 } },
    ]);
    expect(opened.pictures.hasClipboard).toBe(true);
    tokens.push(await Deno.readTextFile(desktop.path));
  }
  expect(new Set(tokens).size).toBe(4);
  expect(await desktop.dialogues()).toBe(1);
});

test("without a grant nobody is asked, and the answer names the command", async () => {
  await using desktop = await startDesktop(NEW);
  await expect(desktop.consent().open()).rejects
    .toMatchObject({ status: 403, message: expect.stringContaining("grant portal") });
  expect(await desktop.portal.log()).toEqual([]);
});

test("a refused dialogue is 403, and grant portal stores nothing", async () => {
  await using desktop = await startDesktop(NEW);
  await desktop.portal.decide({ decision: "refuse" });
  await expect(desktop.grant()).rejects.toThrow(/refused: run computer-control grant portal/);
  await expect(Deno.stat(desktop.path)).rejects.toThrow(Deno.errors.NotFound);
});

test("a permission for this session only is not taken for one that is kept", async () => {
  await using desktop = await startDesktop(NEW);
  await desktop.portal.decide({ remember: false });
  await expect(desktop.grant()).rejects.toThrow(/for this session only/);
  await expect(Deno.stat(desktop.path)).rejects.toThrow(Deno.errors.NotFound);
});

test("after a revoked permission the dialogue is named at once, and its answer counts", async () => {
  await using desktop = await startDesktop(NEW);
  await desktop.grant();
  await desktop.portal.revoke();
  await desktop.portal.decide({ decision: "wait" });
  const consent = desktop.consent({ patienceMs: 200 });
  for (let request = 0; request < 2; request++) {
    await expect(consent.open()).rejects
      .toMatchObject({ status: 403, message: expect.stringContaining("asks for consent again") });
  }
  // that of the grant, and one more; a busy computer shows it late
  await waitFor(async () => await desktop.dialogues() === 2, { what: "the second dialogue" });
  await desktop.portal.decide({ decision: "grant" });
  using _opened = await waitFor(() => consent.open(), { what: "the permission" });
  expect(await desktop.dialogues()).toBe(2);
});

test("a refused or unanswered dialogue is not shown again until there is another grant", async () => {
  await using desktop = await startDesktop(NEW);
  await desktop.grant();
  await desktop.portal.revoke();
  await desktop.portal.decide({ decision: "wait" });
  const consent = desktop.consent({ dialogueMs: SHOWN_MS });
  const refusal = { status: 403, message: expect.stringContaining("was not answered") };
  await expect(consent.open()).rejects.toMatchObject(refusal);
  await expect(consent.open()).rejects.toMatchObject(refusal);
  expect(await desktop.dialogues()).toBe(2);
  await waitFor(async () => (await desktop.portal.log()).includes("dialogue closed"));
  await desktop.portal.decide({ decision: "grant" });
  await desktop.grant();
  using _opened = await consent.open();
});

test("a session that the person stops does not come back by itself", async () => {
  await using desktop = await startDesktop(NEW);
  await desktop.grant();
  const consent = desktop.consent();
  using opened = await consent.open();
  await desktop.portal.stop();
  await waitFor(() => !opened.connected, { what: "the end of the session" });
  expect(() => opened.control.require("keyboard")).toThrow(/has ended the session/);
  const stopped = { status: 403, message: expect.stringContaining("has ended the session") };
  await waitFor(() => expect(consent.open()).rejects.toMatchObject(stopped).then(() => true));
  desktop.at.compositor = "2"; // a compositor that restarts ends sessions, too
  using _again = await consent.open();
});

test("a portal that restarts is used again", async () => {
  await using desktop = await startDesktop(OLD);
  await desktop.grant();
  const consent = desktop.consent();
  using opened = await consent.open();
  await desktop.portal.crash();
  await waitFor(() => !opened.connected, { what: "the end of the portal" });
  await expect(consent.open()).rejects.toMatchObject({ status: 503 });
  await desktop.portal.restart();
  using again = await consent.open();
  expect(again.connected).toBe(true);
});

test("where mouse and keyboard are not kept, each start asks for them beside kept pictures", async () => {
  await using desktop = await startDesktop(OLD);
  expect(await desktop.grant()).toContain("asks each time the service starts");
  await desktop.portal.decide({ decision: "wait" });
  using opened = await desktop.consent().open();
  expect(() => opened.control.require("mouse")).toThrow(
    /Mouse and keyboard are waiting for consent/,
  );
  await desktop.portal.decide({ decision: "grant" });
  const session = await waitFor(() => opened.control.require("mouse"), { what: "the consent" });
  expect(session).not.toBe(opened.pictures);
  expect(await desktop.dialogues()).toBe(2); // that of the grant, and that for mouse and keyboard
});

test("mouse and keyboard that the person left switched off are 403", async () => {
  await using desktop = await startDesktop(NEW);
  await desktop.portal.decide({ devices: 0 });
  expect(await desktop.grant()).toContain("but not use the mouse and the keyboard");
  using opened = await desktop.consent().open();
  for (const device of ["mouse", "keyboard"] as const) {
    expect(() => opened.control.require(device)).toThrow(/Allow remote interaction/);
  }
});

test("grant portal --remove forgets it", async () => {
  await using desktop = await startDesktop(NEW);
  expect(await desktop.grant({ remove: true })).toContain("Nothing is granted");
  await desktop.grant();
  expect(await desktop.grant({ remove: true })).toContain(`Removed "${desktop.path}"`);
  await expect(desktop.consent().open()).rejects.toMatchObject({ status: 403 });
});

test("a damaged or shared record is refused with what to do", async () => {
  await using desktop = await startDesktop(NEW);
  await desktop.grant();
  await Deno.chmod(desktop.path, 0o644);
  await expect(desktop.consent().open()).rejects.toThrow(/chmod 600/);
  await Deno.writeTextFile(desktop.path, "{");
  await Deno.chmod(desktop.path, 0o600);
  await expect(desktop.consent().open()).rejects.toThrow(
    /damaged; run computer-control grant portal/,
  );
});
