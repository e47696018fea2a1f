/** Looks at a screen on which nothing happens cost the X server nothing. */

import { expect } from "expect";
import { X11Changes } from "../../../../src/platform/linux/x11/changes.ts";
import { countOpenFiles } from "../../../support/processes.ts";
import { openPainter } from "../../../support/painter.ts";
import { waitFor } from "../../../support/wait.ts";
import { startXvfb } from "../../../support/xvfb.ts";

/** How often the server was given a processor. */
function runs(pid: number): string {
  return Deno.readTextFileSync(`/proc/${pid}/schedstat`).trim().split(" ")[2]!;
}

/** Looks until the server has not run for it. */
function untilAllIsStill(changes: X11Changes, pid: number): Promise<true> {
  return waitFor(async () => {
    const before = runs(pid);
    await changes.look();
    return runs(pid) === before;
  }, { what: "a look that asks nothing" });
}

Deno.test("look() asks the server nothing while nothing changes, and sees the next change", async () => {
  await using xvfb = await startXvfb({ size: "320x240" });
  using painter = await openPainter(xvfb.display);
  using changes = await X11Changes.open(xvfb.display);
  for (let pixel = 1; pixel <= 5; pixel++) {
    await untilAllIsStill(changes, xvfb.pid);
    const before = runs(xvfb.pid);
    const { count } = await changes.look();
    for (let i = 0; i < 100; i++) expect((await changes.look()).count).toBe(count);
    expect(runs(xvfb.pid)).toBe(before);
    await painter.paint([10, 10, 5, 5], pixel);
    expect((await changes.look()).count).toBeGreaterThan(count);
    expect(changes.since(count)).toEqual([{ x: 10, y: 10, width: 5, height: 5 }]);
  }
});

Deno.test("X11Changes closes each of its files once, however often it is disposed of", async () => {
  await using xvfb = await startXvfb({ size: "320x240" });
  const before = countOpenFiles(Deno.pid);
  const changes = await X11Changes.open(xvfb.display);
  await untilAllIsStill(changes, xvfb.pid);
  changes[Symbol.dispose]();
  await waitFor(() => countOpenFiles(Deno.pid) === before, { what: "the end of its files" });
  using others = new DisposableStack();
  for (let i = 0; i < 5; i++) others.use(await Deno.open("/dev/null"));
  const opened = countOpenFiles(Deno.pid);
  changes[Symbol.dispose]();
  await expect(changes.look()).rejects.toThrow("went away");
  expect(countOpenFiles(Deno.pid)).toBe(opened);
});

Deno.test("look() fails after the server has gone, however still all was", async () => {
  const xvfb = await startXvfb({ size: "320x240" });
  using changes = await X11Changes.open(xvfb.display);
  try {
    await untilAllIsStill(changes, xvfb.pid);
  } finally {
    await xvfb[Symbol.asyncDispose]();
  }
  await waitFor(() => !changes.connected, { what: "the end of the connection" });
  await expect(changes.look()).rejects.toThrow("went away");
});
