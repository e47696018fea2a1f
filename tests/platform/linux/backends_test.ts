/** The backends of Linux: one table, in which the first that fits and is there is taken. */

import { expect } from "expect";
import { BACKENDS, chooseBackend } from "../../../src/platform/linux/backends.ts";
import { fakeConfig, fakeHost, fakeServers } from "../../support/fake_host.ts";

const WAYLAND = { env: { WAYLAND_DISPLAY: "wayland-0" } };

Deno.test("the table asks Wayland first, then X11, then xdotool", () => {
  expect(BACKENDS.map(({ name }) => name)).toEqual(["wayland", "x11", "xdotool"]);
});

Deno.test("each backend that is not there says why", () => {
  for (const { display } of BACKENDS) {
    if (!display.ready) expect(display.reason).toMatch(/this version cannot see or control/);
  }
  expect(BACKENDS.filter(({ display }) => !display.ready)).toHaveLength(1);
});

for (
  const [inputDriver, name] of [["auto", "x11"], ["x11", "x11"], ["xdotool", "xdotool"]] as const
) {
  for (const [session, host] of [["an X", {}], ["a Wayland", WAYLAND]] as const) {
    Deno.test(`--input-driver ${inputDriver} in ${session} session serves X displays by ${name}`, async () => {
      const backend = chooseBackend(fakeHost(host), fakeConfig({ inputDriver }));
      expect(backend.name).toBe(name);
      const servers = fakeServers({ ":5": "open" });
      await using display = await backend.open(servers.openX11, 5, ":5");
      expect(display.input.ready ? display.input.use.driver : undefined)
        .toBe(name === "xdotool" ? "xdotool" : undefined); // the fake one has no input
      expect(backend.refusal() !== undefined).toBe(session === "a Wayland");
    });
  }
}

Deno.test("a Wayland session that begins later is refused from then on", () => {
  const begun: string[] = [];
  const host = fakeHost({ uid: 1_000, exists: (path) => begun.includes(path) });
  const backend = chooseBackend(host, fakeConfig());
  expect(backend.refusal()).toBe(undefined);
  begun.push("/run/user/1000/wayland-0");
  expect(backend.refusal()).toContain("Wayland session without an X server");
});
