/** How long a start takes to the first answer, from source and from the executable, and what idling needs. */

import { fileURLToPath } from "node:url";
import { builtExecutable } from "../tests/support/executable.ts";
import { freePort } from "./process.ts";
import { row, section } from "./report.ts";

const STARTS = 15;
/** How long the service is left alone before its memory is read. */
const IDLE_MS = 3_000;

interface Kind {
  readonly name: string;
  readonly command: readonly string[];
}

export async function benchStart(display: string): Promise<void> {
  section("Start to first answer, and idle memory");
  const cache = await Deno.makeTempDir({ prefix: "computer-control-bench-" });
  const env = { COMPUTER_CONTROL_CACHE: cache, DISPLAY: display };
  try {
    const executable = await builtExecutable();
    const main = fileURLToPath(new URL("../main.ts", import.meta.url));
    const kinds: Kind[] = [
      { name: "from source", command: [Deno.execPath(), "run", "-A", main] },
      { name: "self-extracting, unpacked already", command: [executable] },
    ];
    const first = await measure(executable, [], env);
    row("self-extracting, the first time: it unpacks", [`${first.startMs.toFixed(0)} ms`]);
    for (const { name, command: [program, ...args] } of kinds) {
      const all = [];
      for (let count = 0; count < STARTS; count++) all.push(await measure(program!, args, env));
      const times = all.map(({ startMs }) => startMs).sort((a, b) => a - b);
      const figures = [times[times.length >> 1]!, times.at(-1)!].map((ms) => `${ms.toFixed(0)} ms`);
      row(`${name}: median, worst of ${STARTS}`, figures);
      const { residentMiB } = await measure(program!, args, env, IDLE_MS);
      row(`${name}: resident memory when idle`, [`${residentMiB.toFixed(0)} MiB`]);
    }
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

interface Measured {
  readonly startMs: number;
  readonly residentMiB: number;
}

async function measure(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  idleMs = 0,
): Promise<Measured> {
  const port = freePort();
  const flags = ["--port", String(port), "--display", env["DISPLAY"]!, "--keychain", "file"];
  const begin = performance.now();
  const child = new Deno.Command(program, {
    args: [...args, ...flags, "--state-dir", `${env["COMPUTER_CONTROL_CACHE"]}/state`],
    env,
    ...{ stdin: "null", stdout: "null", stderr: "null" } as const,
  }).spawn();
  try {
    while (!await answers(port)) await new Promise((resolve) => setTimeout(resolve, 1));
    const startMs = performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    return { startMs, residentMiB: await residentMiB(child.pid) };
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}

/** Whether the service is ready, with its display: before that it answers 503. */
async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/display/screen_size`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function residentMiB(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(status.match(/^VmRSS:\s+(\d+)/m)![1]) / 1024;
}
