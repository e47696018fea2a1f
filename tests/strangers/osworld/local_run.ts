/** Runs local tasks: each in a home folder and on a desktop of its own, judged by OSWorld's evaluators. */

import { dirname, join } from "node:path";
import { waitFor } from "../../support/wait.ts";
import { freePort, type OpenComputer, openOriginalComputer, openOwnComputer } from "./computer.ts";
import type { Judge } from "./judge.ts";
import { type LocalHand, openLocalHand } from "./local_hand.ts";
import {
  checkNeeded,
  type Ports,
  PROGRAMS,
  type ProgramStart,
  settingsKeeper,
} from "./local_programs.ts";
import type { LocalFamily, LocalTask } from "./local_task.ts";
import { FOLDER } from "./packages.ts";
import { openRouteHand } from "./route_hand.ts";

/**
 * What is judged: what a script has written in place of the program, which says that the judge accepts it (not every task
 * has one); the program opened and left alone; what the solver has made of it by the operations of this service; and by
 * nothing but the routes of OSWorld's server, answered by this service and by that server itself.
 */
export const LOCAL_HANDS = ["written", "idle", "solver", "routes", "original"] as const;
export type LocalHandName = typeof LOCAL_HANDS[number];

export interface LocalScore {
  readonly name: string;
  readonly family: LocalFamily;
  /** From 0 to 1. */
  readonly score: number;
  /** Why it is below 1. */
  readonly reason?: string;
  /** Nothing was judged: the reason says what went wrong. */
  readonly failed?: true;
}

/** Settings of the desktop are kept in a file, which every program reads. */
const ENV = { GSETTINGS_BACKEND: "keyfile", GTK_MODULES: "gail:atk-bridge" };
/** How long a program may take to end, in milliseconds. */
const END_MS = 30_000;
const LOOK_MS = 100;

/**
 * @param original the folder of OSWorld's own server
 * @returns `undefined` where the task has nothing for that hand
 */
export async function runLocalTask(
  task: LocalTask,
  hand: LocalHandName,
  judge: Judge,
  original = "",
): Promise<LocalScore | undefined> {
  if (hand === "written" && task.done === undefined) return undefined;
  checkNeeded();
  const { name, family } = task;
  const ports = { browser: freePort(), player: freePort() };
  await using own = hand === "original"
    ? await openOriginal(original)
    : await openOwn(hand, ports.browser);
  try {
    const { score, why } = await judgeTask(task, { hand, judge, own, ports });
    if (score < 1 && hand !== "idle") await keepPicture(own, `${name}-${hand}`);
    return { name, family, score, ...(score === 1 ? {} : { reason: why }) };
  } catch (error) {
    await keepPicture(own, `${name}-${hand}`);
    const reason = error instanceof Error ? error.message : String(error);
    return { name, family, score: 0, reason, failed: true };
  }
}

/** A computer, and what acts on it. */
interface Workplace extends OpenComputer {
  readonly acting: LocalHand;
}

async function openOwn(hand: LocalHandName, browserPort: number): Promise<Workplace> {
  const flags = ["--browser-address", `http://127.0.0.1:${browserPort}`];
  const own = await openOwnComputer({ env: ENV, flags });
  const { computer, home, service } = own;
  const acting = hand === "routes"
    ? openRouteHand(computer, home)
    : openLocalHand(service.address, home);
  return { ...own, acting };
}

async function openOriginal(folder: string): Promise<Workplace> {
  const own = await openOriginalComputer(folder, { env: ENV });
  return { ...own, acting: openRouteHand(own.computer, own.home) };
}

interface Run {
  readonly hand: LocalHandName;
  readonly judge: Judge;
  readonly own: Workplace;
  readonly ports: Ports;
}

async function judgeTask(task: LocalTask, { hand, judge, own, ports }: Run) {
  const { home, address } = own;
  await Deno.mkdir(`${home}/Desktop`);
  await runScript(own, task.setup);
  if (hand === "written") await runScript(own, task.done);
  else await act(task, hand !== "idle", { own, ports });
  const folder = join(FOLDER, "seen", task.name);
  await Deno.mkdir(folder, { recursive: true });
  const evaluator = JSON.parse(JSON.stringify(task.evaluator).replaceAll("$HOME", home));
  return await judge.judgeComputer({ address, playerPort: ports.player, folder }, evaluator);
}

async function act(
  { app, args = [], isEnded, show, solve }: LocalTask,
  isSolved: boolean,
  { own, ports }: Pick<Run, "own" | "ports">,
): Promise<void> {
  const start = app && await PROGRAMS[app](own.home, ports);
  if (app === "terminal") await own.computer.launch([settingsKeeper()]);
  const pid = start && await open(start, args, own);
  if (isSolved) await solve(own.acting);
  if (start && isEnded) await end(start, pid!, own);
  await show?.(own.acting);
}

async function open(
  { program, args, title, files = {} }: ProgramStart,
  more: readonly string[],
  own: Workplace,
): Promise<number> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${own.home}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${own.home}/${path}`, text);
  }
  const words = more.map((word) => word.replace(/(^|=)~\//, `$1${own.home}/`));
  return await own.acting.open({ program, args: [...args, ...words], title });
}

async function end(
  { endKeys }: ProgramStart,
  pid: number,
  { acting, computer }: Workplace,
): Promise<void> {
  if (endKeys === undefined) await computer.execute(["kill", "-TERM", `${pid}`]);
  else await acting.key(endKeys);
  await waitFor(() => !isThere(`/proc/${pid}/exe`), {
    what: "the end of the program",
    timeoutMs: END_MS,
    everyMs: LOOK_MS,
  });
}

/** Of what has ended and is not waited for yet there is no program. */
function isThere(path: string): boolean {
  try {
    Deno.readLinkSync(path);
    return true;
  } catch {
    return false;
  }
}

/** As OSWorld's tasks have their computer prepared. */
async function runScript({ computer }: OpenComputer, script: string | undefined): Promise<void> {
  if (script === undefined) return;
  const { returncode, error } = await computer.execute(["bash", "-c", `set -e\n${script}`]);
  if (returncode !== 0) throw new Error(`The script ended with ${returncode}: ${error}`);
}

/** What the screen shows when a task has failed, for whoever looks for the reason. */
async function keepPicture({ computer }: OpenComputer, name: string): Promise<void> {
  const folder = join(FOLDER, "failures");
  await Deno.mkdir(folder, { recursive: true });
  const picture = await computer.screenshot().catch(() => undefined); // it may be the reason itself
  if (picture) await Deno.writeFile(join(folder, `${name}.png`), picture);
}
