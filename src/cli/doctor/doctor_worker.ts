/** Looks at one area in a thread of its own: what blocks it blocks nothing else. */

import type { Config } from "../../config/config.ts";
import { inTime } from "../../core/deadline.ts";
import { type JobCaller, serveJobs } from "../../core/serve_jobs.ts";
import {
  type Examine,
  type ExamineOptions,
  failed,
  type Verdict,
} from "../../platform/diagnosis/verdict.ts";
import { thisHost } from "../../platform/host.ts";
import type { AreaName } from "./area_names.ts";
import { examineArea } from "./areas.ts";

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

export interface Finding extends Verdict {
  readonly area: AreaName;
  /** The name of the check: `display`. */
  readonly name: string;
  readonly elapsedMs: number;
}

serveJobs(async ({ area, config, cwd, checkMs }: DoctorJob, caller) => {
  const examine = examiner(caller, { area, checkMs });
  await examineArea(area, examine, { host: thisHost(), config, cwd });
});

function examiner(
  caller: JobCaller,
  { area, checkMs }: Pick<DoctorJob, "area" | "checkMs">,
): Examine {
  const tell = (news: DoctorNews) => caller.tell(news);
  return async (name, check, options = {}) => {
    const { asked = true } = options;
    tell({ begun: name, asked });
    const start = performance.now();
    const verdict = await judge(check, options, checkMs);
    const status = !asked && verdict.status === "failed" ? "note" : verdict.status;
    const elapsedMs = Math.round(performance.now() - start);
    const found = { area, name, ...verdict, status, elapsedMs };
    tell({ found });
    return found;
  };
}

async function judge(
  check: () => Verdict | Promise<Verdict>,
  { late, mend, limitMs }: ExamineOptions,
  checkMs: number,
): Promise<Verdict> {
  const ms = limitMs ?? checkMs;
  const isLate = new Error("late");
  try {
    return await inTime(Promise.resolve().then(check), ms, () => isLate);
  } catch (error) {
    if (error !== isLate) return failed((error as Error).message, mend);
    const { detail = "it does not answer", mend: advice = mend } = late ?? {};
    return failed(`${detail} (nothing within ${ms / 1_000} s)`, advice);
  }
}
