/** The watchdog: what keeps the main thread is named, and a busy computer is not taken for it. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { createLog } from "../../src/core/log.ts";
import { testApp } from "./client.ts";
import { lineReader } from "./lines.ts";
import { doing } from "./sample_operations.ts";
import { unless } from "./test_if.ts";
import { waitFor } from "./wait.ts";
import { startWatchdog, type ThreadTimes, threadTimes } from "./watchdog.ts";

/** So long that it is too long on a slow computer, too, and not so long that another thread says so first. */
const STALL_MS = 900;
const CALLER = { remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 } } as const;

Deno.test("the watchdog names the operation that computes for too long", async () => {
  const logged = await watching(() => computeFor(STALL_MS));
  const [, ms, cpuMs] = logged.match(
    /ms=(\d+) cpu_ms=(\d+) limit_ms=\d+ ran="POST \/api\/sample\/do"/,
  )!;
  expect(Number(ms)).toBeGreaterThan(50);
  expect(Number(cpuMs)).toBeGreaterThan(100);
});

Deno.test({
  name: "the watchdog names the operation that waits without letting others go on",
  ignore: unless(
    Deno.build.os === "linux",
    "only Linux tells waiting for a processor from waiting",
  ),
  async fn() {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const logged = await watching(() => void Atomics.wait(cell, 0, 0, STALL_MS));
    expect(logged).toMatch(/ms=\d+ cpu_ms=\d+ limit_ms=\d+ ran="POST \/api\/sample\/do"/);
  },
});

Deno.test("the watchdog names no work that was only kept from a processor", async () => {
  const lines: string[] = [];
  let looks = 0;
  const began = performance.now();
  const kept = (): ThreadTimes => {
    looks++;
    return { cpuMs: 0, queuedMs: performance.now() - began }; // as if others had computed all the time
  };
  using _watchdog = startWatchdog({ times: kept, log: createLog((line) => lines.push(line)) });
  computeFor(100);
  const before = looks;
  await waitFor(() => looks > before, { what: "the next look at the clock" });
  expect(lines).toEqual([]);
});

Deno.test("the watchdog names what keeps the thread for ever, while it does", async () => {
  const program = fileURLToPath(new URL("./stall_forever.ts", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program],
    ...{ stdin: "null", stdout: "null", stderr: "piped" },
  }).spawn();
  const tooLate = setTimeout(() => child.kill("SIGKILL"), 30_000);
  const lines = lineReader(child.stderr);
  try {
    await lines.until(/ warn main thread is held up ms=\d+ ran="POST \/api\/sample\/loop"$/);
  } finally {
    clearTimeout(tooLate);
    child.kill("SIGKILL");
    await child.status;
    await lines.rest();
  }
});

/** What the watchdog logs while an operation does something. */
async function watching(run: () => void): Promise<string> {
  const lines: string[] = [];
  using watchdog = startWatchdog({ log: createLog((line) => lines.push(line)) });
  const config = { ignoreUnknownFields: true }; // that what an address names is not logged
  const app = testApp({ operations: [doing(run)], config });
  const request = new Request("http://localhost/api/sample/do?secret=1", {
    method: "POST",
    headers: { host: "localhost", "content-type": "application/json" },
    body: "{}",
  });
  const { status } = await watchdog.watch(app.fetch)(request, CALLER);
  expect(status).toBe(204);
  await waitFor(() => lines.some((line) => line.includes("ran=")), { what: "a line of the log" });
  return lines.join("\n");
}

function computeFor(ms: number): void {
  const start = threadTimes().cpuMs;
  while (threadTimes().cpuMs - start < ms);
}
