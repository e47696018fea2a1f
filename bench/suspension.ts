/**
 * A service that is stopped as a whole, and finds the clock 30 days later when it goes on, as a frozen container
 * does: what is held, what was acknowledged, and how soon it answers. `deno task bench` leaves it out: it takes
 * minutes, and needs libfaketime.
 */

import { startWatched } from "../tests/support/command.ts";
import { testFolder } from "../tests/support/folder.ts";
import { TestX } from "../tests/support/x_client.ts";
import { startXvfb } from "../tests/support/xvfb.ts";
import { percentile } from "./raw_client.ts";
import { row, section } from "./report.ts";

const ROUNDS = Number(Deno.args[0] ?? 200);
const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const SUSPENDED_MS = 1_500;
const DAYS = 30;
/** From then on nothing that was held may be down. */
const RELEASED_MS = 1_500;

section(`${ROUNDS} suspensions, each ${DAYS} days by the clock`);
await using xvfb = await startXvfb();
await using folder = await testFolder();
const clock = `${folder.path}/clock`;
await Deno.writeTextFile(clock, "+0d");
await using service = await startWatched(["--display", xvfb.display], {
  TEST_LIMITS: JSON.stringify({ suspendedMs: SUSPENDED_MS }),
  LD_PRELOAD: LIBRARY,
  FAKETIME_TIMESTAMP_FILE: clock,
  FAKETIME_NO_CACHE: "1",
  FAKETIME_DONT_FAKE_MONOTONIC: "1", // as the kernel's does not count while it sleeps
});
using x = await TestX.open(xvfb.display);
const times: number[] = [];
let [pressed, lost, failed] = [0, 0, 0];
for (let round = 1; round <= ROUNDS; round++) {
  const path = `${folder.path}/${round}`;
  await post("/api/keyboard/hold", { key: "shift" });
  await post("/api/mouse/down", {});
  await post("/api/filesystem/write", { path, content: "acknowledged" });
  Deno.kill(service.pid, "SIGSTOP");
  await pause(SUSPENDED_MS + 300);
  await Deno.writeTextFile(clock, `+${round * DAYS}d`);
  Deno.kill(service.pid, "SIGCONT");
  const began = performance.now();
  if (!await get("/api/system/info") || !await get("/api/display/screenshot")) failed++;
  times.push(performance.now() - began);
  await pause(RELEASED_MS);
  if ((await x.keysDown()).length > 0) pressed++;
  if (await Deno.readTextFile(path).catch(() => "") !== "acknowledged") lost++;
}
row("first answer and picture, ms: p50, p95, longest", [
  ...[50, 95, 100].map((percent) => percentile(times, percent).toFixed(0)),
]);
row("rounds with something pressed, lost, unanswered", [pressed, lost, failed]);
Deno.exitCode = pressed + lost + failed === 0 ? 0 : 1;

async function post(path: string, body: unknown): Promise<void> {
  const answer = await service.post(path, body);
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
}

async function get(path: string): Promise<boolean> {
  const answer = await fetch(service.address + path);
  await answer.bytes();
  return answer.ok;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
