/** doctor in Wayland sessions, with and without a session bus. */

import { expect } from "expect";
import { runCommand } from "../support/command.ts";
import { doctor, readReport } from "../support/doctor.ts";
import { testFolder } from "../support/folder.ts";

const PORTAL = "org.freedesktop.portal.Desktop";

Deno.test("doctor sees a Wayland session whose compositor does not run", async () => {
  const { code, check } = await doctor([], { WAYLAND_DISPLAY: "wayland-7", DISPLAY: "" });
  expect(code).toBe(1);
  expect(check("session")).toMatchObject({ status: "ok", detail: "Wayland" });
  expect(check("compositor")).toMatchObject({ status: "note" });
  expect(check("protocols")).toMatchObject({ status: "note" });
  expect(check("portals")).toMatchObject({ status: "note" });
  expect(check("display")).toMatchObject({
    status: "failed",
    detail: expect.stringContaining("Wayland"),
    mend: expect.stringContaining("--virtual-display"),
  });
});

Deno.test("doctor sees a Wayland session that is not named", async () => {
  const { code, check } = await doctor([], { XDG_SESSION_TYPE: "wayland", DISPLAY: "" });
  expect(code).toBe(1);
  expect(check("session")).toMatchObject({
    ...{ status: "note", mend: expect.stringContaining("WAYLAND_DISPLAY=") },
  });
});

Deno.test("doctor asks a real session bus for the portals of a Wayland session", async () => {
  await using folder = await testFolder();
  const env = { WAYLAND_DISPLAY: "wayland-7", DISPLAY: "", XDG_DATA_HOME: folder.path };
  const ask = async () => {
    const args = ["doctor", "--json", "--port", "0", "--keychain", "file"];
    const bus = ["dbus-run-session", "--"];
    return readReport(await runCommand(args, env, Deno.execPath(), bus)).check(
      "portals",
    );
  };
  const isInstalled = await Deno.stat(`/usr/share/dbus-1/services/${PORTAL}.service`)
    .then(() => true, () => false);
  expect((await ask())?.detail).toMatch(
    isInstalled ? /^nobody has allowed/ : /^no xdg-desktop-portal/,
  );
  const services = `${folder.path}/dbus-1/services`;
  await Deno.mkdir(services, { recursive: true });
  const service = `[D-BUS Service]\nName=${PORTAL}\nExec=/bin/false\n`;
  await Deno.writeTextFile(`${services}/portal.service`, service);
  expect((await ask())?.detail).toMatch(/^nobody has allowed/);
});
