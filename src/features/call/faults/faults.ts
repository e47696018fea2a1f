/** Turns zod's issues into the faults of a 422 answer; never quotes the input. */

import type { z } from "zod";
import type { Fault } from "../../../core/errors.ts";
import { type Issue, runSchema } from "./run_schema.ts";
import { faultOfChoice, faultOfDiscriminator, selectBranch, type UnionIssue } from "./unions.ts";
import { describeFault, MISSING } from "./words.ts";

/** The location of a fault: `body`, `query` or `path`, then the field, then indexes. */
export type Loc = Fault["loc"];

/** Most faults to report: a body can contain millions of wrong items. */
export const MAX_FAULTS = 1_000;

/** The faults of all issues in field order, one per location. */
export function findFaults(issues: readonly Issue[], at: Loc): Fault[] {
  return onePerPlace(issues.slice(0, MAX_FAULTS).flatMap((issue) => describeIssue(issue, at)));
}

function describeIssue(issue: Issue, at: Loc): Fault[] {
  const loc = [...at, ...(issue.path ?? []) as (string | number)[]];
  if (isMissing(issue)) return [{ loc, ...MISSING }];
  if (issue.code === "invalid_union") return describeUnion(issue, loc);
  if (issue.code === "invalid_key") {
    const { keyType } = issue.inst as z.ZodRecord;
    return findFaults(runSchema(keyType, issue.input).issues, loc);
  }
  return [{ loc, ...describeFault(issue) }];
}

/**
 * zod does not distinguish "missing" from "wrong type"; JSON has no `undefined`, so that value
 * means missing.
 */
function isMissing(issue: Issue): boolean {
  return issue.input === undefined &&
    (issue.code === "invalid_type" || issue.code === "invalid_value" ||
      issue.code === "invalid_union");
}

function describeUnion(issue: UnionIssue, loc: Loc): Fault[] {
  if (issue.discriminator !== undefined) {
    return [{ loc, ...faultOfDiscriminator(issue, String(loc.at(-1))) }];
  }
  const choice = faultOfChoice(issue);
  return choice === undefined ? findFaults(selectBranch(issue), loc) : [{ loc, ...choice }];
}

/** The first fault at each location; zod reports types before bounds. */
function onePerPlace(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  return faults.filter((fault) => {
    const place = JSON.stringify(fault.loc);
    return !seen.has(place) && seen.add(place);
  });
}
