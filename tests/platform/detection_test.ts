/** openPlatform(): which display is number 1, and what is said when there is none. */

import { expect } from "expect";
import type { Config } from "../../src/config/config.ts";
import { openLinux } from "../../src/platform/linux/mod.ts";
import { openPlatform } from "../../src/platform/mod.ts";
import {
  fakeConfig,
  fakeHost,
  type FakeHostOptions,
  fakeServers,
  type ServerState,
} from "../support/fake_host.ts";

interface Case {
  readonly name: string;
  readonly config?: Partial<Config>;
  readonly host?: FakeHostOptions;
  readonly servers?: Record<string, ServerState>;
  /** The reason that `backends()` gives for the display. */
  readonly found?: string;
  /** Whether display 1 is ready, and part of the sentence. */
  readonly ready: boolean;
  readonly reason: string;
}

const size = { width: 800, height: 600, server: "x11" } as const;
const xvfb = { programs: ["Xvfb"] };
const apt = { programs: ["apt-get"], uid: 0 };

const cases: Case[] = [
  {
    name: "--display comes before everything",
    config: { displays: new Map([[1, ":5"]]) },
    host: { env: { DISPLAY: ":0" } },
    servers: { ":5": "open", ":1": "open", ":0": "open" },
    ...{ found: 'display 1 is ":5": given by --display', ready: true, reason: '":5"' },
  },
  {
    name: "--display that is absent is waited for, not replaced",
    config: { displays: new Map([[1, ":5"]]) },
    host: { ...xvfb, env: { DISPLAY: ":0" } },
    servers: { ":1": "open", ":0": "open" },
    found: 'display 1 is ":5": given by --display, but it cannot be opened now: ' +
      'no X server answers at ":5"',
    ...{ ready: false, reason: 'Cannot open display 1: no X server answers at ":5"' },
  },
  {
    name: "--display that refuses is said to refuse",
    config: { displays: new Map([[1, ":5"]]) },
    servers: { ":5": "refused" },
    found: 'given by --display, but it cannot be opened now: the X server at ":5" refuses',
    ...{ ready: false, reason: 'the X server at ":5" refuses' },
  },
  {
    name: "--virtual-display comes before :1 and $DISPLAY",
    config: { virtualDisplay: size },
    host: { ...xvfb, env: { DISPLAY: ":0" } },
    servers: { ":1": "open", ":0": "open" },
    found: 'display 1 is ":42": a virtual display of 800x600, as requested by --virtual-display',
    ...{ ready: true, reason: '":42"' },
  },
  {
    name: "$DISPLAY comes before every guess",
    host: { env: { DISPLAY: ":0" } },
    servers: { ":1": "open", ":0": "open" },
    ...{ found: 'display 1 is ":0": it is $DISPLAY', ready: true, reason: '":0"' },
  },
  {
    name: "the server :1 is taken where no session says anything",
    servers: { ":1": "open" },
    found: 'display 1 is ":1": an X server of this user answered there',
    ...{ ready: true, reason: '":1"' },
  },
  {
    name: "a server :1 that is not our user's is left alone",
    host: xvfb,
    servers: { ":1": "not_ours" },
    found: "a virtual display of 1280x800, because this computer has no display",
    ...{ ready: true, reason: '":42"' },
  },
  {
    name: "a server :1 that is not our user's is named where no virtual display can start",
    servers: { ":1": "not_ours" },
    ...{ ready: false, reason: 'the X server at ":1" belongs to another user' },
  },
  {
    name: "a server :1 that $DISPLAY names is taken, whoever owns it",
    host: { env: { DISPLAY: ":1" } },
    servers: { ":1": "not_ours" },
    ...{ found: 'display 1 is ":1": it is $DISPLAY', ready: true, reason: '":1"' },
  },
  {
    name: "in a Wayland session no X server is guessed",
    host: { ...xvfb, env: { WAYLAND_DISPLAY: "wayland-0" } },
    servers: { ":1": "open" },
    ...{ ready: false, reason: "the Wayland compositor" },
  },
  {
    name: "a computer without a display gets a virtual one",
    host: xvfb,
    found: "a virtual display of 1280x800, because this computer has no display",
    ...{ ready: true, reason: '":42"' },
  },
  {
    name: "$DISPLAY that is absent is waited for",
    host: { ...xvfb, env: { DISPLAY: ":9" } },
    ...{ ready: false, reason: 'no X server answers at ":9"' },
  },
  {
    name: "a display that refuses is another message, and no virtual display replaces it",
    host: { ...xvfb, env: { DISPLAY: ":9" } },
    servers: { ":9": "refused" },
    ...{ ready: false, reason: 'the X server at ":9" refuses' },
  },
  {
    name: "a server :1 that refuses is not replaced by a virtual display",
    host: xvfb,
    servers: { ":1": "refused" },
    ...{ ready: false, reason: 'the X server at ":1" refuses' },
  },
  {
    name: "a Wayland session that is not named is refused with what works",
    host: { ...xvfb, env: { XDG_SESSION_TYPE: "wayland" } },
    found: "start the service with WAYLAND_DISPLAY set",
    ...{ ready: false, reason: "WAYLAND_DISPLAY, which names its compositor, is not set" },
  },
  {
    name: "--virtual-display works in a Wayland session",
    config: { virtualDisplay: size },
    host: { ...xvfb, env: { WAYLAND_DISPLAY: "wayland-0", XDG_SESSION_TYPE: "wayland" } },
    ...{ ready: true, reason: '":42"' },
  },
  {
    name: "a Wayland session whose X server is absent is waited for",
    host: { ...xvfb, env: { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":9" } },
    ...{ ready: false, reason: 'no X server answers at ":9"' },
  },
  {
    name: "a Wayland session with XWayland is used",
    host: { env: { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" } },
    servers: { ":0": "open" },
    ...{ ready: true, reason: '":0"' },
  },
  {
    name: "Xvfb is installed as root",
    host: apt,
    ...{ found: "a virtual display of 1280x800", ready: true, reason: '":42"' },
  },
  {
    name: "Xvfb is not installed with --no-setup",
    config: { setup: false },
    host: apt,
    ...{ ready: false, reason: "fonts-wqy-microhei (--no-setup prevents" },
  },
  {
    name: "Xvfb is not installed without root and without a terminal",
    host: { programs: ["apt-get", "sudo"] },
    ...{ ready: false, reason: "run: sudo apt-get install -y xvfb openbox" },
  },
  {
    name: "Xvfb is installed with sudo after a yes",
    host: { programs: ["apt-get", "sudo"], isTerminal: true, answer: true },
    ...{ ready: true, reason: '":42"' },
  },
  {
    name: "Xvfb is not installed after a no",
    host: { programs: ["apt-get", "sudo"], isTerminal: true, answer: false },
    ...{ ready: false, reason: "run: sudo apt-get install -y xvfb openbox" },
  },
  {
    name: "an installation that fails is reported",
    host: { ...apt, codes: { "apt-get": 100 } },
    ...{ ready: false, reason: "apt-get failed (E: it does not work)" },
  },
  {
    name: "a system without apt gets the package names",
    ...{
      ready: false,
      reason: "fonts-symbola, fonts-wqy-microhei with this system's package manager",
    },
  },
];

for (const { name, config, host, servers, found, ready, reason } of cases) {
  Deno.test(`openLinux(): ${name}`, async () => {
    await using platform = await openLinux(
      fakeHost(host),
      fakeConfig(config),
      fakeServers(servers),
    );
    const [display, input] = platform.backends(); // before anybody uses the display
    const readiness = await platform.displays.readiness();
    expect(readiness.reason).toContain(reason);
    expect(readiness.ready).toBe(ready);
    if (found !== undefined) expect(display!.reason).toContain(found);
    expect([display!.chosen, input!.chosen]).toEqual(ready ? ["x11", "x11"] : [null, null]);
  });
}

Deno.test("backends() follows a display that comes, goes and comes again", async () => {
  const servers = fakeServers();
  const config = fakeConfig({ displays: new Map([[1, ":5"]]) });
  await using platform = await openLinux(fakeHost(), config, servers);
  const chosen = () => platform.backends().map((choice) => choice.chosen);
  expect(chosen()).toEqual([null, null, "file"]);
  servers.states[":5"] = "open";
  await platform.displays.open(1);
  expect(chosen()).toEqual(["x11", "x11", "file"]);
  servers.crash(":5");
  expect(chosen()).toEqual([null, null, "file"]);
  expect(platform.backends()[0]!.reason).toContain("its server went away");
  servers.states[":5"] = "open";
  await platform.displays.open(1);
  expect(chosen()).toEqual(["x11", "x11", "file"]);
});

Deno.test("openLinux() asks nothing and installs nothing where a display exists", async () => {
  const host = fakeHost({ ...apt, isTerminal: true });
  await using _platform = await openLinux(host, fakeConfig(), fakeServers({ ":1": "open" }));
  expect([...host.ran, ...host.asked, ...host.said]).toEqual([]);
});

Deno.test("openLinux() says what it installs", async () => {
  const host = fakeHost(apt);
  await using _platform = await openLinux(host, fakeConfig(), fakeServers());
  expect(host.said).toEqual([
    "Installing xvfb openbox dbus-daemon at-spi2-core xterm fonts-dejavu-core fonts-symbola " +
    "fonts-wqy-microhei (for a virtual display) with apt-get ...",
  ]);
  expect(host.ran[0]).toContain("apt-get install -y --no-install-recommends xvfb openbox");
});

Deno.test("openLinux() drives xdotool when it is asked to", async () => {
  const config = fakeConfig({ backend: "xdotool" });
  const host = fakeHost({ programs: ["xdotool"] });
  await using platform = await openLinux(host, config, fakeServers({ ":1": "open" }));
  const { input } = await platform.displays.open(1);
  expect(input.ready && input.use.driver).toBe("xdotool");
  expect(platform.backends()[1]).toMatchObject({ job: "input", chosen: "xdotool" });
});

Deno.test("openPlatform() refuses the displays of another system with 501 and the reason", async () => {
  await using platform = await openPlatform(fakeHost({ os: "freebsd" }), fakeConfig());
  expect(() => platform.displays.open(1)).toThrow("freebsd");
  await expect(platform.displays.list()).rejects.toMatchObject({ code: "unsupported" });
  expect(await platform.displays.readiness()).toMatchObject({ ready: false });
  expect(platform.backends().map(({ chosen }) => chosen)).toEqual([null, null, "file"]);
});
