/** The service beside a real Wayland compositor (sway without a screen): an honest 501, and --virtual-display works. */

import { expect } from "expect";
import { thisHost } from "../../../src/platform/host.ts";
import { openLinux } from "../../../src/platform/linux/mod.ts";
import { startCommand } from "../../support/command.ts";
import { fakeConfig, fakeServers } from "../../support/fake_host.ts";
import { testFolder } from "../../support/folder.ts";
import { waitFor } from "../../support/wait.ts";

interface Compositor extends AsyncDisposable {
  /** The environment of its session. */
  readonly env: Readonly<Record<string, string>>;
}

const NOBODY = 65_534;

async function startSway(): Promise<Compositor> {
  const folder = await testFolder();
  await Deno.chmod(folder.path, 0o700);
  const config = `${folder.path}/config`;
  await Deno.writeTextFile(config, "xwayland disable\n");
  const isRoot = Deno.uid() === 0;
  if (isRoot) await Deno.chown(folder.path, NOBODY, NOBODY); // sway refuses to run as root
  const user = isRoot
    ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
    : [];
  const [program, ...args] = [...user, "sway", "--config", config];
  const child = new Deno.Command(program!, {
    args,
    clearEnv: true,
    env: {
      ...{ PATH: Deno.env.get("PATH")!, HOME: folder.path, XDG_RUNTIME_DIR: folder.path },
      ...{ WLR_BACKENDS: "headless", WLR_LIBINPUT_NO_DEVICES: "1", WLR_RENDERER: "pixman" },
    },
    ...{ stdin: "null", stdout: "null", stderr: "null" } as const,
  }).spawn();
  const socket = await waitFor(() => {
    const names = [...Deno.readDirSync(folder.path)].map(({ name }) => name);
    return names.find((name) => /^wayland-\d+$/.test(name));
  }, { what: "the compositor" });
  return {
    env: { XDG_RUNTIME_DIR: folder.path, WAYLAND_DISPLAY: socket },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      await folder[Symbol.asyncDispose]();
    },
  };
}

for (const session of ["with its variables", "by its socket alone"]) {
  Deno.test(`a real Wayland session is refused with 501 and what works, ${session}`, async () => {
    await using sway = await startSway();
    const { WAYLAND_DISPLAY: _, ...socketOnly } = sway.env;
    const env = session === "by its socket alone" ? socketOnly : sway.env;
    // no X server answers, whatever else runs on this computer
    await using platform = await openLinux({ ...thisHost(), env }, fakeConfig(), fakeServers());
    const refusal = await Promise.resolve(platform.displays.open(1)).catch((error) => error);
    expect([refusal.status, refusal.message]).toEqual([
      501,
      expect.stringMatching(/^This is a Wayland session .*XWayland.*--virtual-display$/),
    ]);
    expect(platform.backends()[0]!.reason).toBe(refusal.message);
  });
}

Deno.test("--virtual-display works beside a real Wayland session", async () => {
  await using sway = await startSway();
  await using service = await startCommand(["--virtual-display", "320x240"], sway.env);
  const answer = await fetch(`${service.address}/api/display/screen_size`);
  expect([answer.status, await answer.json()]).toEqual([200, { width: 320, height: 240 }]);
});
