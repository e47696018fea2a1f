/** Requests per second and latency over HTTP, beside a bare server and a bare Hono app that makes the same X requests. */

import { cpuMs } from "./cpu_time.ts";
import { startServer } from "./process.ts";
import { row, section } from "./report.ts";
import { type Figures, measure, median } from "./wrk.ts";

const ROUNDS = 3;
const SECONDS = 3;

const OPERATIONS = [
  { path: "/api/mouse/move", body: { x: 300, y: 200 } },
  { path: "/api/display/pixel_color", body: { x: 300, y: 200 } },
  { path: "/api/keyboard/key", body: { key: "a" } },
] as const;

/** Prints the figures; returns the lowest rate of one client, by path, for comparison with processes. */
export async function benchRequests(xDisplay: string): Promise<ReadonlyMap<string, Figures>> {
  await using service = await startServer("../main.ts", [
    "--port",
    "0",
    "--display",
    `1=${xDisplay}`,
  ]);
  await using hono = await startServer("servers/hono_x11.ts", [xDisplay]);
  await using bare = await startServer("servers/bare.ts", []);
  const servers = { service, hono, bare } as const;
  const single = new Map<string, Figures>();
  for (const connections of [1, 32]) {
    section(
      `${connections} connection${connections > 1 ? "s" : ""}: requests/s, p50 µs, p99 µs, CPU µs`,
    );
    for (const { path, body } of OPERATIONS) {
      const figures = await measureInTurn(servers, { path, body, connections });
      if (connections === 1) single.set(path, figures.service);
      print(path, figures);
    }
  }
  return single;
}

/** With the processor time of the server for each request: all its threads, user and system, in microseconds. */
type Measured = Figures & { readonly cpu: number };

type Names = "service" | "hono" | "bare";

/** Rounds of all three, one after the other, so that a noisy moment hits all. */
async function measureInTurn(
  servers: Record<Names, { port: number; pid: number }>,
  load: { path: string; body: unknown; connections: number },
): Promise<Record<Names, Measured>> {
  const runs: Record<Names, Measured[]> = { service: [], hono: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ["service", "hono", "bare"] as const) {
      const seconds = round === 0 ? 1 : SECONDS; // the first round warms up
      const { port, pid } = servers[name];
      const before = cpuMs(pid);
      const figures = await measure({ ...load, port, seconds });
      const cpu = (cpuMs(pid) - before) * 1000 / figures.requests;
      if (round > 0) runs[name].push({ ...figures, cpu });
    }
  }
  return { service: median(runs.service), hono: median(runs.hono), bare: median(runs.bare) };
}

function print(path: string, { service, hono, bare }: Record<Names, Measured>): void {
  for (
    const [name, figures] of Object.entries({
      service,
      "bare Hono + X11": hono,
      "bare Deno.serve": bare,
    })
  ) {
    row(
      `${path} ${name}`,
      [figures.perSecond, figures.p50, figures.p99, figures.cpu].map(Math.round),
    );
  }
  row(`${path} share of bare Hono / of bare server (requests/s)`, [
    (service.perSecond / hono.perSecond).toFixed(2),
    (service.perSecond / bare.perSecond).toFixed(2),
  ]);
  row(`${path} CPU times that of the bare server`, [(service.cpu / bare.cpu).toFixed(1)]);
  row(`${path} p50 times that of the bare server`, [(service.p50 / bare.p50).toFixed(1)]);
}
