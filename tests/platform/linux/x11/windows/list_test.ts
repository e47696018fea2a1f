/** The windows of real X servers, with and without a window manager, beside wmctrl. */

import { expect } from "expect";
import { RAW_CUT_MARK } from "../../../../../src/core/texts.ts";
import { X11Windows } from "../../../../../src/platform/linux/x11/windows/windows.ts";
import { startWindowManager } from "../../../../real_programs/support/window_manager.ts";
import { run } from "../../../../support/desktop.ts";
import { openCrowd, openProgramWindow } from "../../../../support/program_window.ts";
import { waitFor } from "../../../../support/wait.ts";
import { TestX } from "../../../../support/x_client.ts";
import { startXvfb } from "../../../../support/xvfb.ts";

const { signal } = new AbortController();

for (const name of ["openbox", "xfwm4"] as const) {
  Deno.test(`list() has the windows of wmctrl -lG, in their frames, under ${name}`, async () => {
    await using server = await startXvfb();
    await using manager = await startWindowManager(server.display, name);
    using x = await TestX.open(server.display);
    await using windows = new X11Windows(server.display);
    for (const [index, title] of ["Grüße, 日本 🙂", "second", "third"].entries()) {
      const place = { x: 40 + 100 * index, y: 60 + 50 * index, width: 300, height: 200 };
      await openProgramWindow(x, { ...place, title, app: "Shown" });
    }
    await manager.settled();

    const listed = await waitFor(async () => {
      const all = await windows.list(signal);
      return all.length === 3 && all.some(({ states }) => states.includes("active")) && all;
    }, { what: "three windows" });

    const others = await wmctrl(server.display);
    expect(others.length).toBe(3);
    for (const { id, title, app, pid, desktop, bounds, frame, states } of listed) {
      const other = others.find((each) => each.id === id)!;
      expect({ title, app, pid, desktop }).toEqual({
        ...{ title: other.title, app: "Shown", pid: Deno.pid, desktop: other.desktop },
      });
      expect(bounds).toMatchObject({ width: other.width, height: other.height });
      // wmctrl counts what the window manager has put around a window twice
      expect(2 * bounds!.x - frame!.x).toBe(other.x);
      expect(2 * bounds!.y - frame!.y).toBe(other.y);
      expect(await readXwininfo(server.display, id)).toEqual(bounds);
      expect(frame!.y).toBeLessThan(bounds!.y); // a title bar
      expect(states.filter((state) => state !== "active")).toEqual([]);
    }
    // topmost first
    expect(await windows.at(middle(listed[0]!.bounds!), signal)).toBe(listed[0]!.id);
    expect((await windows.active(signal))?.states).toEqual(["active"]);
  });
}

Deno.test("list() has the windows of a server without a window manager, and no menus", async () => {
  await using server = await startXvfb();
  using x = await TestX.open(server.display);
  await using windows = new X11Windows(server.display);
  const below = await openProgramWindow(x, { x: 10, y: 20, width: 300, height: 200, title: "a" });
  const above = await openProgramWindow(x, { x: 50, y: 60, width: 100, height: 90, title: "b" });
  const menu = await x.openWindow({ x: 60, y: 70, width: 20, height: 20 });

  const listed = await windows.list(signal);

  expect(listed.map(({ id, title }) => [id, title])).toEqual([[hex(above), "b"], [
    hex(below),
    "a",
  ]]);
  const bounds = { x: 50, y: 60, width: 100, height: 90 };
  expect(listed[0]).toMatchObject({ bounds, frame: bounds, desktop: null, states: [] });
  expect(await windows.active(signal)).toBe(null);
  await x.focus(below);
  expect((await windows.active(signal))?.id).toBe(hex(below));
  // a menu covers what is below it
  expect(await windows.at({ x: 65, y: 75 }, signal)).toBe(hex(menu));
  expect(await windows.at({ x: 100, y: 100 }, signal)).toBe(hex(above));
  expect(await windows.at({ x: 20, y: 30 }, signal)).toBe(hex(below));
  expect(await windows.at({ x: 1_000, y: 700 }, signal)).toBe(undefined);
});

Deno.test("what a window manager that was killed has left behind is not told", async () => {
  await using server = await startXvfb();
  await using manager = await startWindowManager(server.display, "openbox");
  using x = await TestX.open(server.display);
  await using windows = new X11Windows(server.display);
  const id = hex(await openProgramWindow(x, { x: 100, y: 100, title: "left" }));
  await manager.settled();
  await windows.change(id, { kind: "minimize" }, signal);
  await waitFor(async () => (await windows.find(id, signal)).states.includes("minimized"));

  const check = await readXprop(server.display, "_NET_SUPPORTING_WM_CHECK");
  (x.client as unknown as { KillClient(resource: number): void }).KillClient(Number(check));

  const left = await waitFor(async () => {
    const [only] = await windows.list(signal);
    return only?.desktop === null && !only.states.includes("minimized") && only;
  }, { what: "the window that the server has brought back" });
  expect(left.states).toEqual([]);
  expect(left.frame).toEqual(left.bounds);
  const restored = windows.change(id, { kind: "restore" }, signal); // it is not minimized any more
  await expect(restored).rejects.toMatchObject({ code: "unsupported" });
  await windows.change(id, { kind: "focus" }, signal);
  expect((await windows.active(signal))?.id).toBe(id);
});

Deno.test("a shadow larger than its window, or any number at all, is none", async () => {
  await using server = await startXvfb();
  using x = await TestX.open(server.display);
  await using windows = new X11Windows(server.display);
  const id = hex(await openProgramWindow(x, { x: 300, y: 400, width: 200, height: 100 }));
  const bounds = { x: 300, y: 400, width: 200, height: 100 };

  const claim = async (edges: string, frame: typeof bounds) => {
    const set = ["-f", "_GTK_FRAME_EXTENTS", "32c", "-set", "_GTK_FRAME_EXTENTS", edges];
    await run("xprop", ["-display", server.display, "-id", id, ...set]);
    expect((await windows.find(id, signal)).frame).toEqual(frame);
  };

  for (const edges of ["100, 100, 0, 0", "0, 0, 99, 1", "4294967295, 0, 0, 0"]) {
    await claim("10, 10, 5, 15", { x: 310, y: 405, width: 180, height: 80 });
    await claim(edges, bounds);
  }
});

Deno.test("of thousands of windows, list() has the topmost thousand, and find() any", async () => {
  await using server = await startXvfb();
  using x = await TestX.open(server.display);
  await using windows = new X11Windows(server.display);
  const opened = await openCrowd(x, 1_100);

  const listed = await windows.list(signal);

  expect(listed.map(({ id }) => id)).toEqual(opened.slice(100).toReversed().map(hex));
  expect(new Set(listed.map(({ title }) => title))).toEqual(
    new Set([`${"é".repeat(512)}${RAW_CUT_MARK}`]),
  );
  expect(await windows.find(hex(opened[0]!), signal)).toMatchObject({ id: hex(opened[0]!) });
});

Deno.test("at() names the window of a title bar, and find() knows what has closed", async () => {
  await using server = await startXvfb();
  await using manager = await startWindowManager(server.display, "openbox");
  using x = await TestX.open(server.display);
  await using windows = new X11Windows(server.display);
  const id = hex(await openProgramWindow(x, { x: 100, y: 100, title: "framed" }));
  await manager.settled();
  const { frame } = await windows.find(id, signal);

  expect(await windows.at({ x: frame!.x + 60, y: frame!.y + 3 }, signal)).toBe(id);

  x.client.DestroyWindow(Number(id));
  const gone = await waitFor(() => windows.find(id, signal).then(() => false, (error) => error));
  expect(gone).toMatchObject({ code: "not_found", message: expect.stringContaining(id) });
  for (const never of ["0x7fffffff", "0x0", "zenity", hex(x.root)]) {
    await expect(windows.find(never, signal)).rejects.toMatchObject({ code: "not_found" });
  }
});

Deno.test("changed() resolves when a window opens, moves, gets another title or closes", async () => {
  await using server = await startXvfb();
  using x = await TestX.open(server.display);
  await using windows = new X11Windows(server.display);
  await windows.list(signal);

  const opened = windows.changed(signal);
  const window = await openProgramWindow(x, { x: 5, y: 5, title: "one" });
  await opened;
  const id = hex(window);
  expect((await windows.find(id, signal)).title).toBe("one");

  const moved = windows.changed(signal);
  x.client.ConfigureWindow(window, { x: 33 });
  await moved;
  expect((await windows.find(id, signal)).bounds?.x).toBe(33);

  const named = windows.changed(signal);
  await run(
    "xprop",
    ["-display", server.display, "-id", id, "-f", "_NET_WM_NAME", "8u", "-set"]
      .concat("_NET_WM_NAME", "two"),
  );
  await named;
  expect((await windows.find(id, signal)).title).toBe("two");

  const closed = windows.changed(signal);
  x.client.DestroyWindow(window);
  await closed;
  await waitFor(async () => (await windows.list(signal)).length === 0);
});

Deno.test("a server that ends: unavailable, and the next one is found", async () => {
  const server = await startXvfb();
  await using windows = new X11Windows(server.display);
  expect(await windows.list(signal)).toEqual([]);
  const waiting = windows.changed(signal);
  await server.kill();
  await waiting;
  await expect(windows.list(signal)).rejects.toMatchObject({ code: "unavailable" });
  await using _again = await startXvfb({ display: server.display });
  expect(await windows.list(signal)).toEqual([]);
});

async function readXprop(display: string, name: string): Promise<string> {
  const said = new TextDecoder().decode(await run("xprop", ["-display", display, "-root", name]));
  return said.trim().split(" ").at(-1)!;
}

interface Listed {
  readonly id: string;
  readonly desktop: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

async function wmctrl(display: string): Promise<Listed[]> {
  const env = { DISPLAY: display, LC_ALL: "C.UTF-8" };
  const lines = new TextDecoder().decode(await run("wmctrl", ["-lG"], env)).trim().split("\n");
  return lines.map((line) => {
    const [, id, ...numbers] = line.match(/^(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +\S+ /)!;
    const [desktop, x, y, width, height] = numbers.map(Number) as [
      ...[number, number, number, number, number],
    ];
    const title = line.replace(/^(\S+ +){6}\S+ /, "");
    return { id: hex(Number(id)), desktop, x, y, width, height, title };
  });
}

async function readXwininfo(display: string, id: string) {
  const said = new TextDecoder().decode(await run("xwininfo", ["-display", display, "-id", id]));
  const read = (label: string) => Number(said.match(new RegExp(`${label}: +(-?\\d+)`))![1]);
  return {
    ...{ x: read("Absolute upper-left X"), y: read("Absolute upper-left Y") },
    ...{ width: read("Width"), height: read("Height") },
  };
}

function middle({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  return { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
}

function hex(window: number): string {
  return `0x${window.toString(16)}`;
}
