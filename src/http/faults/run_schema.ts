/**
 * Runs a schema and gives zod's raw issues: the one file that uses what zod does not publish. `safeParse` finishes
 * every issue with a message, millions of them for a hostile body, and drops the schema and the input it is about.
 */

import type { z } from "zod";

/** What zod found, before it is worded. */
export type Issue = z.core.$ZodRawIssue;

const SYNC = { async: false } as const;

/** The value with defaults filled in, and every issue. */
export function runSchema(schema: z.core.$ZodType, value: unknown): z.core.ParsePayload {
  const result = schema._zod.run({ value, issues: [] }, SYNC);
  if (result instanceof Promise) {
    throw new TypeError("A schema of an operation must be synchronous");
  }
  return result;
}
