/** --virtual-display wayland: a real sway without a screen, supervised. */

import { expect } from "expect";
import { openLinux } from "../../../../src/platform/linux/mod.ts";
import { fakeConfig, fakeHost, fakeServers } from "../../../support/fake_host.ts";
import { type RunningCommand, startCommand } from "../../../support/command.ts";
import { testFolder } from "../../../support/folder.ts";
import { isRunning } from "../../../support/processes.ts";
import { waitFor } from "../../../support/wait.ts";
import { processIds } from "../../../real_programs/support/processes.ts";
import { missingFor } from "../../../support/wayland/desktop.ts";
import { succeeds, testIf } from "../../../support/test_if.ts";

// as root sway runs as a user of a namespace, which a container may refuse
const mayRun = Deno.uid() !== 0 || await succeeds("unshare", ["--user", "true"]);
const missing = missingFor("sway") ?? (mayRun ? undefined : "root may not make a user namespace");
const test = testIf(missing === undefined, missing ?? "");

interface Virtual extends AsyncDisposable {
  readonly service: RunningCommand;
  /** Where its sockets are. */
  readonly folder: string;
  /** The process of the compositor, which runs now. */
  compositor(): number | undefined;
  /** Runs a command of the service's shell; gives its output. */
  shell(command: string): Promise<string>;
}

async function start(
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Virtual> {
  await using opening = new AsyncDisposableStack();
  const state = opening.use(await testFolder());
  const args = [...flags, "--state-dir", state.path, "--keychain", "file"];
  const all = { DISPLAY: ":4095", ...env };
  const service = opening.use(await startCommand([...args, "--no-setup"], all));
  const folder = `${state.path}/wayland-${service.pid}`;
  const open = opening.move();
  return {
    service,
    folder,
    compositor: () => processIds().find((pid) => isCompositor(pid, folder)),
    async shell(command) {
      const answer = await service.post("/api/bash/command", { command });
      return (await answer.json()).output;
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function isCompositor(pid: number, folder: string): boolean {
  try {
    if (Deno.readTextFileSync(`/proc/${pid}/comm`).trim() !== "sway") return false;
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`).includes(folder) && isRunning(pid);
  } catch {
    return false; // it has ended
  }
}

test("--virtual-display wayland gives a display of the size, and commands its WAYLAND_DISPLAY", async () => {
  await using virtual = await start(["--virtual-display", "wayland:640x480"]);
  const { service, folder } = virtual;
  const size = await fetch(`${service.address}/api/display/screen_size`);
  expect([size.status, await size.json()]).toEqual([200, { width: 640, height: 480 }]);
  expect((await service.post("/api/mouse/move", { x: 12, y: 34 })).status).toBe(204);
  const said = await virtual.shell('echo "$WAYLAND_DISPLAY|$DISPLAY"');
  expect(said).toBe(`${folder}/wayland-1|\n`);
  expect(await virtual.shell('echo "$XDG_RUNTIME_DIR"')).toBe(`${folder}\n`);
  const { mode } = await Deno.stat(folder);
  expect(mode! & 0o777).toBe(0o700);
  expect(service.output.seen.join("\n")).toContain("a virtual display of Wayland of 640x480");
});

for (const display of ["wayland", "640x480"]) {
  test(`programs on --virtual-display ${display} have the locale of the service, and one with all characters without`, async () => {
    for (const [locale, expected] of [["", "C.UTF-8"], ["C", "C"]] as const) {
      const env = { LANG: locale, LC_ALL: "", LC_CTYPE: "" };
      await using virtual = await start(["--virtual-display", display], env);
      expect(await virtual.shell('echo "$LANG"')).toBe(`${expected}\n`);
    }
  });
}

test("the compositor of a virtual display is started again at the same socket when it dies", async () => {
  await using virtual = await start(["--virtual-display", "wayland"]);
  const before = virtual.compositor()!;
  const socket = await virtual.shell('echo "$WAYLAND_DISPLAY"');
  Deno.kill(before, "SIGKILL");
  await waitFor(() => !isRunning(before), { what: "its end" });
  await waitFor(async () => {
    const answer = await virtual.service.post("/api/mouse/move", { x: 1, y: 2 });
    await answer.body?.cancel();
    return answer.status === 204;
  }, { what: "the display to be back" });
  expect(virtual.compositor()).not.toBe(before);
  expect(await virtual.shell('echo "$WAYLAND_DISPLAY"')).toBe(socket);
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`no compositor and no folder is left after the service has ended by ${signal}`, async () => {
    await using virtual = await start(["--virtual-display", "wayland"]);
    const pid = await waitFor(() => virtual.compositor(), { what: "the compositor" });
    virtual.service.signal(signal);
    await virtual.service.ended;
    await waitFor(() => !isRunning(pid), { what: "its end" });
    const isGone = () => Deno.stat(virtual.folder).then(() => false, () => true);
    await waitFor(isGone, { what: "the end of its folder" });
  });
}

Deno.test("--virtual-display of Wayland installs sway as root, where it may", async () => {
  const config = fakeConfig({ virtualDisplay: { width: 800, height: 600, server: "wayland" } });
  const host = fakeHost({ uid: 0, programs: ["apt-get", "Xvfb"] });
  await using _platform = await openLinux(host, config, fakeServers());
  expect(host.said).toEqual(["Installing sway (for a virtual display) with apt-get ..."]);
});

Deno.test("--virtual-display of Wayland without sway says how to get it", async () => {
  const config = fakeConfig({
    virtualDisplay: { width: 800, height: 600, server: "wayland" },
    setup: false,
  });
  const host = fakeHost({ uid: 0, programs: ["apt-get", "Xvfb"], env: { DISPLAY: ":0" } });
  await using platform = await openLinux(host, config, fakeServers({ ":0": "open" }));
  const { ready, reason } = await platform.displays.readiness();
  expect(ready).toBe(false);
  expect(reason).toContain("needs sway, which is not installed: run: apt-get install -y sway");
});
