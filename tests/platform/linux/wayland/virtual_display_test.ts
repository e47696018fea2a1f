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
import { testIf } from "../../../support/test_if.ts";

const missing = missingFor("sway");
const test = testIf(missing === undefined, missing ?? "");

interface Virtual extends AsyncDisposable {
  readonly service: RunningCommand;
  /** Where its sockets are. */
  readonly folder: string;
  /** The process of the compositor, which runs now. */
  compositor(): number | undefined;
}

async function start(flags: readonly string[]): Promise<Virtual> {
  await using opening = new AsyncDisposableStack();
  const state = opening.use(await testFolder());
  const args = [...flags, "--state-dir", state.path, "--keychain", "file"];
  const service = opening.use(await startCommand([...args, "--no-setup"], { DISPLAY: ":4095" }));
  const folder = `${state.path}/wayland-${service.pid}`;
  const open = opening.move();
  return {
    service,
    folder,
    compositor: () => processIds().find((pid) => isCompositor(pid, folder)),
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
