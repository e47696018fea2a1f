/** What a good client's moves take while 500 slow and flooding connections press on. */

import { startCrowd } from "../tests/attacks/support/crowd.ts";
import { startServer } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { row, section } from "./report.ts";

const CROWD = 500;
const MOVES = 500;
const WARM_UP = 50;

export async function benchCrowd(xDisplay: string): Promise<void> {
  const args = ["--port", "0", "--display", `1=${xDisplay}`];
  await using service = await startServer("../main.ts", args);
  section("mouse/move of one client, ms: p50, p99");
  print("alone", await timesOfMoves(service.port));
  await using crowd = startCrowd(service.port, CROWD);
  while (crowd.opened < CROWD) await new Promise((resolve) => setTimeout(resolve, 20));
  const label = `beside ${CROWD} slow and flooding connections (goal: p99 below 50)`;
  print(label, await timesOfMoves(service.port));
}

/** Milliseconds of each. */
async function timesOfMoves(port: number): Promise<number[]> {
  const times: number[] = [];
  for (let move = 0; move < WARM_UP + MOVES; move++) {
    const start = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/api/mouse/move`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ x: 100 + move % 100, y: 100 }),
    });
    await response.body?.cancel();
    if (response.status !== 204) throw new Error(`A move was answered with ${response.status}`);
    if (move >= WARM_UP) times.push(performance.now() - start);
  }
  return times;
}

function print(label: string, times: readonly number[]): void {
  row(label, [50, 99].map((percent) => percentile(times, percent).toFixed(1)));
}
