/** Thirty pictures a second beside mouse movements, and the memory of five thousand. */

import type { Started } from "./process.ts";
import { percentile, RawClient } from "./raw_client.ts";
import { row, section } from "./report.ts";
import { measure } from "./wrk.ts";

const PER_SECOND = 30;
const SECONDS = 8;
/** Connections that take turns, as a viewer has that does not wait for the last picture. */
const CLIENTS = 3;
const MANY = 5_000;
const SHOT = "/api/display/screenshot";

export async function benchPictureLoad(service: Started): Promise<void> {
  await benchBesideMoves(service);
  await benchMemory(service);
}

async function benchBesideMoves({ port }: Started): Promise<void> {
  const load = { port, path: "/api/mouse/move", body: { x: 300, y: 200 }, connections: 1 };
  await measure({ ...load, seconds: 2 }); // warms up
  const idle = await measure({ ...load, seconds: SECONDS });
  const stream = streamPictures(port);
  const busy = await measure({ ...load, seconds: SECONDS });
  const { rate, latency } = await stream;
  section(`${PER_SECOND} pictures/s while mouse/move goes on as fast as it can`);
  row("pictures/s that came, and their p50 and p99 ms", [
    ...[rate, percentile(latency, 50), percentile(latency, 99)].map((value) => value.toFixed(1)),
  ]);
  row("mouse/move p99 µs: idle, beside pictures, times (goal 5)", [
    ...[idle.p99.toFixed(0), busy.p99.toFixed(0), `${(busy.p99 / idle.p99).toFixed(1)}x`],
  ]);
  row("mouse/move p50 µs: idle, beside pictures", [idle.p50.toFixed(0), busy.p50.toFixed(0)]);
  row("mouse/move requests/s: idle, beside pictures", [
    ...[idle.perSecond, busy.perSecond].map((value) => value.toFixed(0)),
  ]);
}

/** One picture at each tick, whether the one before has come or not, for as long as the moves are measured. */
async function streamPictures(port: number): Promise<{ rate: number; latency: number[] }> {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => RawClient.connect(port)));
  const latency: number[] = [];
  const start = performance.now();
  const rest = (tick: number) => start + tick * 1000 / PER_SECOND - performance.now();
  await Promise.all(clients.map(async (client, index) => {
    for (let tick = index; tick < SECONDS * PER_SECOND; tick += CLIENTS) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, rest(tick))));
      const begin = performance.now();
      await client.get(SHOT);
      latency.push(performance.now() - begin);
    }
    client[Symbol.dispose]();
  }));
  return { rate: latency.length / (performance.now() - start) * 1000, latency };
}

async function benchMemory({ port, pid }: Started): Promise<void> {
  using client = await RawClient.connect(port);
  const samples: number[] = [];
  for (let i = 0; i <= MANY; i++) {
    if (i % 1_000 === 0) samples.push(residentMiB(pid));
    await client.get(SHOT);
  }
  section(`memory over ${MANY} pictures, MiB after every thousand`);
  row("resident memory of the service", samples.map((value) => value.toFixed(0)));
}

function residentMiB(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024;
}
