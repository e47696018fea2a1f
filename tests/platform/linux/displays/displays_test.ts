/** LinuxDisplays: numbers, the displays that they mean, and how these are opened. */

import { expect } from "expect";
import { openLinux } from "../../../../src/platform/linux/mod.ts";
import { fakeConfig, fakeHost, fakeServers, type ServerState } from "../../../support/fake_host.ts";

/** What number 1 may be: `:9` where the session says so, else `:1`. */
const DISPLAY = { DISPLAY: ":9" };

async function open(states: Record<string, ServerState>, displays = new Map<number, string>()) {
  const servers = fakeServers(states);
  const env = states[":1"] === undefined ? DISPLAY : {};
  const platform = await openLinux(fakeHost({ env }), fakeConfig({ displays }), servers);
  return { servers, platform, displays: platform.displays };
}

Deno.test("open() gives an open display at once", async () => {
  const { displays } = await open({ ":1": "open" });
  expect(displays.open(1)).not.toBeInstanceOf(Promise);
  expect(displays.open(1)).toBe(displays.open(1));
});

Deno.test("open() keeps number 1 where it was bound first", async () => {
  const { displays, servers } = await open({ ":9": "open" });
  servers.states[":1"] = "open";
  servers.crash(":9");
  await expect(displays.open(1)).rejects.toThrow(
    'Cannot open display 1: no X server answers at ":9"',
  );
  servers.states[":9"] = "open";
  expect(await displays.open(1)).toMatchObject({ name: ":9" });
});

Deno.test("open() binds number 1 as soon as there is a display", async () => {
  const { displays, servers, platform } = await open({});
  await expect(displays.open(1)).rejects.toMatchObject({ code: "unavailable" });
  expect(platform.backends()[0]).toMatchObject({ chosen: null });
  servers.states[":9"] = "open";
  expect(await displays.open(1)).toMatchObject({ name: ":9" });
  expect(platform.backends()[0]).toMatchObject({ chosen: "x11" });
});

Deno.test("open() opens other numbers on demand", async () => {
  const { displays, servers } = await open({ ":1": "open", ":7": "open" });
  expect(servers.opened).toEqual([":1"]);
  expect(await displays.open(7)).toMatchObject({ name: ":7", displayNum: 7 });
  await expect(displays.open(8)).rejects.toMatchObject({
    code: "unavailable",
    message: 'Cannot open display 8: no X server answers at ":8"',
  });
});

Deno.test("open() uses what --display says of a number", async () => {
  const { displays } = await open({ ":1": "open", ":3": "open" }, new Map([[7, ":3"]]));
  expect(await displays.open(7)).toMatchObject({ name: ":3", displayNum: 7 });
});

Deno.test("open() tells a server that refuses from one that is absent", async () => {
  const { displays } = await open({ ":1": "open", ":7": "refused" });
  await expect(displays.open(7)).rejects.toThrow(
    'Cannot open display 7: the X server at ":7" refuses',
  );
});

Deno.test("open() shares one attempt among those who ask together", async () => {
  const { displays, servers } = await open({ ":1": "open", ":7": "open" });
  const opened = await Promise.all([displays.open(7), displays.open(7), displays.open(7)]);
  expect(new Set(opened).size).toBe(1);
  expect(servers.opened).toEqual([":1", ":7"]);
});

Deno.test("open() gives the same display for two numbers of one X server", async () => {
  const { displays } = await open({ ":9": "open" });
  expect(await displays.open(9)).toBe(await displays.open(1));
  expect(await displays.list()).toHaveLength(1);
});

Deno.test("open() opens a lost display again", async () => {
  const { displays, servers } = await open({ ":1": "open" });
  const before = await displays.open(1);
  servers.crash(":1");
  await expect(displays.open(1)).rejects.toMatchObject({ code: "unavailable" });
  expect(await displays.readiness()).toMatchObject({ ready: false });
  servers.states[":1"] = "open";
  expect(await displays.open(1)).not.toBe(before);
  expect(await displays.readiness()).toMatchObject({ ready: true });
});

Deno.test("list() names every display that is bound and answers", async () => {
  const bound = new Map([[1, ":1"], [2, ":2"], [3, ":3"]]);
  const { displays } = await open({ ":1": "open", ":3": "open" }, bound);
  const common = { width: 640, height: 480, scale: 1 };
  expect(await displays.list()).toEqual([
    { displayNum: 1, name: ":1", ...common, primary: true },
    { displayNum: 3, name: ":3", ...common, primary: false },
  ]);
});

Deno.test("list() names an X display with several numbers once, as number 1 where it is one", async () => {
  const bound = new Map([[1, ":92"], [0, ":92.0"], [5, ":3"], [4, ":3"]]);
  const { displays } = await open({ ":92": "open", ":92.0": "open", ":3": "open" }, bound);
  expect(await displays.list()).toMatchObject([
    { displayNum: 1, name: ":92", primary: true },
    { displayNum: 4, name: ":3", primary: false },
  ]);
});

Deno.test("open() calls a display by number 1 where that is one of its numbers", async () => {
  for (const bound of [new Map<number, string>(), new Map([[7, ":9"]])]) {
    const { displays, servers } = await open({}, bound);
    servers.states[":9"] = "open";
    const asked = bound.size === 0 ? 9 : 7;
    expect(await displays.open(asked)).toMatchObject({ displayNum: 1 });
    expect(await displays.open(1)).toBe(await displays.open(asked));
  }
});

Deno.test("open() calls a display by the number that --display gives it", async () => {
  const { displays } = await open({ ":1": "open", ":91": "open" }, new Map([[3, ":91"]]));
  expect(await displays.open(91)).toMatchObject({ displayNum: 3 });
});

Deno.test("open() names the number that was asked for when it fails", async () => {
  const { displays } = await open({}, new Map([[1, ":92"], [0, ":92"]]));
  const failures = await Promise.allSettled([displays.open(0), displays.open(1)]);
  expect(failures.map((failure) => failure.status === "rejected" && failure.reason.message))
    .toEqual([0, 1].map((n) => `Cannot open display ${n}: no X server answers at ":92"`));
});
