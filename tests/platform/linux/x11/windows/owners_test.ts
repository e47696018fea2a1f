/** The programs of windows, and the titles of old ones. */

import { Buffer } from "node:buffer";
import { expect } from "expect";
import { X11Windows } from "../../../../../src/platform/linux/x11/windows/windows.ts";
import { startProcess } from "../../../../real_programs/support/processes.ts";
import { openProgramWindow } from "../../../../support/program_window.ts";
import { waitFor } from "../../../../support/wait.ts";
import { TestX } from "../../../../support/x_client.ts";
import { startXvfb } from "../../../../support/xvfb.ts";

const WM_NAME = 39;
const STRING = 31;
const ATOM = 4;
const { signal } = new AbortController();

Deno.test("list() tells the window that shows while a program starts from its own", async () => {
  await using server = await startXvfb();
  using x = await TestX.open(server.display);
  await using windows = new X11Windows(server.display);
  const [type, splash] = await Promise.all(
    ["_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_SPLASH"].map((name) =>
      x.call<number>((done) => x.client.InternAtom(false, name, done))
    ),
  );
  const own = await openProgramWindow(x, { title: "own" });
  await x.openWindow({
    managed: true,
    prepare: (window) => x.client.ChangeProperty(0, window, type!, ATOM, 32, [splash!]),
  });
  const listed = await windows.list(signal);
  expect(listed.map(({ id, isSplash }) => [Number(id) === own, isSplash]).toSorted())
    .toEqual([[false, true], [true, false]]);
});

Deno.test("list() tells windows of two programs apart, and reads the titles of old ones", async () => {
  await using server = await startXvfb();
  using x = await TestX.open(server.display);
  await using windows = new X11Windows(server.display);
  const old = await x.openWindow({
    managed: true,
    prepare: (window) =>
      x.client.ChangeProperty(0, window, WM_NAME, STRING, 8, Buffer.from("Grüße", "latin1")),
  });
  const fresh = await openProgramWindow(x, { x: 300, title: "new", app: "Shown" });
  await using xterm = startProcess("xterm", {
    args: ["-T", "terminal"],
    env: { ...Deno.env.toObject(), DISPLAY: server.display },
    log: "/dev/null",
  });

  await waitFor(async () => {
    const all = await windows.list(signal);
    return all.length === 3 && all.every(({ title }) => title !== "");
  }, { what: "three windows" });

  await using others = new X11Windows(server.display); // which has seen none of them
  const listed = await others.list(signal);
  expect(Object.fromEntries(listed.map(({ title, pid }) => [title, pid]))).toEqual({
    ...{ Grüße: Deno.pid, new: Deno.pid, terminal: xterm.pid },
  });
  expect(listed.find(({ id }) => Number(id) === old)?.title).toBe("Grüße");
  expect(listed.find(({ id }) => Number(id) === fresh)?.app).toBe("Shown");
});
