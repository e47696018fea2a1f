/**
 * `doctor`: checks what the service would use with the same flags, and says what mends what does
 * not work.
 */

import type { Config } from "../../config/config.ts";
import { inTime } from "../../core/deadline.ts";
import {
  type Diagnosis,
  type Examine,
  type ExamineOptions,
  failed,
  type Status,
  type Verdict,
} from "../../platform/diagnosis.ts";
import { thisHost } from "../../platform/host.ts";
import type { CommandLineResult } from "../command.ts";
import { wrap } from "../command_line.ts";
import { type AreaOptions, AREAS } from "./checks.ts";

interface Finding extends Verdict {
  readonly area: string;
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
}

const CHECK_TIMEOUT_MS = 4_000;
/** Longer than all checks of an area may take; what is between them can hang, too. */
const AREA_TIMEOUT_MS = 60_000;

/** Exit code 1 when something that was asked for does not work. */
export async function runDoctor(
  json: boolean,
  { config, cwd, ...about }: DoctorOptions,
): Promise<CommandLineResult> {
  const findings = await examineAll({ host: thisHost(), config, cwd });
  const code = findings.some(({ status }) => status === "failed") ? 1 : 0;
  const lines = json ? formatJson(about, findings) : formatTable(about, findings);
  return { code, lines };
}

/** The imports are literal, so that a compiled program contains them. */
const SYSTEMS: Readonly<Record<string, () => Promise<Diagnosis>>> = {
  linux: async () => (await import("../../platform/linux/diagnosis/programs.ts")).linuxDiagnosis,
  darwin: async () => (await import("../../platform/macos/mod.ts")).macosDiagnosis,
  windows: async () => (await import("../../platform/windows/mod.ts")).windowsDiagnosis,
};

async function examineAll(options: AreaOptions): Promise<Finding[]> {
  const { os } = options.host;
  const system = await SYSTEMS[os]?.();
  const areas = await Promise.all(
    Object.entries(AREAS).map(async ([area, examineArea]) => {
      const findings: Finding[] = [];
      const examine = examiner(area, findings);
      try {
        if (system === undefined) throw new Error(`${os} is unknown: use Linux, macOS or Windows`);
        const late = () => new Error(`it does not end (${AREA_TIMEOUT_MS / 1_000} s)`);
        await inTime(examineArea(examine, options, system), AREA_TIMEOUT_MS, late);
      } catch (error) {
        await examine(area, () => Promise.reject(error));
      }
      return findings;
    }),
  );
  return areas.flat();
}

/** Adds what it finds to `findings`. */
function examiner(area: string, findings: Finding[]): Examine {
  return async (name, check, options = {}) => {
    const start = performance.now();
    const verdict = await judge(check, options);
    const isNote = options.asked === false && verdict.status === "failed";
    const elapsedMs = Math.round(performance.now() - start);
    const found = { area, name, ...verdict, ...isNote && { status: "note" as const }, elapsedMs };
    findings.push(found);
    return found;
  };
}

async function judge(
  check: () => Verdict | Promise<Verdict>,
  { late, mend, limitMs = CHECK_TIMEOUT_MS }: ExamineOptions,
): Promise<Verdict> {
  const isLate = new Error("late");
  try {
    return await inTime(Promise.resolve().then(check), limitMs, () => isLate);
  } catch (error) {
    if (error !== isLate) return failed((error as Error).message, mend);
    const { detail = "it does not respond", mend: advice = mend } = late ?? {};
    return failed(`${detail} (nothing within ${limitMs / 1_000} s)`, advice);
  }
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
