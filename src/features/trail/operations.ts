/** Defines the operations on what was done as data. */

import { z } from "zod";
import type { Context } from "../context.ts";
import { DESK_ERRORS, DeskName, deskNamed, meantDesk } from "../on_desk.ts";
import { DisplayNumber } from "../fields.ts";
import { definingWith, json, type Operation, type ResultOf } from "../operation.ts";
import { type OperationRecord, toEntry, TrailEntry } from "./entry.ts";
import { EVENT_TYPES, Events, type EventType } from "./events.ts";
import { OperationLog } from "./operation_log.ts";

const Time = z.iso.datetime({ offset: true }).max(40);
const Name = z.string().min(1).max(100);

const TrailQuery = z.object({
  since: Time.optional().describe("Only operations that began then or later, in ISO 8601."),
  until: Time.optional().describe("Only operations that began before, in ISO 8601."),
  who: Name.optional().describe("Only those of the token, or the person, with this name."),
  desk: DeskName.optional().describe(
    "Only those on this desk; on an earlier one of this name only while there is none now.",
  ),
  operation: Name.optional().describe(
    "Only this operation (`mouse.left-click`), or those of this group (`mouse`).",
  ),
  outcome: Name.optional().describe(
    "Only those with this outcome: `done`, `cancelled`, the code of an error, `running`, or `failed` for any but `done`.",
  ),
  before: z.int().min(1).optional().describe(
    "Only those with a smaller id: `next` of the answer before, for the next page.",
  ),
  limit: z.int().min(1).max(1_000).default(100).describe("The maximum number of operations."),
});

const TrailAnswer = z.object({
  entries: z.array(TrailEntry).describe("The newest first."),
  next: z.int().nullable().describe("For the next page, as `before`; `null` when there is none."),
  noted_since: z.string().describe(
    `Since when operations are noted; the last ${OperationLog.maxKept} are kept. In ISO 8601.`,
  ),
});

const ANY_TYPE = `(?:${EVENT_TYPES.join("|")})`;

const EventsQuery = z.object({
  types: z.string().max(200).regex(
    new RegExp(`^${ANY_TYPE}(?:,${ANY_TYPE})*$`),
    `Types should be ${EVENT_TYPES.join(", ")}, separated by commas`,
  ).optional().describe(
    "The types to send, separated by commas: `operation,window`; by default all.",
  ),
  last_event_id: z.string().min(1).max(64).optional().describe(
    "The id of the last event that the client has, where it cannot send the header.",
  ),
  desk: DeskName.optional().describe(
    "The only desk whose operations and windows are told; by default all operations, and the windows of the service's own displays.",
  ),
  display_num: DisplayNumber,
});

const EVENTS = {
  oneOf: {
    events: {
      status: 200,
      description: "The events, until the client leaves.",
      mediaTypes: ["text/event-stream"],
      streamed: true,
      headers: { "Cache-Control": "The answer must not be kept." },
    },
  },
} as const;

export function trailOperations(): readonly Operation[] {
  const define = definingWith({ group: "trail", method: "GET", readOnly: true });
  return [
    define({
      id: "listTrail",
      path: "/api/trail",
      summary: "List what was done",
      description:
        "The operations of all callers, with who called them and how they ended, the newest first. Typed text, stored secrets and the contents of files are never part of it. " +
        "Operations are noted from the start with `--audit-file`, else from the first use of this operation, of `events` or of the console. What a person does with the mouse and the keyboard is not noted.",
      query: TrailQuery,
      answer: json("The operations that match.", TrailAnswer),
      errors: { forbidden: DESK_ERRORS.forbidden },
      run: listTrail,
    }),
    define({
      id: "readEvents",
      long: true,
      path: "/api/events",
      summary: "Follow what happens, as server-sent events",
      description:
        "Events have the types `operation` (it has ended), `window` (opened or closed), `control` (who has control now) and `help` (a program asks for a person); `data` is JSON. " +
        "A reader that comes back with the id of its last event (`Last-Event-ID`, or `last_event_id`) gets what it has missed of the last 1,000; a `lost` event says that there was more. " +
        "At most 100 read at a time, and one that does not read is cut off.",
      query: EventsQuery,
      answer: EVENTS,
      errors: {
        ...DESK_ERRORS,
        unavailable: "100 clients already read events, or the service is stopping.",
        too_large: "Callers by name cannot follow events: use HTTP.",
      },
      run: readEvents,
    }),
  ];
}

function listTrail(
  { session, actor }: Context,
  { since, until, who, desk: named, operation, outcome, before = Infinity, limit }: z.output<
    typeof TrailQuery
  >,
): z.output<typeof TrailAnswer> {
  const log = session.use(OperationLog);
  const desk = meantDesk(actor, named);
  const deskId = desk === undefined ? undefined : session.desks.get(desk)?.session.id;
  // a desk sees nothing of an earlier one of its name; who sees all desks sees those that are deleted
  const isAnyOfName = deskId === undefined && actor.desk === undefined;
  const [from, to] = [since, until].map((time) => time === undefined ? time : Date.parse(time));
  const matches = (record: OperationRecord) =>
    record.id < before &&
    (from === undefined || Date.parse(record.time) >= from) &&
    (to === undefined || Date.parse(record.time) < to) &&
    (who === undefined || record.who === who) &&
    (desk === undefined || record.desk === desk && (isAnyOfName || record.deskId === deskId)) &&
    (operation === undefined || record.operation === operation ||
      record.operation.startsWith(`${operation}.`)) &&
    (outcome === undefined || hasOutcome(record, outcome)) &&
    !(record.isHidden && actor.kind === "program");
  const found = [...log.kept].filter(matches).sort((one, other) => other.id - one.id);
  const entries = found.slice(0, limit).map(toEntry);
  return {
    entries,
    next: found.length > limit ? entries.at(-1)!.id : null,
    noted_since: new Date(log.since).toISOString(),
  };
}

function hasOutcome({ outcome }: OperationRecord, wanted: string): boolean {
  return wanted === "failed" ? outcome !== "done" && outcome !== "running" : outcome === wanted;
}

function readEvents(
  { session, actor, lastEventId }: Context,
  { types, last_event_id, desk: named, display_num }: z.output<typeof EventsQuery>,
): ResultOf<typeof EVENTS> {
  const name = meantDesk(actor, named);
  const stream = session.use(Events).read({
    actor,
    types: new Set(types === undefined ? EVENT_TYPES : types.split(",") as EventType[]),
    desk: name === undefined ? undefined : deskNamed(session, name),
    display: display_num,
    after: lastEventId ?? last_event_id,
  });
  return {
    outcome: "events",
    mediaType: "text/event-stream",
    file: { stream },
    headers: { "Cache-Control": "no-store" },
  };
}

export const TRAIL_EXAMPLES = {
  listTrail: {
    query: { operation: "mouse", outcome: "failed", limit: 10 },
    answer: {
      entries: [{
        id: 412,
        time: "2026-03-09T14:05:11.123Z",
        request_id: "a1b2c3d4-812",
        who: "agent",
        kind: "program",
        operation: "mouse.left-click",
        fields: { ref: "e12", click_count: 1, effect: true, display_num: 1 },
        element: 'button "Save"',
        outcome: "conflict",
        duration_ms: 38.2,
      }],
      next: null,
      noted_since: "2026-03-09T13:00:00.000Z",
    },
  },
  readEvents: { query: { types: "operation,window" } },
};
