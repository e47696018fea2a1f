/**
 * `doctor`: checks what the service would use with the same flags, and says what mends what does
 * not work.
 */

import type { Config } from "../../config/config.ts";
import { ServiceError } from "../../core/errors.ts";
import { WorkerThread } from "../../core/worker_thread.ts";
import type { Status, Verdict } from "../../platform/diagnosis.ts";
import type { CommandLineResult } from "../command.ts";
import { wrap } from "../command_line.ts";

/** The areas of the checks, in the order of the table; each has a thread of its own. */
const AREA_NAMES = [
  "display",
  "keychain",
  "storage",
  "programs",
  "permissions",
  "network",
] as const;

export type AreaName = typeof AREA_NAMES[number];

export interface DoctorJob {
  readonly area: AreaName;
  readonly config: Config;
  readonly cwd: string;
  /** The time limit of each check. */
  readonly checkMs: number;
}

/** What the thread reports while it works: a check begins, or has ended. */
export type DoctorNews =
  | { readonly begun: string; readonly asked: boolean }
  | { readonly found: Finding };

interface Finding extends Verdict {
  readonly area: AreaName;
  /** The name of the check: `display`. */
  readonly name: string;
  readonly elapsedMs: number;
}

interface DoctorOptions {
  readonly config: Config;
  readonly cwd: string;
  /** `0.1.0 (compiled, Deno 2.9.5)` */
  readonly version: string;
  readonly system: string;
  /** The time limit of each check, in milliseconds. */
  readonly checkMs?: number;
  /** How long a thread may be silent beyond that, in milliseconds. */
  readonly silenceMs?: number;
}

const CHECK_TIMEOUT_MS = 4_000;
/** Enough for a thread to start; after that only a system call that blocks it keeps it silent. */
const UNRESPONSIVE_MS = 11_000;

/** Exit code 1 when something that was asked for does not work. */
export async function runDoctor(json: boolean, options: DoctorOptions): Promise<CommandLineResult> {
  const areas = await Promise.all(AREA_NAMES.map((area) => examine(area, options)));
  const findings = areas.flat();
  const code = findings.some(({ status }) => status === "failed") ? 1 : 0;
  const about = { version: options.version, system: options.system };
  const lines = json ? formatJson(about, findings) : formatTable(about, findings);
  return { code, lines };
}

/** What was found in one area until its end, or until its thread was silent for too long. */
async function examine(
  area: AreaName,
  { config, cwd, checkMs = CHECK_TIMEOUT_MS, silenceMs = UNRESPONSIVE_MS }: DoctorOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let current: Extract<DoctorNews, { begun: string }> = { begun: area, asked: true };
  const silent = new AbortController();
  const quietMs = checkMs + silenceMs;
  const giveUp = () => silent.abort(new Error(`blocked: nothing within ${quietMs / 1_000} s`));
  let timer = setTimeout(giveUp, quietMs);
  const onMessage = (news: DoctorNews) => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, quietMs);
    if ("found" in news) findings.push(news.found);
    else current = news;
  };
  try {
    const module = new URL("./doctor_worker.ts", import.meta.url);
    const thread = new WorkerThread({ module, name: "doctor", stopMs: 0 }, () => {});
    const job: DoctorJob = { area, config, cwd, checkMs };
    await thread.run(job, { signal: silent.signal, onMessage });
    thread.end();
  } catch (error) {
    const status = current.asked ? "failed" : "note";
    const { message: detail } = error as Error;
    // without descriptors no thread can be started
    const isShort = error instanceof ServiceError && error.code === "unavailable";
    const mend = isShort ? { mend: "ulimit -n 1024, then try again" } : {};
    findings.push({ area, name: current.begun, status, detail, ...mend, elapsedMs: quietMs });
  } finally {
    clearTimeout(timer);
  }
  return findings;
}

// Prints what doctor has found: as a table, or as JSON.

type About = Pick<DoctorOptions, "version" | "system">;

const WIDTH = 100;
const WORDS: Readonly<Record<Status, string>> = { ok: "ok", note: "note", failed: "FAILED" };

function formatTable(about: About, findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const indent = " ".repeat(8 + width + 2);
  // a message of another program may have several lines
  const inColumn = (text: string) =>
    wrap(text.trim().replaceAll(/\s+/g, " "), WIDTH - indent.length).join(`\n${indent}`);
  const rows = findings.flatMap(({ status, name, detail, mend }) => [
    `${WORDS[status].padEnd(8)}${name.padEnd(width)}  ${inColumn(detail)}`,
    ...status === "ok" || mend === undefined ? [] : [`${indent}fix: ${mend}`],
  ]);
  return [
    `Computer Control Service ${about.version}, ${about.system}`,
    "",
    ...rows,
    "",
    conclusion(findings),
  ];
}

function formatJson(about: About, findings: readonly Finding[]): string[] {
  const checks = findings.map(({ elapsedMs, ...rest }) => ({ ...rest, elapsed_ms: elapsedMs }));
  const works = !findings.some(({ status }) => status === "failed");
  return [JSON.stringify({ ...about, works, checks }, undefined, 2)];
}

function conclusion(findings: readonly Finding[]): string {
  const failures = findings.filter(({ status }) => status === "failed").map(({ name }) => name);
  const notes = findings.filter(({ status }) => status === "note").length;
  const further = notes === 0 ? "" : ` (${notes} ${notes === 1 ? "note" : "notes"})`;
  if (failures.length === 0) return `Everything that was requested works${further}.`;
  return `Requested, but does not work: ${failures.join(", ")}${further}.`;
}
