/** Commands: the cost of one beside a bare process, many at once, and what noisy ones do to the mouse. */

import { startXvfb } from "../tests/support/xvfb.ts";
import { type Started, startServer } from "./process.ts";
import { hyperfine } from "./processes.ts";
import { describeMachine, row, section } from "./report.ts";
import { type Figures, measure, median } from "./wrk.ts";

const ROUNDS = 5;
const PARALLEL = 200;
const SLEEP_MS = 100;
const AT_ONCE = 64;

const COMMAND = "/api/bash/command";
const MOVE = { path: "/api/mouse/move", body: { x: 300, y: 200 }, connections: 1, seconds: 3 };

/** Prints the figures, each beside its target. */
export async function benchBash(xDisplay: string): Promise<void> {
  await using service = await startServer("../main.ts", [
    ...["--port", "0", "--display", `1=${xDisplay}`],
  ]);
  section("commands: measured, compared with, times (target: at most 2, 2 and 5 times)");
  await benchOne(service, xDisplay);
  await benchMany(service);
  for (const noise of ["yes", "cat /dev/zero", "while :; do echo noise; done"]) {
    await benchNoise(service, noise);
  }
}

/** In turn, so that a noisy moment of the machine hits both. */
async function benchOne(service: Started, xDisplay: string): Promise<void> {
  const bare: number[] = [];
  const ours: Figures[] = [];
  const load = { port: service.port, path: COMMAND, body: { command: "true" }, connections: 1 };
  for (let round = 0; round <= ROUNDS; round++) {
    const process = await hyperfine("bash -c true", xDisplay);
    const figures = await measure({ ...load, seconds: 2 });
    if (round === 0) continue; // the first round warms up
    bare.push(process);
    ours.push(figures);
  }
  const process = middle(bare);
  const figures = median(ours);
  const mean = 1000 / figures.perSecond;
  row("`true`: mean ms, bare `bash -c true`: mean ms", [...show(mean, process)]);
  row("`true`: p50 ms, p99 ms", [(figures.p50 / 1000).toFixed(2), (figures.p99 / 1000).toFixed(2)]);
}

async function benchMany(service: Started): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const body = { command: `sleep ${SLEEP_MS / 1000}` };
    await Promise.all(Array.from({ length: PARALLEL }, () => call(service, COMMAND, body)));
    times.push(performance.now() - start);
  }
  const ideal = Math.ceil(PARALLEL / AT_ONCE) * SLEEP_MS;
  row(`${PARALLEL} at once of \`sleep 0.1\`: ms, ideal with ${AT_ONCE} at once: ms`, [
    ...show(middle(times), ideal),
  ]);
}

async function benchNoise(service: Started, command: string): Promise<void> {
  const idle: Figures[] = [];
  const noisy: Figures[] = [];
  for (let round = 0; round < 3; round++) {
    idle.push(await measure({ ...MOVE, port: service.port }));
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => call(service, COMMAND, { command, timeout: 0 })),
    );
    await untilAllAreLoud(service);
    noisy.push(await measure({ ...MOVE, port: service.port }));
    await call(service, "/api/bash/restart", {});
  }
  const p99 = (runs: readonly Figures[]) => middle(runs.map((figures) => figures.p99)) / 1000;
  row(`mouse/move beside ${AT_ONCE} of \`${command}\`: p99 ms, idle p99 ms`, [
    ...show(p99(noisy), p99(idle)),
  ]);
}

/** Their start is over when each has written more than one pipe holds. */
async function untilAllAreLoud(service: Started): Promise<void> {
  const url = `http://127.0.0.1:${service.port}/api/bash/processes/managed`;
  let loud = 0;
  while (loud < AT_ONCE) {
    const list: { output_bytes: number }[] = await (await fetch(url)).json();
    loud = list.filter((process) => process.output_bytes > 64 * 1024).length;
  }
}

function show(measured: number, beside: number): readonly string[] {
  return [measured.toFixed(2), beside.toFixed(2), `${(measured / beside).toFixed(2)}x`];
}

async function call(service: Started, path: string, body: unknown): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

if (import.meta.main) {
  section(`${new Date().toISOString().slice(0, 10)}, ${await describeMachine()}`);
  await using xvfb = await startXvfb({ size: "1920x1080" });
  await benchBash(xvfb.display);
  row("", []);
}
