/** An operation as `GET /api/trail`, the events, the lines of the audit file and the console have it. */

import { z } from "zod";

export const TrailEntry = z.object({
  id: z.int().min(1).describe(
    "Counts from 1 with each run of the service, in the order of the beginnings.",
  ),
  time: z.string().describe("When it began, in ISO 8601, in UTC, with milliseconds."),
  request_id: z.string().optional().describe(
    "The request that it was, as its answer named it in `X-Request-Id`; the operations of a batch share that of the batch.",
  ),
  who: z.string().describe("The name of the token, `anyone`, or `a person`."),
  kind: z.enum(["program", "person"]).describe("A person acts through the console."),
  desk: z.string().optional().describe("The desk on which it ran."),
  operation: z.string().describe("Its name, as batches have it: `mouse.left-click`."),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).describe(
    "The fields that it was called with: numbers, switches and names of places and things. Of a command, only its first word; never what is typed, written or stored.",
  ),
  omitted: z.array(z.string()).optional().describe("The names of its other fields."),
  element: z.string().optional().describe(
    'The element that `ref` named: `button "Save"`. Words that were typed are `…` in it.',
  ),
  outcome: z.string().describe(
    "`running`, `done`, `cancelled` (its caller has left), or the code of its error, such as `not_found`.",
  ),
  effect: z.enum(["confirmed", "unverified"]).optional().describe(
    "The effect as far as it was known, if that was asked for.",
  ),
  duration_ms: z.number().min(0).optional().describe("The time that it took, in milliseconds."),
}).describe("One operation that was called.");

export type TrailEntry = Readonly<z.output<typeof TrailEntry>>;

/** The same as the service itself has it, with the texts of commands. */
export interface OperationRecord extends TrailEntry {
  readonly omitted: string[];
  /** The `id` of the session of its desk: a later desk of the same name has another. */
  readonly deskId: string | undefined;
  readonly method: string;
  readonly path: string;
  /** Whether a person did it while in control, which programs are not to see. */
  readonly isHidden: boolean;
}

export function toEntry(record: OperationRecord): TrailEntry {
  const { id, time, request_id, who, kind, desk, operation, fields } = record;
  const { omitted, element, outcome, effect, duration_ms } = record;
  const { command } = fields;
  // one by one: a line of the audit file is written for each operation
  return {
    id,
    time,
    request_id,
    who,
    kind,
    desk,
    operation,
    fields: typeof command === "string" ? { ...fields, command: firstWord(command) } : fields,
    omitted: omitted.length > 0 ? omitted : undefined,
    element,
    outcome,
    effect,
    duration_ms,
  };
}

/** A command can have anything in it, such as what it writes into a file. */
function firstWord(command: string): string {
  return /^[\w./+@-]{1,100}(?=\s|$)/.exec(command.trimStart())?.[0] ?? "…";
}
