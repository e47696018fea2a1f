/**
 * `deno task strangers [--hand browser] [--seeds 10] [click-button 'drag-*']`: tasks that strangers wrote, done by scripts
 * and judged by the tasks' own programs: MiniWoB++ by `browser/*`, by mouse, keyboard and elements of the desktop,
 * and by a hand that does nothing and must score nothing. A run of all tasks writes `docs/strangers.md`.
 */

import { parseArgs } from "node:util";
import { DESKS } from "../tests/strangers/miniwob/desks.ts";
import { PACKAGE, serveTasks } from "../tests/strangers/miniwob/pages.ts";
import { runEpisode, type Score } from "../tests/strangers/miniwob/run.ts";
import { makeReport } from "../tests/strangers/report.ts";

type HandName = keyof typeof DESKS;
const REPORT = new URL("../docs/strangers.md", import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hand: { type: "string", multiple: true, default: Object.keys(DESKS) },
    seeds: { type: "string", default: "10" },
    first: { type: "string", default: "1" },
  },
});
const unknown = values.hand.find((name) => !Object.hasOwn(DESKS, name));
if (unknown !== undefined) {
  console.error(`There is no hand "${unknown}": use ${Object.keys(DESKS).join(", ")}`);
  Deno.exit(2);
}

await using pages = await serveTasks();
const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => at + Number(values.first));
const names = pages.names.filter((name) =>
  positionals.length === 0 || positionals.some((pattern) => fits(name, pattern))
);
const scores = new Map<HandName, readonly Score[]>();
for (const kind of values.hand as HandName[]) scores.set(kind, await runAll(kind));
for (const [kind, all] of scores) {
  const solved = all.filter(({ reward }) => reward > 0).length;
  console.log(`${kind}: ${solved} of ${all.length} episodes`);
}
if (names.length === pages.names.length && scores.size === Object.keys(DESKS).length) {
  const range = seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`;
  const tested = `${PACKAGE.replace("==", " ")}, ${range}`;
  await Deno.writeTextFile(REPORT, makeReport(scores, tested));
}
Deno.exit(scores.get("idle")?.some(({ reward }) => reward > 0) ? 1 : 0);

async function runAll(kind: HandName): Promise<readonly Score[]> {
  await using desk = await DESKS[kind](pages.lobby);
  const { hand } = desk;
  const scores: Score[] = [];
  for (const name of names) {
    const began = performance.now();
    const own: Score[] = [];
    for (const seed of seeds) own.push(await runEpisode({ pages, hand, name, seed }));
    const solved = own.filter(({ reward }) => reward > 0).length;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${kind} ${name} ${solved}/${own.length} ${seconds} s`);
    for (const { seed, reason } of own) if (hand && reason) console.log(`  ${seed}: ${reason}`);
    scores.push(...own);
  }
  return scores;
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
