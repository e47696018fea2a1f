/** Which backend controls a Wayland session, and what becomes display 1. */

import { expect } from "expect";
import { ServiceError } from "../../../../src/core/errors.ts";
import type { LinuxDisplay } from "../../../../src/platform/linux/linux_display.ts";
import { openLinux } from "../../../../src/platform/linux/mod.ts";
import {
  findCompositor,
  type WaylandBackend,
  type WaylandSession,
} from "../../../../src/platform/linux/wayland/backend.ts";
import { available, missing } from "../../../../src/platform/capability.ts";
import { fakeConfig, fakeHost, fakeServers, type ServerState } from "../../../support/fake_host.ts";
import { FakeDisplay } from "../../../support/fake_platform.ts";

class OutputDisplay extends FakeDisplay implements LinuxDisplay {
  connected = true;
  readonly output: NonNullable<LinuxDisplay["output"]>;

  constructor(displayNum: number, readonly name: string) {
    super(displayNum, { width: 60, height: 40 });
    this.output = { name: `OUT-${displayNum}`, scale: 2 };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.connected = false;
    return Promise.resolve();
  }
}

class FakeSession implements WaylandSession {
  connected = true;
  readonly outputs = [1, 2];
  readonly displays: OutputDisplay[] = [];

  numbers(): readonly number[] {
    return this.outputs;
  }

  async openDisplay(displayNum: number, name: string): Promise<LinuxDisplay> {
    await Promise.resolve();
    if (!this.outputs.includes(displayNum)) {
      throw new ServiceError("unavailable", `Cannot open display ${displayNum}: no such output`);
    }
    this.displays.push(new OutputDisplay(displayNum, name));
    return this.displays.at(-1)!;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.connected = false;
    return Promise.resolve();
  }
}

type Answer = "ready" | "absent" | "not mine";

/** Backends that answer what the test says, and the sessions that they have opened. */
function fakeBackends(answers: Partial<Record<WaylandBackend["name"], Answer>>) {
  const sessions: FakeSession[] = [];
  const backends = Object.keys(answers).map((key): WaylandBackend => {
    const name = key as WaylandBackend["name"];
    return {
      name,
      reason: `${name} is there`,
      matches: () => true,
      async open() {
        await Promise.resolve();
        if (answers[name] === "absent") throw new ServiceError("unavailable", "No compositor");
        if (answers[name] === "not mine") return missing(`${name} has no grant`);
        sessions.push(new FakeSession());
        return available(sessions.at(-1)!);
      },
    };
  });
  return { answers, backends, sessions };
}

async function open(
  fake: ReturnType<typeof fakeBackends>,
  { env = {}, states = {} }: {
    env?: Readonly<Record<string, string>>;
    states?: Record<string, ServerState>;
  } = {},
) {
  const servers = { ...fakeServers(states), waylandBackends: fake.backends };
  const host = fakeHost({ env: { WAYLAND_DISPLAY: "wayland-3", ...env }, programs: ["Xvfb"] });
  return { servers, platform: await openLinux(host, fakeConfig(), servers) };
}

Deno.test("the first backend that is ready is taken, and says why", async () => {
  const fake = fakeBackends({ wlroots: "not mine", kde: "ready", portal: "ready" });
  const { platform } = await open(fake);
  await using _ = platform;
  expect(platform.backends().slice(0, 2)).toEqual([
    { job: "display", chosen: "kde", reason: 'display 1 is "wayland-3": kde is there' },
    { job: "input", chosen: "kde", reason: "kde is there" },
  ]);
});

Deno.test("outputs are displays, and no number is that of an X server", async () => {
  const fake = fakeBackends({ wlroots: "ready" });
  const { platform, servers } = await open(fake, { states: { ":2": "open", ":3": "open" } });
  await using _ = platform;
  expect(await platform.displays.list()).toEqual([
    { displayNum: 1, name: "OUT-1", width: 60, height: 40, scale: 2, primary: true },
    { displayNum: 2, name: "OUT-2", width: 60, height: 40, scale: 2, primary: false },
  ]);
  expect(fake.sessions[0]!.displays.map(({ name }) => name)).toEqual(["wayland-3", "wayland-3/2"]);
  await expect(Promise.resolve(platform.displays.open(3))).rejects.toThrow("no such output");
  fake.sessions[0]!.outputs.push(3);
  expect(await platform.displays.open(3)).toMatchObject({ name: "wayland-3/3" });
  expect(servers.opened).toEqual([]);
});

Deno.test("a compositor that nobody can control is refused with every reason", async () => {
  const fake = fakeBackends({ wlroots: "not mine", kde: "not mine" });
  const { platform, servers } = await open(fake, { states: { ":1": "open" } });
  await using _ = platform;
  const refusal = await Promise.resolve(platform.displays.open(1)).catch((error) => error);
  expect([refusal.status, refusal.message]).toEqual([
    501,
    'Cannot control the Wayland compositor at "wayland-3": wlroots: wlroots has no grant; ' +
    "kde: kde has no grant; --virtual-display works regardless",
  ]);
  expect(servers.opened).toEqual([]);
  expect(platform.backends()[0]!.chosen).toBe(null);
  fake.answers.kde = "ready"; // it was granted meanwhile
  expect(await platform.displays.open(1)).toMatchObject({ name: "wayland-3" });
});

Deno.test("a compositor that nobody can control leaves $DISPLAY, which is said plainly", async () => {
  const fake = fakeBackends({ wlroots: "not mine" });
  const { platform } = await open(fake, { env: { DISPLAY: ":4" }, states: { ":4": "open" } });
  await using _ = platform;
  const [display, input] = platform.backends();
  expect(display).toMatchObject({
    chosen: "x11",
    reason: expect.stringMatching(
      /^display 1 is ":4": it is \$DISPLAY, the XWayland server.*only X programs.*has no grant/,
    ),
  });
  expect(input).toMatchObject({ chosen: "x11", reason: expect.stringContaining("XWayland only") });
});

Deno.test("a compositor that is not there is waited for, and no X server is guessed", async () => {
  const fake = fakeBackends({ wlroots: "absent" });
  const { platform, servers } = await open(fake, { states: { ":1": "open" } });
  await using _ = platform;
  const refusal = await Promise.resolve(platform.displays.open(1)).catch((error) => error);
  expect([refusal.status, refusal.message]).toEqual([503, "No compositor"]);
  expect(servers.opened).toEqual([]);
  fake.answers.wlroots = "ready";
  expect(await platform.displays.open(1)).toMatchObject({ name: "wayland-3" });
});

Deno.test("a compositor that restarts is opened again, under the same numbers", async () => {
  const fake = fakeBackends({ wlroots: "ready" });
  const { platform } = await open(fake);
  await using _ = platform;
  const second = await platform.displays.open(2);
  expect(second.displayNum).toBe(2);
  const [lost] = fake.sessions;
  lost!.connected = false;
  for (const display of lost!.displays) display.connected = false;
  fake.answers.wlroots = "absent";
  for (const number of [1, 2]) {
    await expect(Promise.resolve(platform.displays.open(number))).rejects.toMatchObject({
      code: "unavailable",
    });
  }
  fake.answers.wlroots = "ready";
  const [first, again] = await Promise.all([platform.displays.open(1), platform.displays.open(2)]);
  expect([first.displayNum, again.displayNum]).toEqual([1, 2]);
  expect(fake.sessions).toHaveLength(2);
});

const SOCKETS = {
  "in XDG_RUNTIME_DIR": [{ WAYLAND_DISPLAY: "w", XDG_RUNTIME_DIR: "/run/me" }, "/run/me/w"],
  "in the user's folder": [{ WAYLAND_DISPLAY: "w" }, "/run/user/1000/w"],
  "by a whole path": [{ WAYLAND_DISPLAY: "/tmp/w" }, "/tmp/w"],
  "not at all": [{ XDG_RUNTIME_DIR: "/run/me" }, undefined],
} as const;

for (const [how, [env, path]] of Object.entries(SOCKETS)) {
  Deno.test(`findCompositor() finds the socket ${how}`, () => {
    expect(findCompositor(fakeHost({ env }))?.path).toBe(path);
  });
}
