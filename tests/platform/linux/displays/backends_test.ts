/** The backends of Linux: one table, in which the first that fits and is there is taken. */

import { expect } from "expect";
import type { Config } from "../../../../src/config/config.ts";
import { BACKENDS, chooseBackend } from "../../../../src/platform/linux/displays/backends.ts";
import {
  fakeConfig,
  fakeHost,
  type FakeHostOptions,
  type FakeServers,
  fakeServers,
} from "../../../support/fake_host.ts";

interface Chosen {
  readonly host?: FakeHostOptions;
  readonly config?: Partial<Config>;
  readonly servers?: FakeServers;
}

function choose({ host = {}, config = {}, servers = fakeServers() }: Chosen) {
  const { openX11, log } = servers;
  return chooseBackend({ host: fakeHost(host), config: fakeConfig(config), openX11, log });
}

/** A session whose compositor was not named. */
const WAYLAND = { env: { XDG_SESSION_TYPE: "wayland" } };

Deno.test("the table asks Wayland first, then X11, then xdotool", () => {
  expect(BACKENDS.map(({ name }) => name))
    .toEqual(["wayland", "wayland without a name", "x11", "xdotool"]);
});

Deno.test("each backend that is not there says why", () => {
  for (const { display } of BACKENDS) {
    if (!display.ready) expect(display.reason).toMatch(/start the service with WAYLAND_DISPLAY/);
  }
  expect(BACKENDS.filter(({ display }) => !display.ready)).toHaveLength(1);
});

/** The entry that each value of `--backend` takes, where X displays can be served. */
const TAKEN = { auto: "x11", x11: "x11", xdotool: "xdotool" } satisfies Record<
  Config["backend"],
  string
>;

for (const [backend, name] of Object.entries(TAKEN) as [Config["backend"], string][]) {
  for (const [session, host] of [["an X", {}], ["a Wayland", WAYLAND]] as const) {
    Deno.test(`--backend ${backend} in ${session} session serves X displays by ${name}`, async () => {
      const servers = fakeServers({ ":5": "open" });
      const chosen = choose({ host, config: { backend }, servers });
      expect(chosen.name).toBe(name);
      await using display = await chosen.open(5, ":5");
      expect(display.input.ready ? display.input.use.driver : undefined)
        .toBe(name === "xdotool" ? "xdotool" : undefined); // the fake one has no input
      expect(chosen.refusal() !== undefined).toBe(session === "a Wayland");
    });
  }
}

Deno.test("a Wayland session that begins later is refused from then on", () => {
  const begun: string[] = [];
  const host = { uid: 1_000, exists: (path: string) => begun.includes(path) };
  const backend = choose({ host });
  expect(backend.refusal()).toBe(undefined);
  begun.push("/run/user/1000/wayland-0");
  expect(backend.refusal()).toContain("WAYLAND_DISPLAY, which names its compositor");
});

for (const backend of Object.keys(TAKEN) as Config["backend"][]) {
  const taken = backend === "auto" ? "the compositor" : "X displays";
  Deno.test(`--backend ${backend} with WAYLAND_DISPLAY serves ${taken}`, async () => {
    const host = { env: { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" } };
    await using chosen = choose({ host, config: { backend } });
    expect(chosen.ownDisplay?.name).toBe(backend === "auto" ? "wayland-0" : undefined);
  });
}
