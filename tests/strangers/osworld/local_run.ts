/** Runs local tasks: each in a home folder and on a desktop of its own, judged by OSWorld's evaluators. */

import { dirname, join } from "node:path";
import { waitFor } from "../../support/wait.ts";
import { openOwnComputer, type OwnComputer } from "./computer.ts";
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

/**
 * What is judged: what a script has written in place of the program, which says that the judge accepts it (not every task
 * has one); the program opened and left alone; and what the solver has made of it.
 */
export const LOCAL_HANDS = ["written", "idle", "solver"] as const;
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
/** How long a program may take to show its window or to end, in milliseconds. */
const OPEN_MS = 300_000;
const END_MS = 30_000;
const LOOK_MS = 100;

/** @returns `undefined` where the task has nothing for that hand */
export async function runLocalTask(
  task: LocalTask,
  hand: LocalHandName,
  judge: Judge,
): Promise<LocalScore | undefined> {
  if (hand === "written" && task.done === undefined) return undefined;
  checkNeeded();
  const { name, family } = task;
  const ports = { browser: freePort(), player: freePort() };
  const flags = ["--browser-address", `http://127.0.0.1:${ports.browser}`];
  await using own = await openOwnComputer({ env: ENV, flags });
  try {
    const { score, why } = await judgeTask(task, { hand, judge, own, ports });
    if (score < 1 && hand !== "idle") await keepPicture(own, name);
    return { name, family, score, ...(score === 1 ? {} : { reason: why }) };
  } catch (error) {
    await keepPicture(own, name);
    const reason = error instanceof Error ? error.message : String(error);
    return { name, family, score: 0, reason, failed: true };
  }
}

interface Run {
  readonly hand: LocalHandName;
  readonly judge: Judge;
  readonly own: OwnComputer;
  readonly ports: Ports;
}

async function judgeTask(task: LocalTask, { hand, judge, own, ports }: Run) {
  const { home, address, service } = own;
  const acting = openLocalHand(service.address, home);
  await Deno.mkdir(`${home}/Desktop`);
  await runScript(own, task.setup);
  if (hand === "written") await runScript(own, task.done);
  else await act(task, hand === "solver", { acting, own, ports });
  const folder = join(FOLDER, "seen", task.name);
  await Deno.mkdir(folder, { recursive: true });
  const evaluator = JSON.parse(JSON.stringify(task.evaluator).replaceAll("$HOME", home));
  return await judge.judgeComputer({ address, playerPort: ports.player, folder }, evaluator);
}

async function act(
  { app, args = [], isEnded, show, solve }: LocalTask,
  isSolved: boolean,
  { acting, own, ports }: {
    readonly acting: LocalHand;
    readonly own: OwnComputer;
    readonly ports: Ports;
  },
): Promise<void> {
  const start = app && await PROGRAMS[app](own.home, ports);
  if (app === "terminal") await own.computer.launch([settingsKeeper()]);
  const pid = start && await open(start, args, { acting, own });
  if (isSolved) await solve(acting);
  if (start && isEnded) await end(start, pid!, { acting, own });
  await show?.(acting);
}

interface OnComputer {
  readonly acting: LocalHand;
  readonly own: OwnComputer;
}

async function open(
  { program, args, title, files = {} }: ProgramStart,
  more: readonly string[],
  { acting, own }: OnComputer,
): Promise<number> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${own.home}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${own.home}/${path}`, text);
  }
  const words = more.map((word) => word.replace(/(^|=)~\//, `$1${own.home}/`));
  const { window } = await acting.call("window/open", {
    program,
    args: [...args, ...words],
    timeout_ms: OPEN_MS,
  }) as { readonly window: { readonly pid: number } | null };
  await acting.window(title);
  if (window === null) throw new Error(`${program} has opened no window`);
  return window.pid;
}

async function end(
  { endKeys }: ProgramStart,
  pid: number,
  { acting, own }: OnComputer,
): Promise<void> {
  if (endKeys === undefined) await own.computer.execute(["kill", "-TERM", `${pid}`]);
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
async function runScript({ computer }: OwnComputer, script: string | undefined): Promise<void> {
  if (script === undefined) return;
  const { returncode, error } = await computer.execute(["bash", "-c", `set -e\n${script}`]);
  if (returncode !== 0) throw new Error(`The script ended with ${returncode}: ${error}`);
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** What the screen shows when a task has failed, for whoever looks for the reason. */
async function keepPicture({ computer }: OwnComputer, name: string): Promise<void> {
  const folder = join(FOLDER, "failures");
  await Deno.mkdir(folder, { recursive: true });
  const picture = await computer.screenshot().catch(() => undefined); // it may be the reason itself
  if (picture) await Deno.writeFile(join(folder, `${name}.png`), picture);
}
