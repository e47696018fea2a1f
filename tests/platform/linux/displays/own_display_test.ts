/** A backend with a display of its own: one entry of the table, on a computer without an X server. */

import { expect } from "expect";
import { type Config, readConfig } from "../../../../src/config/config.ts";
import { ServiceError } from "../../../../src/core/errors.ts";
import { Session } from "../../../../src/features/session.ts";
import { createApp } from "../../../../src/http/app.ts";
import { thisHost } from "../../../../src/platform/host.ts";
import { type Backend, BACKENDS } from "../../../../src/platform/linux/displays/backends.ts";
import type { LinuxDisplay } from "../../../../src/platform/linux/linux_display.ts";
import { openLinux } from "../../../../src/platform/linux/mod.ts";
import { serveApp } from "../../../support/client.ts";
import { fakeConfig, fakeHost, fakeServers } from "../../../support/fake_host.ts";
import { FakeDisplay } from "../../../support/fake_platform.ts";
import { decodePng } from "../../../support/png.ts";

class OwnDisplay extends FakeDisplay implements LinuxDisplay {
  connected = true;

  constructor(displayNum: number, readonly name: string) {
    super(displayNum, { width: 60, height: 40 });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.connected = false;
    return Promise.resolve();
  }
}

/** The entry, and the displays that it has opened. */
function ownBackend() {
  const opened: OwnDisplay[] = [];
  const backend: Backend = {
    name: "memory",
    matches: () => true,
    ownDisplay: () => ({ name: "memory-0", variables: { MEMORY_DISPLAY: "memory-0" } }),
    display: {
      ready: true,
      use: () => (displayNum, name) => {
        opened.push(new OwnDisplay(displayNum, name));
        return Promise.resolve(opened.at(-1)!);
      },
    },
    reason: () => "the test asks for it",
  };
  return { opened, backend };
}

Deno.test("one entry of the table opens a display without an X server, and HTTP shows and clicks it", async () => {
  const { opened, backend } = ownBackend();
  const state = await Deno.makeTempDir();
  try {
    const config = readConfig({ keychain: "file", "state-dir": state }, {}, noFile, Deno.build.os);
    const openers = { ...fakeServers(), startVirtual: refuse, backends: [backend, ...BACKENDS] };
    const host = { ...thisHost(), env: { PATH: "/usr/bin:/bin" } }; // no session, no display
    await using platform = await openLinux(host, config, openers);
    await using session = new Session(platform, config.limits, config);
    await using served = serveApp(createApp({ platform, config, session }));
    const send = async (path: string, body?: unknown) => {
      const response = await fetch(served.url + path, post(body));
      const bytes = await response.bytes();
      if (!response.ok) throw new Error(`${response.status} ${new TextDecoder().decode(bytes)}`);
      return bytes;
    };
    opened[0]!.pixels.set("7,9", [200, 100, 50]);
    const picture = decodePng(await send("/api/display/screenshot"));
    expect([picture.width, picture.height]).toEqual([60, 40]);
    expect([...picture.rgb.subarray((9 * 60 + 7) * 3).subarray(0, 3)]).toEqual([200, 100, 50]);

    await send("/api/mouse/left-click", { x: 7, y: 9 });
    expect(opened[0]!.fake.sent).toEqual(["move 7,9", "press left", "release left"]);
    await send("/api/keyboard/type", { text: "é🙂" });
    expect(opened[0]!.fake.keyboard.typed).toBe("é🙂");

    const command = { command: "echo [$MEMORY_DISPLAY$DISPLAY]" };
    const { output } = JSON.parse(
      new TextDecoder().decode(await send("/api/bash/command", command)),
    );
    expect(output).toBe("[memory-0]\n");
    expect(opened.map(({ displayNum, name }) => [displayNum, name])).toEqual([[1, "memory-0"]]);
    expect(openers.opened).toEqual([]);
  } finally {
    await Deno.remove(state, { recursive: true });
  }
});

for (const env of [{}, { DISPLAY: ":1" }, { WAYLAND_DISPLAY: "wayland-0" }]) {
  const session = Object.keys(env)[0] ?? "neither an X nor a Wayland session";
  Deno.test(`openLinux() names the backend whose own display is number 1, with ${session}`, async () => {
    const { backend, opened } = ownBackend();
    const servers = { ...fakeServers({ ":1": "open" }), backends: [backend, ...BACKENDS] };
    const host = fakeHost({ env, programs: ["Xvfb"] });
    await using platform = await openLinux(host, fakeConfig(), servers);
    expect(platform.backends().slice(0, 2)).toEqual([
      {
        job: "display",
        chosen: "memory",
        reason: 'display 1 is "memory-0": the test asks for it',
      },
      { job: "input", chosen: "memory", reason: "the test asks for it" },
    ]);
    expect(await platform.displays.list()).toMatchObject([{ displayNum: 1, name: "memory-0" }]);
    expect([opened.length, servers.opened, host.ran]).toEqual([1, [], []]);
  });
}

Deno.test("a backend with its own display leaves other numbers to the X11 driver", async () => {
  const { backend, opened } = ownBackend();
  const servers = { ...fakeServers({ ":7": "open" }), backends: [backend] };
  await using platform = await openLinux(fakeHost(), fakeConfig(), servers);
  expect(await platform.displays.open(7)).toMatchObject({ name: ":7" });
  expect([opened.length, servers.opened]).toEqual([1, [":7"]]);
});

const named: [string, Partial<Config>, string][] = [
  ["--display", { displays: new Map([[1, ":5"]]) }, ":5"],
  ["--virtual-display", { virtualDisplay: { width: 800, height: 600, server: "x11" } }, ":42"],
];

for (const [flag, config, name] of named) {
  Deno.test(`${flag} comes before a backend's own display`, async () => {
    const { backend, opened } = ownBackend();
    const servers = { ...fakeServers({ ":5": "open" }), backends: [backend, ...BACKENDS] };
    const host = fakeHost({ programs: ["Xvfb"] });
    await using platform = await openLinux(host, fakeConfig(config), servers);
    expect(await platform.displays.open(1)).toMatchObject({ name });
    expect(platform.backends().slice(0, 2)).toMatchObject([{ chosen: "x11" }, { chosen: "x11" }]);
    expect(opened).toEqual([]);
  });
}

Deno.test("an own display that went away is opened again", async () => {
  const { backend, opened } = ownBackend();
  const servers = { ...fakeServers(), backends: [backend] };
  await using platform = await openLinux(fakeHost(), fakeConfig(), servers);
  opened[0]!.connected = false;
  expect(platform.backends()[0]!.reason).toContain("it cannot be opened now: its server went away");
  expect(await platform.displays.open(1)).toMatchObject({ displayNum: 1, name: "memory-0" });
  expect(opened).toHaveLength(2);
});

Deno.test("an own display that cannot be opened answers with its reason, and no X server replaces it", async () => {
  const refusing: Backend = {
    ...ownBackend().backend,
    display: {
      ready: true,
      use: () => () => Promise.reject(new ServiceError("unavailable", "No memory is left")),
    },
  };
  const servers = { ...fakeServers({ ":1": "open" }), backends: [refusing, ...BACKENDS] };
  await using platform = await openLinux(fakeHost(), fakeConfig(), servers);
  expect(await platform.displays.readiness()).toEqual({
    ready: false,
    reason: "No memory is left",
  });
  expect(platform.backends()[0]).toMatchObject({ job: "display", chosen: null });
  expect(servers.opened).toEqual([]);
});

function refuse(): never {
  throw new Error("No X server may be started");
}

function noFile(): never {
  throw new Deno.errors.NotFound();
}

function post(body: unknown): RequestInit {
  if (body === undefined) return {};
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body) };
}
