/** What a call by MCP costs more than its operation, in both eras; and how soon a call that is cancelled stops. */

import { openRecorder } from "../tests/support/recorder.ts";
import { legacyMessage, type McpMessage, modernMessage } from "../tests/support/mcp.ts";
import { waitFor } from "../tests/support/wait.ts";
import { startServer } from "./process.ts";
import { row, section } from "./report.ts";

const WARM_UP = 300;
const ROUNDS = 1_000;
const CANCELLED = 10;
const STILL_MS = 200;

export async function benchMcp(xDisplay: string): Promise<void> {
  const args = ["--port", "0", "--display", `1=${xDisplay}`, "--mcp-tools", "all"];
  await using service = await startServer("../main.ts", args);
  const base = `http://127.0.0.1:${service.port}`;
  section("MCP: one call after the other, one client (p50 and p99 ms; more than the operation)");
  const pairs = [
    ["mouse/move", { x: 300, y: 200 }, "mouse_move", { coordinate: [300, 200] }],
    ["display/pixel_color", { x: 3, y: 2 }, "display_pixel_color", { x: 3, y: 2 }],
    ["keyboard/key", { key: "a" }, "key", { text: "a" }],
  ] as const;
  for (const [path, body, name, input] of pairs) {
    const headers = { "content-type": "application/json" };
    const params = { name, arguments: input };
    const [operation, modern, legacy] = await inTurn([
      () => post(`${base}/api/${path}`, { headers, body }),
      () => post(`${base}/mcp`, modernMessage("tools/call", params)),
      () => post(`${base}/mcp`, legacyMessage("tools/call", params)),
    ]);
    row(`POST /api/${path}`, [operation!.p50, operation!.p99].map(shown));
    for (const [era, { p50, p99 }] of [["2026-07-28", modern!], ["2025-11-25", legacy!]] as const) {
      row(`${name} by MCP ${era}`, [p50, p99, p50 - operation!.p50].map(shown));
    }
  }
  const last = await measureCancelling(base, xDisplay);
  section("MCP: the last key after the client has closed the connection (ms; typing_delay 12)");
  row(`${CANCELLED} times: median, longest`, [last[CANCELLED >> 1]!, last.at(-1)!].map(shown));
}

async function post(url: string, { headers, body }: McpMessage): Promise<void> {
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true')) throw new Error(text);
}

interface Times {
  readonly p50: number;
  readonly p99: number;
}

/** One of each after the other, so that a noisy moment hits all. */
async function inTurn(work: readonly (() => Promise<void>)[]): Promise<Times[]> {
  const times = work.map((): number[] => []);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [at, run] of work.entries()) {
      const start = performance.now();
      await run();
      if (round >= WARM_UP) times[at]!.push(performance.now() - start);
    }
  }
  return times.map((each) => {
    const sorted = each.toSorted((a, b) => a - b);
    return { p50: sorted[sorted.length >> 1]!, p99: sorted[Math.floor(sorted.length * 0.99)]! };
  });
}

/** For each try the time from closing the connection to the last key, sorted. */
async function measureCancelling(base: string, xDisplay: string): Promise<number[]> {
  using recorder = await openRecorder(xDisplay);
  const times: number[] = [];
  for (let round = 0; round < CANCELLED; round++) {
    recorder.clear();
    const leaving = new AbortController();
    const text = "a".repeat(10_000);
    const { headers, body } = modernMessage("tools/call", { name: "type", arguments: { text } });
    const sent = { method: "POST", headers, body: JSON.stringify(body), signal: leaving.signal };
    const typing = fetch(`${base}/mcp`, sent).catch(() => {});
    await waitFor(() => recorder.presses.length > 20, { what: "typed keys" });
    const start = performance.now();
    let last = start;
    let seen = recorder.presses.length;
    leaving.abort();
    while (performance.now() - last < STILL_MS) {
      await recorder.sync();
      if (recorder.presses.length > seen) last = performance.now();
      seen = recorder.presses.length;
    }
    times.push(last - start);
    await typing;
  }
  return times.toSorted((a, b) => a - b);
}

function shown(ms: number): string {
  return ms.toFixed(2);
}
