/**
 * `deno task bench:commits <revision> [...]`: the median time of input operations at several commits,
 * in alternating runs on one X server, as ratios to the first.
 */

import { fileURLToPath } from "node:url";
import { startXvfb } from "../tests/support/xvfb.ts";
import { type Started, startServer } from "./process.ts";
import { row, section } from "./report.ts";
import { measure } from "./wrk.ts";

const RUNS = 10;
const SECONDS = 2;
const OPERATIONS = [
  { path: "/api/mouse/move", body: { x: 300, y: 200 } },
  { path: "/api/keyboard/key", body: { key: "a" } },
  // at two places: presses at one place get time stamps of their own, a millisecond each
  { path: "/api/mouse/left-click", body: { x: 300, y: 200 }, other: { x: 400, y: 200 } },
];

if (Deno.args.length < 2) {
  console.error("bench:commits: name at least two revisions");
  Deno.exit(2);
}

const folder = await Deno.makeTempDir({ prefix: "computer-control-bench-" });
await using stack = new AsyncDisposableStack();
stack.defer(() => Deno.remove(folder, { recursive: true }));
const xvfb = stack.use(await startXvfb({ size: "1920x1080" }));
const servers = new Map<string, Started>();
for (const revision of Deno.args) {
  const clone = `${folder}/${revision}`;
  await git(["clone", "-q", "--shared", fileURLToPath(new URL("../", import.meta.url)), clone]);
  await git(["-C", clone, "checkout", "-q", "--detach", await commitOf(revision)]);
  // fetches the packages that run: `deno cache` would want those of types, too
  await run(Deno.execPath(), ["run", "-A", `${clone}/main.ts`, "--version"]);
  const flags = ["--port", "0", "--display", `1=${xvfb.display}`];
  servers.set(revision, stack.use(await startServer(`${clone}/main.ts`, flags)));
}

section(
  `p50 of one connection, µs: median of ${RUNS} alternating runs, and its ratio to the first`,
);
for (const { path, ...bodies } of OPERATIONS) {
  const times = new Map(Deno.args.map((revision) => [revision, [] as number[]]));
  for (let run = 0; run <= RUNS; run++) {
    for (const [revision, { port }] of servers) {
      const { p50 } = await measure({ path, ...bodies, port, connections: 1, seconds: SECONDS });
      if (run > 0) times.get(revision)!.push(p50); // the first run warms up
    }
  }
  const first = middle(times.get(Deno.args[0]!)!);
  for (const [revision, all] of times) {
    row(`${path} at ${revision}`, [Math.round(middle(all)), (middle(all) / first).toFixed(2)]);
  }
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}

async function commitOf(revision: string): Promise<string> {
  return (await git(["-C", fileURLToPath(new URL("../", import.meta.url)), "rev-parse", revision]))
    .trim();
}

function git(args: readonly string[]): Promise<string> {
  return run("git", args);
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const io = { stdout: "piped", stderr: "inherit" } as const;
  const { success, stdout } = await new Deno.Command(program, { args: [...args], ...io }).output();
  if (!success) throw new Error(`${program} ${args[0]} failed`);
  return new TextDecoder().decode(stdout);
}
