/** How soon waiting ends after the last change, what it costs meanwhile, and how long a search takes. */

import { cpuMs } from "./cpu_time.ts";
import { TestX } from "../tests/support/x_client.ts";
import type { Started } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { row, section } from "./report.ts";

const STABLE_MS = 300;
const ROUNDS = 15;
const IDLE_MS = 3_000;

export async function benchWaiting(display: string, service: Started): Promise<void> {
  using x = await TestX.open(display);
  const window = await x.openWindow({ x: 900, y: 500, width: 200, height: 200 });
  const client = x.client as unknown as { ClearArea(...numbers: number[]): void };
  const paint = async (pixel: number) => {
    x.client.ChangeWindowAttributes(window, { backgroundPixel: pixel } as never);
    client.ClearArea(window, 0, 0, 200, 200, 0);
    await x.pointer();
  };
  const late: number[] = [];
  const reacted: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const stable = post(service, "wait", { until: "stable", stable_ms: STABLE_MS });
    let last = 0;
    for (let i = 0; i < 12; i++) {
      await paint(round * 12 + i + 1);
      last = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await stable;
    late.push(performance.now() - last - STABLE_MS);
    const change = post(service, "wait", { until: "change" });
    await new Promise((resolve) => setTimeout(resolve, 60));
    last = performance.now();
    await paint(0xffffff - round);
    await change;
    reacted.push(performance.now() - last);
  }
  section("waiting");
  const figures = (times: number[]) =>
    [percentile(times, 50), percentile(times, 100)].map((value) => value.toFixed(1));
  row("ms after the last change and stable_ms: p50, worst (goal 50)", figures(late));
  row("ms from a change to its answer: p50, worst", figures(reacted));
  const before = cpuMs(service.pid);
  await post(service, "wait", { until: "change", timeout_ms: IDLE_MS });
  row(`CPU ms of ${IDLE_MS} ms of waiting`, [cpuMs(service.pid) - before]);
  await benchLocate(display, service);
}

async function benchLocate(display: string, service: Started): Promise<void> {
  section("locate at 1920x1080 over HTTP: p50 ms, confidence");
  const path = await Deno.makeTempFile({ suffix: ".png" });
  for (const geometry of ["64x64+60+60", "64x64+1300+500", "24x24+60+60", "300x200+100+100"]) {
    const crop = ["-window", "root", "-crop", geometry, "+repage", path];
    await new Deno.Command("import", { args: crop, env: { DISPLAY: display } }).output();
    const times: number[] = [];
    let found = "";
    for (let i = 0; i < 10; i++) {
      const start = performance.now();
      found = await post(service, "locate", { image_path: path });
      times.push(performance.now() - start);
    }
    row(`${geometry} (goal 100 for 64x64)`, [
      percentile(times, 50).toFixed(1),
      JSON.parse(found)?.confidence ?? "none",
    ]);
  }
  await Deno.remove(path);
}

async function post({ port }: Started, operation: string, body: unknown): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/display/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await response.text();
}
