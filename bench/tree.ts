/**
 * How long a read of OSWorld's tree takes while 98 clients read it beside typing:
 * `deno run -A -c deno.dev.json bench/tree.ts 600` for 10 minutes.
 */

import { loadTree } from "../tests/strangers/osworld/tree_load.ts";
import { percentile } from "./raw_client.ts";
import { row, section } from "./report.ts";

const SECONDS = 60;

export async function benchTree(seconds = SECONDS): Promise<void> {
  section(
    `OSWorld's tree read by 98 clients beside typing for ${seconds} s (goal: none above 2 s)`,
  );
  const { times, faults, typed, saved } = await loadTree(seconds);
  row("ms of a read: p50, p99, longest", [
    ...[50, 99].map((percent) => percentile(times, percent).toFixed(0)),
    Math.max(...times).toFixed(0),
  ]);
  row("reads, reads per second", [times.length, (times.length / seconds).toFixed(0)]);
  row("faults, characters that were lost", [faults.length, typed.length - saved.length]);
  for (const fault of faults) console.log(fault);
}

if (import.meta.main) await benchTree(Number(Deno.args[0] ?? SECONDS));
