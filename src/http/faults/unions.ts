/** Of a union that fits nowhere, selects the branch that the JSON type or the discriminating field means. */

import type { z } from "zod";
import { type Issue, runSchema } from "./run_schema.ts";
import { literalWords, MISSING, type Words } from "./words.ts";

export type UnionIssue = Issue & {
  readonly code: "invalid_union";
  readonly discriminator?: string | undefined;
  readonly options?: readonly unknown[] | undefined;
};

/** The issues of the selected branch. */
export function selectBranch(issue: UnionIssue): readonly Issue[] {
  const branches = (issue.inst as z.ZodUnion).options
    .map((option) => runSchema(option, issue.input).issues as Issue[]);
  return branches.reduce((best, next) => misfit(next) < misfit(best) ? next : best);
}

/** What is wrong with the field that tells the branches apart. */
export function faultOfDiscriminator({ input, options }: UnionIssue, field: string): Words {
  const value = (input as Record<string, unknown>)[field];
  return value === undefined ? MISSING : literalWords(options ?? []);
}

/** How little a branch is meant: a wrong type of the whole weighs most, then a wrong word, then the number of faults. */
function misfit(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + weight(issue), 0);
}

function weight(issue: Issue): number {
  if (issue.code === "invalid_type" && (issue.path ?? []).length === 0) return 1e9;
  return issue.code === "invalid_value" ? 1e5 : 1;
}
