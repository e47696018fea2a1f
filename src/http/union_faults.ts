/** Of a union that fits nowhere, reports only the branch that the JSON type or the discriminating field selects. */

import type { z } from "zod";
import type { Fault } from "../core/errors.ts";
import { faultsOf, type Issue, literalWords, type Loc, runSchema } from "./faults.ts";

type UnionIssue = Issue & { code: "invalid_union" };

/** The faults of the selected branch, or of the discriminating field itself. */
export function unionFaults(issue: UnionIssue, loc: Loc): Fault[] {
  const { discriminator, options } = issue as UnionIssue & { options?: readonly unknown[] };
  if (discriminator !== undefined) return [discriminatorFault(issue, loc, options ?? [])];
  const branches = (issue.inst as z.core.$ZodUnion)._zod.def.options
    .map((option) => runSchema(option, issue.input).issues as Issue[]);
  const selected = branches.reduce((best, next) => misfit(next) < misfit(best) ? next : best);
  return faultsOf(selected, loc);
}

function discriminatorFault(issue: UnionIssue, loc: Loc, options: readonly unknown[]): Fault {
  const value = (issue.input as Record<string, unknown>)[String(loc.at(-1))];
  if (value === undefined) return { loc, msg: "Field required", type: "missing" };
  return { loc, ...literalWords(options) };
}

/** How little a branch is meant: a wrong type of the whole weighs most, then a wrong word, then the number of faults. */
function misfit(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + weight(issue), 0);
}

function weight(issue: Issue): number {
  if (issue.code === "invalid_type" && (issue.path ?? []).length === 0) return 1e9;
  return issue.code === "invalid_value" ? 1e5 : 1;
}
