/** The list of 100 windows under openbox, beside wmctrl -lG; each list is checked. */

import { startWindowManager } from "../tests/real_programs/support/window_manager.ts";
import { run } from "../tests/support/desktop.ts";
import { openProgramWindow } from "../tests/support/program_window.ts";
import { TestX } from "../tests/support/x_client.ts";
import { startXvfb } from "../tests/support/xvfb.ts";
import { startServer } from "./process.ts";
import { row, section } from "./report.ts";

const WINDOWS = 100;
const ROUNDS = 31;

export async function benchWindows(): Promise<void> {
  await using server = await startXvfb();
  await using manager = await startWindowManager(server.display, "openbox");
  using x = await TestX.open(server.display);
  for (let index = 0; index < WINDOWS; index++) {
    await openProgramWindow(x, {
      x: 8 * index,
      y: 5 * index,
      title: `Window ${index}`,
      app: "Bench",
    });
  }
  await manager.settled();
  const args = ["--port", "0", "--display", `1=${server.display}`];
  await using service = await startServer("../main.ts", args);
  const listOf = async ({ port }: { readonly port: number }) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/window/list`);
    const windows = await response.json();
    if (windows.length !== WINDOWS) throw new Error(`${windows.length} windows are listed`);
  };
  const list = () => listOf(service);
  const ask = async () => {
    const lines = new TextDecoder()
      .decode(await run("wmctrl", ["-lG"], { DISPLAY: server.display })).trim().split("\n");
    if (lines.length !== WINDOWS) throw new Error(`wmctrl lists ${lines.length} windows`);
  };
  const first = await time(list);
  await using asked = await startServer("../main.ts", args);
  await (await fetch(`http://127.0.0.1:${asked.port}/api/mouse/position`)).body?.cancel();
  const firstOfAsked = await time(() => listOf(asked));
  const times = { ours: [] as number[], moved: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await time(list));
    times.theirs.push(await time(ask));
    const id = await openProgramWindow(x, { title: "one more" });
    x.client.DestroyWindow(id);
    await manager.settled();
    times.moved.push(await time(list));
  }
  section("Windows, a list of 100 (median ms; share of wmctrl -lG)");
  const theirs = middle(times.theirs);
  for (
    const [label, ms] of [
      ["the first request of a service", first],
      ["the first, after another request", firstOfAsked],
    ] as const
  ) row(`GET /api/window/list, ${label}`, [ms.toFixed(1), (ms / theirs).toFixed(2)]);
  for (
    const [label, ours] of [
      ["GET /api/window/list", middle(times.ours)],
      ["after a window opened and closed", middle(times.moved)],
    ] as const
  ) row(label, [ours.toFixed(1), (ours / theirs).toFixed(2)]);
  row("wmctrl -lG", [theirs.toFixed(1)]);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
