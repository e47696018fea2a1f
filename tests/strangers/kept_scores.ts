/**
 * The scores of each hand, kept between runs and with the repository: hands and tasks may take turns, and days. A file
 * begins with what was tested when; each other line is the scores of a task.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface KeptScores<Score extends Named> {
  /** The day of the last of them: `2026-11-29`. */
  readonly date: string;
  /** The versions, and how often each task was done, in words. */
  readonly tested: string;
  readonly all: readonly Score[];
}

interface Named {
  /** Of the task. */
  readonly name: string;
}

const FOLDER = fileURLToPath(new URL("./scores/", import.meta.url));

/**
 * Keeps what a hand has done, in place of what it had done of the same tasks.
 * @param isWhole whether the run is to do all tasks: only such a one replaces scores of something else that was tested.
 *   Where there are none yet, any run begins
 */
export async function keepScores<Score extends Named>(
  hand: string,
  { tested, own, isWhole }: {
    readonly tested: string;
    readonly own: readonly Score[];
    readonly isWhole: boolean;
  },
  folder = FOLDER,
): Promise<void> {
  const kept = await readKept<Score>(hand, folder);
  const isSame = kept?.tested === tested;
  if (kept && !isSame && !isWhole) return;
  const others = isSame
    ? kept.all.filter(({ name }) => own.every((each) => each.name !== name))
    : [];
  const date = new Date().toISOString().slice(0, 10);
  const byTask = Map.groupBy([...others, ...own], ({ name }) => name);
  const sorted = [...byTask.keys()].toSorted().map((name) => byTask.get(name)!);
  const lines = [{ date, tested }, ...sorted].map((each) => `${JSON.stringify(each)}\n`);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(fileOf(hand, folder), lines.join(""));
}

/** The scores in the order of the tasks; `undefined` where one of these is missing. */
export async function readScores<Score extends Named>(
  hand: string,
  tasks: readonly string[],
  folder = FOLDER,
): Promise<KeptScores<Score> | undefined> {
  const kept = await readKept<Score>(hand, folder);
  if (kept === undefined) return undefined;
  const byTask = Map.groupBy(kept.all, ({ name }) => name);
  if (tasks.some((name) => !byTask.has(name))) return undefined;
  return { ...kept, all: tasks.flatMap((name) => byTask.get(name)!) };
}

async function readKept<Score extends Named>(
  hand: string,
  folder: string,
): Promise<KeptScores<Score> | undefined> {
  const text = await Deno.readTextFile(fileOf(hand, folder)).catch(() => undefined); // none yet
  const [about, ...all] = text?.trimEnd().split("\n").map((line) => JSON.parse(line)) ?? [];
  return about && { ...about, all: all.flat() };
}

function fileOf(hand: string, folder: string): string {
  return join(folder, `${hand}.jsonl`);
}
