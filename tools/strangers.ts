/**
 * `deno task strangers [--suite office] [--hand script] [click-button 'sheet-*']`: tasks that strangers wrote or judge,
 * done by scripts. `miniwob` is MiniWoB++ by `browser/*`, by mouse, keyboard and elements of the desktop (`desktop` on X11,
 * `wayland` on sway), with `--seeds 10` for each task; `office` is LibreOffice by the routes of OSWorld's server, judged by
 * OSWorld's evaluators; `local` is those tasks of OSWorld that need no network and only Debian's programs, `--times 20`
 * each. With `--osworld-server OSWorld/desktop_env/server`, from a clone of OSWorld's repository, the hand `original` does
 * the tasks on a computer with that server, too. A hand that does nothing must score nothing. The scores are kept: hands may take turns, and what is done again replaces what it was. Once there are scores of all tasks of a suite,
 * a run writes its section of `docs/strangers.md`.
 */

import { parseArgs } from "node:util";
import { keepScores, type KeptScores, readScores } from "../tests/strangers/kept_scores.ts";
import { DESKS } from "../tests/strangers/miniwob/desks.ts";
import { PACKAGE, serveTasks } from "../tests/strangers/miniwob/pages.ts";
import { runEpisode, type Score } from "../tests/strangers/miniwob/run.ts";
import { openOriginalComputer, openOwnComputer } from "../tests/strangers/osworld/computer.ts";
import { makeDocuments, startJudge } from "../tests/strangers/osworld/judge.ts";
import {
  LOCAL_HANDS,
  type LocalHandName,
  type LocalScore,
  runLocalTask,
} from "../tests/strangers/osworld/local_run.ts";
import { LOCAL_TASKS } from "../tests/strangers/osworld/local_tasks.ts";
import { OFFICE_TASKS } from "../tests/strangers/osworld/office_tasks.ts";
import { EVALUATORS } from "../tests/strangers/osworld/packages.ts";
import {
  isWrong,
  OFFICE_HANDS,
  type OfficeHand,
  type OfficeScore,
  runOfficeTask,
} from "../tests/strangers/osworld/run.ts";
import {
  describeLocal,
  describeMiniwob,
  describeOffice,
  withSection,
} from "../tests/strangers/report.ts";

type HandName = keyof typeof DESKS;
const REPORT = new URL("../docs/strangers.md", import.meta.url);
const SUITES: Readonly<Record<string, () => Promise<boolean>>> = {
  miniwob: runMiniwob,
  office: runOffice,
  local: runLocal,
};
const HANDS = [...new Set<string>([...Object.keys(DESKS), ...OFFICE_HANDS, ...LOCAL_HANDS])];
/** What judges the tasks of `office` and `local`. */
const TESTED = EVALUATORS.replace("==", " ");
/** What needs OSWorld's own server, and the page can do without. */
const ORIGINAL = "original";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: "string", multiple: true, default: Object.keys(SUITES) },
    hand: { type: "string", multiple: true, default: HANDS },
    seeds: { type: "string", default: "10" },
    first: { type: "string", default: "1" },
    times: { type: "string", default: "1" },
    "osworld-server": { type: "string" },
  },
});
refuseUnknown("suite", values.suite, Object.keys(SUITES));
refuseUnknown("hand", values.hand, HANDS);
const original = values["osworld-server"];
let isAsItShould = true;
for (const name of values.suite) if (!await SUITES[name]!()) isAsItShould = false;
Deno.exit(isAsItShould ? 0 : 1);

function refuseUnknown(what: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  console.error(`There is no ${what} "${unknown}": use ${known.join(", ")}`);
  Deno.exit(2);
}

/** Whether the names on the command line, if there are any, choose this task. */
function isChosen(name: string): boolean {
  return positionals.length === 0 || positionals.some((pattern) => fits(name, pattern));
}

function isAsked(hand: string): boolean {
  return values.hand.includes(hand) && (hand !== ORIGINAL || original !== undefined);
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

async function writeSection(section: string): Promise<void> {
  const page = await Deno.readTextFile(REPORT).catch(() => undefined);
  await Deno.writeTextFile(REPORT, withSection(page, section));
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

/** Whether doing nothing has scored nothing. */
async function runMiniwob(): Promise<boolean> {
  const kinds = (Object.keys(DESKS) as HandName[]).filter((kind) => values.hand.includes(kind));
  if (kinds.length === 0) return true;
  await using pages = await serveTasks();
  const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => at + Number(values.first));
  const names = pages.names.filter(isChosen);
  if (names.length === 0) return true;
  let isIdleRewarded = false;
  for (const kind of kinds) {
    const all = await runEpisodes(kind, { pages, names, seeds });
    const solved = all.filter(({ reward }) => reward > 0).length;
    console.log(`${kind}: ${solved} of ${all.length} episodes`);
    if (kind === "idle" && solved > 0) isIdleRewarded = true;
  }
  const kept = await readHands<HandName, Score>(
    "miniwob",
    Object.keys(DESKS) as HandName[],
    () => pages.names,
  );
  if (kept) await writeSection(describeMiniwob(kept));
  return !isIdleRewarded;
}

interface Episodes {
  readonly pages: Awaited<ReturnType<typeof serveTasks>>;
  readonly names: readonly string[];
  readonly seeds: readonly number[];
}

async function runEpisodes(
  kind: HandName,
  { pages, names, seeds }: Episodes,
): Promise<readonly Score[]> {
  await using desk = await DESKS[kind](pages.lobby);
  await pages.shown();
  const { hand } = desk;
  const range = seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`;
  const tested = `${PACKAGE.replace("==", " ")}, ${range}`;
  const isWhole = names.length === pages.names.length;
  const scores: Score[] = [];
  for (const name of names) {
    const began = performance.now();
    const own: Score[] = [];
    for (const seed of seeds) own.push(await runEpisode({ pages, hand, name, seed }));
    const solved = own.filter(({ reward }) => reward > 0).length;
    console.log(`${kind} ${name} ${solved}/${own.length} ${secondsSince(began)} s`);
    for (const { seed, reason } of own) if (hand && reason) console.log(`  ${seed}: ${reason}`);
    await keepScores(`miniwob-${kind}`, { tested, own, isWhole });
    scores.push(...own);
  }
  return scores;
}

/** What the hands of a suite have done of all their tasks; `undefined` where one of them has not yet. */
async function readHands<Hand extends string, Each extends { readonly name: string }>(
  suite: string,
  hands: readonly Hand[],
  tasksOf: (hand: Hand) => readonly string[],
): Promise<ReadonlyMap<Hand, KeptScores<Each>> | undefined> {
  const scores = new Map<Hand, KeptScores<Each>>();
  for (const hand of hands) {
    const kept = await readScores<Each>(`${suite}-${hand}`, tasksOf(hand));
    if (kept) scores.set(hand, kept);
    else if (hand !== ORIGINAL) {
      return void console.log(`Not written: ${hand} has not done all tasks`);
    }
  }
  return scores;
}

/** Whether every document was judged as it should be. */
async function runOffice(): Promise<boolean> {
  const hands = new Set(OFFICE_HANDS.filter(isAsked));
  const tasks = OFFICE_TASKS.filter(({ name }) => isChosen(name));
  if (tasks.length === 0 || hands.size === 0) return true;
  const documents = await makeDocuments(tasks);
  await using judge = await startJudge();
  const needsOwn = hands.has("idle") || hands.has("script");
  await using own = needsOwn ? await openOwnComputer() : undefined;
  await using other = hands.has(ORIGINAL) ? await openOriginalComputer(original!) : undefined;
  const scores = new Map<OfficeHand, OfficeScore[]>([...hands].map((hand) => [hand, []]));
  const isWhole = tasks.length === OFFICE_TASKS.length;
  for (const task of tasks) {
    const began = performance.now();
    const files = documents.get(task.name)!;
    const run = { task, files, judge };
    const judged = new Map(await runOfficeTask({ ...run, hands, computer: own?.computer }));
    if (other) {
      const { computer } = other;
      const done = await runOfficeTask({ ...run, hands: new Set(["script"]), computer });
      judged.set(ORIGINAL, done.get("script")!);
    }
    const texts = [...judged].map(([hand, { score, failed }]) =>
      `${hand} ${failed ? "not judged" : score}`
    );
    console.log(`${task.name} ${texts.join(", ")} ${secondsSince(began)} s`);
    for (const [hand, score] of judged) {
      scores.get(hand)!.push(score);
      await keepScores(`office-${hand}`, { tested: TESTED, own: [score], isWhole });
      if (isWrong(hand, score)) console.log(`  ${hand}: ${score.reason ?? "judged 1"}`);
    }
  }
  for (const [hand, all] of scores) {
    console.log(
      `${hand}: ${all.filter(({ score }) => score === 1).length} of ${all.length} judged 1`,
    );
  }
  const kept = await readHands<OfficeHand, OfficeScore>(
    "office",
    OFFICE_HANDS,
    () => OFFICE_TASKS.map(({ name }) => name),
  );
  if (kept) await writeSection(describeOffice(kept));
  return isRight(scores);
}

/** Whether every task was judged as it should be. */
async function runLocal(): Promise<boolean> {
  const hands = LOCAL_HANDS.filter(isAsked);
  const tasks = LOCAL_TASKS.filter(({ name }) => isChosen(name));
  if (tasks.length === 0 || hands.length === 0) return true;
  const times = Number(values.times);
  await using judge = await startJudge();
  const scores = new Map<LocalHandName, LocalScore[]>(hands.map((hand) => [hand, []]));
  const tested = `${TESTED}, ${times === 1 ? "once" : `${times} times`} each`;
  const isWhole = tasks.length === LOCAL_TASKS.length;
  for (const task of tasks) {
    for (const hand of hands) {
      const own: LocalScore[] = [];
      for (let time = 0; time < times; time++) {
        const began = performance.now();
        const score = await runLocalTask(task, hand, judge, original);
        if (score === undefined) break;
        own.push(score);
        const said = score.failed ? "not judged" : score.score;
        console.log(`${task.name} ${hand} ${said} ${secondsSince(began)} s`);
        if (isWrong(hand, score)) console.log(`  ${hand}: ${score.reason ?? "judged 1"}`);
      }
      scores.get(hand)!.push(...own);
      await keepScores(`local-${hand}`, { tested, own, isWhole });
    }
  }
  for (const [hand, all] of scores) {
    const done = all.filter(({ score }) => score === 1).length;
    console.log(`${hand}: ${done} of ${all.length} judged 1`);
  }
  const kept = await readHands<LocalHandName, LocalScore>("local", LOCAL_HANDS, (hand) => {
    const own = LOCAL_TASKS.filter(({ done }) => hand !== "written" || done !== undefined);
    return own.map(({ name }) => name);
  });
  if (kept) await writeSection(describeLocal(kept));
  return isRight(scores);
}

/** What OSWorld's own server does not manage is no fault of this service. */
function isRight(scores: ReadonlyMap<string, readonly (OfficeScore | LocalScore)[]>): boolean {
  return [...scores].every(([hand, all]) =>
    hand === ORIGINAL || all.every((score) => !isWrong(hand, score))
  );
}
