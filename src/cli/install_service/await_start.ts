/** Waits until the service that was just installed answers, or reports why it does not. */

import { pause } from "../../core/deadline.ts";
import { findInstances, type RunningInstance } from "../instance_records.ts";
import { isHealthy } from "../health.ts";
import type { Host } from "../../platform/host.ts";
import { CommandError } from "../command_error.ts";
import type { ServiceKind } from "./service_kinds.ts";

/** Identifies the installed service among the running ones. */
export interface Awaited {
  readonly stateDir: string;
  /** 0 means any port. */
  readonly port: number;
  /** Services that ran before, which are not the installed one. */
  readonly before: ReadonlySet<string>;
  /** Time limit in milliseconds. */
  readonly withinMs?: number;
}

/** Long enough for a first start that downloads what it needs. */
const START_MS = 60_000;
const LOOK_MS = 250;
const LOG_LINES = 8;
const MAX_LOG_BYTES = 16_384;

/** @throws CommandError with the last lines of its log. */
export async function awaitStart(
  host: Host,
  kind: ServiceKind,
  awaited: Awaited,
): Promise<RunningInstance> {
  const { withinMs = START_MS } = awaited;
  const deadline = performance.now() + withinMs;
  while (true) {
    const found = await find(awaited);
    if (found !== undefined) return found;
    const failed = await hasFailed(host, kind);
    if (failed || performance.now() > deadline) {
      const why = failed ? "it ends" : `it does not answer within ${withinMs / 1_000} s`;
      const log = await lastLines(host, kind);
      throw new CommandError(`The service was taken back, for ${why}. The end of its log:\n${log}`);
    }
    await pause(LOOK_MS);
  }
}

/** Identifies the services that run with a state folder. */
export async function runningIn(stateDir: string): Promise<Set<string>> {
  const { running } = await findInstances(stateDir);
  return new Set(running.map(identify));
}

function identify({ pid, since }: RunningInstance): string {
  return `${pid} ${since}`;
}

async function find({ stateDir, port, before }: Awaited): Promise<RunningInstance | undefined> {
  const { running } = await findInstances(stateDir);
  const found = running.find((each) =>
    each.ready && !before.has(identify(each)) && (port === 0 || each.port === port)
  );
  return found !== undefined && await isHealthy(found.address) ? found : undefined;
}

async function hasFailed(host: Host, { check }: ServiceKind): Promise<boolean> {
  if (check === undefined) return false;
  const [program, ...args] = check.line;
  return check.hasFailed((await host.run(program, args)).output);
}

async function lastLines(host: Host, { log }: ServiceKind): Promise<string> {
  const text = log === undefined ? "" : await readLog(host, log);
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return lines.slice(-LOG_LINES).map((line) => `  ${line}`).join("\n") || "  (there is none)";
}

async function readLog(host: Host, log: NonNullable<ServiceKind["log"]>): Promise<string> {
  try {
    if ("file" in log) return (await Deno.readTextFile(log.file)).slice(-MAX_LOG_BYTES);
    const [program, ...args] = log.line;
    if (host.which(program) === undefined) return `${program} is not installed`;
    return (await host.run(program, args)).output;
  } catch (error) {
    return (error as Error).message;
  }
}
