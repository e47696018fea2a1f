/** Many desks of one service: how soon they are ready, and what each costs. */

import { startXvfb } from "../tests/support/xvfb.ts";
import { type Started, startServer } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { row, section } from "./report.ts";

const COUNTS = [1, 4, 8, 16];
const ACTIONS = 100;
const IDLE_MS = 5_000;

export async function benchDesks(): Promise<void> {
  section("desks of one service (1280x800, X11)");
  await using xvfb = await startXvfb();
  await using server = await startServer("../main.ts", [
    ...[
      "--port",
      "0",
      "--display",
      `1=${xvfb.display}`,
      "--max-desks",
      String(Math.max(...COUNTS)),
    ],
  ]);
  const base = await treeOf(server.pid);
  row("", ["ready ms", "MiB each", "CPU %", "move ms", "picture ms"]);
  for (const count of COUNTS) {
    const names = Array.from({ length: count }, (_, index) => `desk-${index}`);
    const began = performance.now();
    await Promise.all(names.map((name) => send(server, "/api/desk/create", { name })));
    const readyMs = performance.now() - began;
    const move = await median(() => send(server, "/api/mouse/move", { ...at(), desk: names[0] }));
    const picture = await median(() => send(server, `/api/display/screenshot?desk=${names[0]}`));
    const before = await treeOf(server.pid);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const after = await treeOf(server.pid);
    row(`${count} at once`, [
      readyMs.toFixed(0),
      ((after.mib - base.mib) / count).toFixed(1),
      ((after.cpuMs - before.cpuMs) / IDLE_MS * 100).toFixed(1),
      move.toFixed(2),
      picture.toFixed(1),
    ]);
    for (const name of names) await send(server, "/api/desk/delete", { name });
  }
}

async function send({ port }: Started, path: string, body?: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const posted = body && { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...posted });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  await response.bytes();
}

let round = 0;
function at() {
  round++;
  return { x: round % 600, y: round % 400 };
}

async function median(action: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < ACTIONS; count++) {
    const began = performance.now();
    await action();
    times.push(performance.now() - began);
  }
  return percentile(times, 50);
}

const MS_PER_TICK = 10;

/** What a process and all below it take: memory, with shared parts counted once, and processor time. */
async function treeOf(root: number): Promise<{ readonly mib: number; readonly cpuMs: number }> {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for await (const { name } of Deno.readDir("/proc")) {
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (!/^\d+$/.test(name) || fields.length < 20) continue;
    parents.set(Number(name), Number(fields[1]));
    ticks.set(Number(name), Number(fields[11]) + Number(fields[12]));
  }
  let [kib, sum] = [0, 0];
  for (const pid of parents.keys()) {
    let above: number | undefined = pid;
    while (above !== undefined && above !== root) above = parents.get(above);
    if (above === undefined) continue;
    const memory = await Deno.readTextFile(`/proc/${pid}/smaps_rollup`).catch(() => "");
    kib += Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1] ?? 0);
    sum += ticks.get(pid)!;
  }
  return { mib: kib / 1_024, cpuMs: sum * MS_PER_TICK };
}

if (import.meta.main) await benchDesks();
