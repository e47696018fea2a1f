/** The service beside a real Wayland compositor (sway without a screen): one that is not named is refused, and --virtual-display works. */

import { expect } from "expect";
import { thisHost } from "../../../../src/platform/host.ts";
import { openLinux } from "../../../../src/platform/linux/mod.ts";
import { isWaylandOnly } from "../../../../src/platform/linux/wayland/backend.ts";
import { startCommand } from "../../../support/command.ts";
import {
  fakeConfig,
  fakeHost,
  type FakeHostOptions,
  fakeServers,
} from "../../../support/fake_host.ts";
import { testFolder } from "../../../support/folder.ts";
import { waitFor } from "../../../support/wait.ts";

const sessions: [string, FakeHostOptions, boolean][] = [
  ["WAYLAND_DISPLAY", { env: { WAYLAND_DISPLAY: "wayland-0" } }, true],
  ["XDG_SESSION_TYPE", { env: { XDG_SESSION_TYPE: "wayland" } }, true],
  ["a socket of the user", { exists: (path) => path === "/run/user/1000/wayland-1" }, true],
  ["a socket in XDG_RUNTIME_DIR", {
    env: { XDG_RUNTIME_DIR: "/run/me" },
    exists: (path) => path === "/run/me/wayland-0",
  }, true],
  ["a socket of somebody else", { exists: (path) => path === "/run/user/1001/wayland-0" }, false],
  ["DISPLAY beside it", { env: { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" } }, false],
  ["a session of X11", { env: { XDG_SESSION_TYPE: "x11", XDG_RUNTIME_DIR: "/run/me" } }, false],
  ["nothing", {}, false],
];

for (const [name, host, expected] of sessions) {
  Deno.test(`isWaylandOnly() by ${name}: ${expected}`, () => {
    expect(isWaylandOnly(fakeHost(host))).toBe(expected);
  });
}

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

Deno.test("a real Wayland session that is not named is refused with 501 and what to do", async () => {
  await using sway = await startSway();
  const { WAYLAND_DISPLAY: _, ...env } = sway.env;
  const servers = fakeServers({ ":1": "open" }); // of somebody else: it must not be guessed
  await using platform = await openLinux({ ...thisHost(), env }, fakeConfig(), servers);
  const refusal = await Promise.resolve(platform.displays.open(1)).catch((error) => error);
  expect([refusal.status, refusal.message]).toEqual([
    501,
    expect.stringMatching(/^This is a Wayland session.*WAYLAND_DISPLAY.*--virtual-display$/),
  ]);
  expect(platform.backends()[0]!.reason).toBe(refusal.message);
  expect(servers.opened).toEqual([]);
});

Deno.test("--virtual-display works beside a real Wayland session", async () => {
  await using sway = await startSway();
  await using service = await startCommand(["--virtual-display", "320x240"], sway.env);
  const answer = await fetch(`${service.address}/api/display/screen_size`);
  expect([answer.status, await answer.json()]).toEqual([200, { width: 320, height: 240 }]);
});
