/** Messages for values of the right type that are out of bounds. */

import type { Fault } from "../../../core/errors.ts";
import type { Issue } from "./run_schema.ts";

type Words = Pick<Fault, "type" | "msg">;

export type BoundIssue = Issue & { code: "too_small" | "too_big" };

/** Describes what is wrong with a number, text or list that is too small or too large. */
export function boundWords(issue: BoundIssue): Words {
  switch (issue.origin) {
    case "string":
      return lengthWords(issue);
    case "array":
    case "set":
      return countWords(issue, "List");
    case "object":
    case "map":
      return countWords(issue, "Dictionary");
    default:
      return numberWords(issue);
  }
}

function numberWords(issue: BoundIssue): Words {
  if (issue.origin === "int" && issue.note !== undefined) {
    const bound = Number.MAX_SAFE_INTEGER;
    return {
      type: "int_parsing_size",
      msg: `Input should be an integer between -${bound} and ${bound}`,
    };
  }
  const [type, relation] = issue.code === "too_small"
    ? ["greater_than", "greater"]
    : ["less_than", "less"];
  const bound = readBound(issue);
  return issue.inclusive === false
    ? { type, msg: `Input should be ${relation} than ${bound}` }
    : { type: `${type}_equal`, msg: `Input should be ${relation} than or equal to ${bound}` };
}

function lengthWords(issue: BoundIssue): Words {
  const bound = readBound(issue);
  return issue.code === "too_small"
    ? { type: "string_too_short", msg: `String should have at least ${count(bound, "character")}` }
    : { type: "string_too_long", msg: `String should have at most ${count(bound, "character")}` };
}

function countWords(issue: BoundIssue, what: "List" | "Dictionary"): Words {
  const bound = readBound(issue);
  const [type, most] = issue.code === "too_small" ? ["too_short", "least"] : ["too_long", "most"];
  const after = `after validation, not ${countItems(issue.input)}`;
  return { type, msg: `${what} should have at ${most} ${count(bound, "item")} ${after}` };
}

function readBound(issue: BoundIssue): number {
  return Number(issue.code === "too_small" ? issue.minimum : issue.maximum);
}

function countItems(input: unknown): number {
  return Array.isArray(input) ? input.length : Object.keys(input as object).length;
}

function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`;
}
