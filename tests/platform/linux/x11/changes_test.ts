/** X11Changes: every change is counted, none is told twice, and none is missed. */

import { expect } from "expect";
import { X11Changes } from "../../../../src/platform/linux/x11/changes.ts";
import { openPainter } from "../../../support/painter.ts";
import { setResolution } from "../../../support/resolution.ts";
import { waitFor } from "../../../support/wait.ts";
import { TestX } from "../../../support/x_client.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const NEVER = new AbortController().signal;

Deno.test("poll() counts what has changed, with its areas", async () => {
  await using server = await startXvfb({ size: "320x240" });
  using x = await TestX.open(server.display);
  using changes = await X11Changes.open(server.display);
  const start = await changes.poll();
  expect((await changes.poll()).count).toBe(start.count);
  await x.openWindow({ x: 10, y: 20, width: 30, height: 40, pixel: 0xff });
  const first = await changes.poll();
  expect(first.count).toBe(start.count + 1);
  expect(changes.since(start.count)).toEqual([{ x: 10, y: 20, width: 30, height: 40 }]);
  await x.openWindow({ x: 100, y: 100, width: 5, height: 6, pixel: 0xff });
  await changes.poll();
  expect(changes.since(first.count)).toEqual([{ x: 100, y: 100, width: 5, height: 6 }]);
  expect(changes.since(start.count)!.length).toBe(2);
});

Deno.test("poll() sees every change that was confirmed before, however many ask at once", async () => {
  await using server = await startXvfb({ size: "320x240" });
  using x = await TestX.open(server.display);
  using changes = await X11Changes.open(server.display);
  const client = x.client as unknown as { ClearArea(...numbers: number[]): void };
  const window = await x.openWindow({ width: 320, height: 240 });
  let last = (await changes.poll()).count;
  for (let i = 0; i < 200; i++) {
    client.ClearArea(window, i, 0, 1, 1, 0);
    await x.pointer();
    const states = await Promise.all([changes.poll(), changes.poll(), changes.poll()]);
    expect(states.every(({ count }) => count > last)).toBe(true);
    last = states[2]!.count;
  }
});

Deno.test("next() comes with a change, at once with one that was missed, and ends with its signal", async () => {
  await using server = await startXvfb({ size: "320x240" });
  using x = await TestX.open(server.display);
  using changes = await X11Changes.open(server.display);
  await changes.poll();
  const { count } = await changes.poll(); // the first one may have been told of while it was asked for
  let came = false;
  const next = changes.next(count, NEVER).then(() => came = true);
  for (let i = 0; i < 10; i++) await changes.poll();
  expect(came).toBe(false);
  await x.openWindow({ pixel: 0xff });
  await next;
  await changes.poll();
  await changes.next(count, NEVER); // it is past
  const stop = new AbortController();
  const stopped = changes.next((await changes.poll()).count, stop.signal);
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
});

Deno.test("poll() knows the size after a change of the resolution, which changes all", async () => {
  await using server = await startXvfb({ size: "640x480" });
  using changes = await X11Changes.open(server.display);
  const { count } = await changes.poll();
  await setResolution(server.display, "320x200");
  const state = await changes.poll();
  expect(state.size).toEqual({ width: 320, height: 200 });
  expect(changes.since(count)).toContainEqual({ x: 0, y: 0, width: 320, height: 200 });
});

Deno.test("poll() keeps its count while nothing changes, and sees the next change", async () => {
  await using server = await startXvfb({ size: "320x240" });
  using painter = await openPainter(server.display);
  using changes = await X11Changes.open(server.display);
  for (let pixel = 1; pixel <= 5; pixel++) {
    const { count } = await changes.poll();
    for (let i = 0; i < 100; i++) expect((await changes.poll()).count).toBe(count);
    await painter.paint([10, 10, 5, 5], pixel);
    expect((await changes.poll()).count).toBeGreaterThan(count);
    expect(changes.since(count)).toEqual([{ x: 10, y: 10, width: 5, height: 5 }]);
  }
});

Deno.test("poll() fails after the server has gone", async () => {
  const server = await startXvfb({ size: "320x240" });
  using changes = await X11Changes.open(server.display);
  try {
    await changes.poll();
  } finally {
    await server[Symbol.asyncDispose]();
  }
  await waitFor(() => !changes.connected, { what: "the end of the connection" });
  await expect(changes.poll()).rejects.toThrow("went away");
});

Deno.test("poll() fails after X11Changes was disposed of, however often", async () => {
  await using server = await startXvfb({ size: "320x240" });
  const changes = await X11Changes.open(server.display);
  await changes.poll();
  for (let i = 0; i < 2; i++) {
    changes[Symbol.dispose]();
    await expect(changes.poll()).rejects.toThrow("went away");
  }
});

Deno.test("X11Changes tells why where a server has no DAMAGE", async () => {
  await using server = await startXvfb({ size: "64x48", args: ["-extension", "DAMAGE"] });
  await expect(X11Changes.open(server.display)).rejects
    .toMatchObject({ code: "unsupported", message: expect.stringContaining("DAMAGE") });
});
