/**
 * `status` lists the services that run with a state folder; `stop` asks them to end, as a signal does,
 * and waits until they are gone.
 */

import { poll } from "../core/deadline.ts";
import {
  chooseInstances,
  describeChoice,
  describeInstance,
  describeNone,
  findInstances,
  isHealthy,
  type RunningInstance,
} from "./instances.ts";
import { type Choice, type CommandLineResult, NONE_RUNS } from "./command.ts";

export interface StatusRequest extends Choice {
  readonly kind: "status";
  readonly json: boolean;
}

type State = "running" | "starting" | "not answering";

export async function showStatus(
  request: StatusRequest,
  { stateDir }: { readonly stateDir: string },
): Promise<CommandLineResult> {
  const { running, refused: errors } = await findInstances(stateDir);
  const chosen = chooseInstances(running, request);
  const code = chosen.length > 0 ? 0 : NONE_RUNS;
  const states = await Promise.all(chosen.map(askState));
  if (request.json) {
    const all = chosen.map((each, index) => describeStatus(each, states[index]!));
    return { code, lines: [JSON.stringify(all, undefined, 2)], errors };
  }
  if (chosen.length === 0) return { code, lines: [describeNone(request, stateDir)], errors };
  const width = Math.max(...states.map((state) => state.length));
  const lines = chosen.map((each, index) =>
    `${states[index]!.padEnd(width)}  ${describeInstance(each)}`
  );
  return { code, lines, errors };
}

/** One element of the output of `status --json`. */
function describeStatus(instance: RunningInstance, state: State) {
  const { pid, port, address, name, version, display, since } = instance;
  return { pid, port, address, name, version, display, since, state };
}

async function askState({ address, ready }: RunningInstance): Promise<State> {
  if (!ready) return "starting";
  return await isHealthy(address) ? "running" : "not answering";
}

export interface StopRequest extends Choice {
  readonly kind: "stop";
  /** Every service of the state folder. */
  readonly all: boolean;
  /** Kills a service that does not end in time. */
  readonly force: boolean;
}

const POLL_INTERVAL_MS = 50;
/** Time for a killed process to disappear. */
const EXIT_TIMEOUT_MS = 5_000;

export async function stopServices(
  request: StopRequest,
  { os, stateDir }: { readonly os: string; readonly stateDir: string },
): Promise<CommandLineResult> {
  const { running, refused } = await findInstances(stateDir);
  const chosen = chooseInstances(running, request);
  if (chosen.length === 0) {
    const code = refused.length > 0 ? 1 : NONE_RUNS;
    return { code, errors: [...refused, describeNone(request, stateDir)] };
  }
  if (chosen.length > 1 && !request.all) {
    const by = "--port or --name, or stop them with --all";
    return { code: 2, errors: [describeChoice(chosen, by)] };
  }
  const ends = await Promise.all(chosen.map((each) => stop(each, request.force, os)));
  const errors = [...refused, ...ends.flatMap(({ error }) => error ?? [])];
  return { code: errors.length > 0 ? 1 : 0, lines: ends.flatMap(({ line }) => line ?? []), errors };
}

interface End {
  readonly line?: string;
  readonly error?: string;
}

async function stop(instance: RunningInstance, force: boolean, os: string): Promise<End> {
  const { pid, port, address, stopWithinMs } = instance;
  const who = `the service at ${address} (process ${pid})`;
  try {
    // Windows has no such signal
    if (os === "windows") await Deno.writeTextFile(instance.stopFile, "");
    else Deno.kill(pid, "SIGTERM");
  } catch (error) {
    if (!await instance.isRunning()) return { line: `Stopped ${who}` };
    return { error: `Cannot stop ${who}: ${(error as Error).message}` };
  }
  if (await isGoneWithin(instance, stopWithinMs)) return { line: `Stopped ${who}` };
  const late = `${who} did not stop within ${Math.round(stopWithinMs / 1_000)} s`;
  if (!force) {
    return {
      error: `${late[0]!.toUpperCase()}${late.slice(1)}: check its log, ` +
        `or kill it with computer-control stop --force --port ${port}`,
    };
  }
  Deno.kill(pid, "SIGKILL");
  if (await isGoneWithin(instance, EXIT_TIMEOUT_MS)) {
    return { line: `Killed ${who}, which did not respond` };
  }
  return { error: `Cannot kill ${who}: it is blocked in the system` };
}

async function isGoneWithin(instance: RunningInstance, timeoutMs: number): Promise<boolean> {
  const isGone = async () => !await instance.isRunning();
  return await poll(isGone, { everyMs: POLL_INTERVAL_MS, timeoutMs }) === true;
}
