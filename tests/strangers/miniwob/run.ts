/** Runs episodes of MiniWoB++ and counts those that the pages reward. */

import { setTimeout as wait } from "node:timers/promises";
import type { Hand } from "./hand.ts";
import { MARK, type TaskPages } from "./pages.ts";
import { colorNamed, near, pixelAt } from "./pixels.ts";
import { SOLVERS } from "./solvers.ts";

export interface Score {
  readonly name: string;
  readonly seed: number;
  /** From -1 to 1; 0 when the page has not judged. */
  readonly reward: number;
  /** Why it is not solved. */
  readonly reason?: string;
}

/** How long a page may take to begin, and to judge after the solver has ended; in milliseconds. */
const BEGIN_MS = 60_000;
const JUDGE_MS = 10_000;
/** How long a solver may take, in milliseconds. */
const SOLVE_MS = 240_000;
/** Beside what every page shows: on Wayland, the cursor can be in every picture. */
const ASIDE = { x: 500, y: 400 };

/** @param hand `undefined` does nothing */
export async function runEpisode(
  { pages, hand, name, seed }: {
    readonly pages: TaskPages;
    readonly hand: Hand | undefined;
    readonly name: string;
    readonly seed: number;
  },
): Promise<Score> {
  const judged = () => pages.episode()?.reward;
  try {
    await hand?.move(ASIDE);
    pages.begin(name, seed);
    await until(() => pages.episode() !== undefined, BEGIN_MS);
    const episode = pages.episode();
    if (episode === undefined) return { name, seed, reward: 0, reason: "The page did not begin" };
    if (hand) await untilVisible(hand, episode.mark);
    const task = { text: episode.task, isOver: () => judged() !== undefined };
    const solver = SOLVERS[name];
    if (solver && hand) await within(solver(hand, task));
    await until(() => judged() !== undefined, hand ? JUDGE_MS : 0);
    const reward = judged() ?? 0;
    if (reward > 0) return { name, seed, reward };
    const reason = solver ? `Reward ${judged()}: ${task.text}` : "No solver";
    return { name, seed, reward, reason };
  } catch (error) {
    const reward = judged() ?? 0;
    const reason = `${pages.episode()?.task}: ${error instanceof Error ? error.message : error}`;
    return { name, seed, reward, ...(reward > 0 ? {} : { reason }) };
  }
}

/** The display can show the page before long after the browser has drawn this one. @throws Error when it never shows it */
async function untilVisible(hand: Hand, mark: string): Promise<void> {
  const isMark = near(colorNamed(mark));
  for (const end = Date.now() + BEGIN_MS; Date.now() < end;) {
    const picture = await hand.picture(MARK);
    if (isMark(pixelAt(picture, picture.width / 2, picture.height / 2))) return;
  }
  throw new Error("The page is not visible");
}

async function within(solving: Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error("The solver took too long")), SOLVE_MS);
  await Promise.race([solving, timeout.promise]).finally(() => clearTimeout(timer));
}

async function until(isMet: () => boolean, timeMs: number): Promise<void> {
  for (const end = Date.now() + timeMs; !isMet() && Date.now() < end;) await wait(10);
}
