/** Who may act now: as data, as the console shows it, and as the sentence that the others read. */

import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { Actor } from "../actor.ts";
import { IDLE_MS, LEFT_MS, MAX_MS } from "./person_times.ts";

/** A person who has taken over. What is no `Date` is a time of `performance.now()`. */
export interface PersonInControl {
  readonly person: Actor;
  readonly since: Date;
  readonly began: number;
  /** When the person last did something. */
  active: number;
  /** Since when no page of the person is open. */
  left: number | undefined;
  isWarned: boolean;
  /** While what the person holds is released. */
  isEnding: boolean;
}

export interface Pause {
  /** Absent where it is the whole service. */
  readonly desk?: string;
  readonly by: Actor;
  readonly since: Date;
  readonly reason: string | undefined;
  /** Ends it with the token of a program. */
  readonly following: Disposable | undefined;
}

export interface Lease {
  /** Absent where it is the whole service. */
  readonly desk?: string;
  readonly id: string;
  readonly by: Actor;
  readonly since: Date;
  /** Of `performance.now()`. */
  readonly end: number;
  readonly until: Date;
  readonly following: Disposable | undefined;
}

/** A person comes before a pause, and a pause before a lease. */
export interface Holders {
  readonly person: PersonInControl | undefined;
  readonly pause: Pause | undefined;
  readonly lease: Lease | undefined;
}

// As JSON.

export const MODES = ["programs", "person", "paused", "leased"] as const;

export const Time = z.string().describe("The time, in ISO 8601, in UTC.");

export const StateAnswer = z.object({
  mode: z.enum(MODES).describe(
    "`programs`: all may act; `person`: `by` has taken over, and everything else is refused; " +
      "`paused`: no program may act; `leased`: only the program with the lease.",
  ),
  by: z.object({ id: z.string(), name: z.string() }).nullable().describe(
    "The one who has control, has paused, or has the lease.",
  ),
  since: Time,
  until: Time.nullable().describe(
    "The time at which it ends if nothing happens, in ISO 8601, in UTC.",
  ),
  warning: z.boolean().describe(
    "If true, the person's control ends within 30 seconds. Input of the person prevents that, but " +
      "not when the control has lasted for 60 minutes.",
  ),
  reason: z.string().nullable().describe("The reason for the pause."),
  desk: z.string().optional().describe(
    "The desk that is paused or leased; absent where it is the whole service.",
  ),
  help: z.array(z.object({
    id: z.string(),
    name: z.string().describe("The name of the program that asks."),
    reason: z.string(),
    since: Time,
    until: Time,
  })).describe("The programs that wait for a person."),
}).describe("The state of control.");

/** Who may act, as JSON. */
export type ControlState = Readonly<z.output<typeof StateAnswer>>;

/** A program that waits for a person. */
export type HelpItem = Readonly<ControlState["help"][number]>;

/** When a person's control ends if nothing happens, as a time of `performance.now()`. */
export function endOf({ began, active, left }: PersonInControl): number {
  return Math.min(began + MAX_MS, active + IDLE_MS, (left ?? Infinity) + LEFT_MS);
}

/** @param changed since when programs may act, where they may */
export function describeState(
  holders: Holders,
  { changed, help }: { readonly changed: Date; readonly help: readonly HelpItem[] },
): ControlState {
  const held = holderOf(holders);
  const { mode, by, since = changed, until, warning = false, reason = null, desk } = held;
  return {
    mode,
    by: by === undefined ? null : { id: by.id, name: by.name },
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
    warning,
    reason,
    ...(desk !== undefined && { desk }),
    help: [...help],
  };
}

interface Holder {
  readonly mode: ControlState["mode"];
  readonly by?: Actor;
  readonly since?: Date;
  readonly until?: Date;
  readonly warning?: boolean;
  readonly reason?: string | undefined;
  readonly desk?: string;
}

function holderOf({ person, pause, lease }: Holders): Holder {
  if (person !== undefined) {
    const { person: by, since, isWarned: warning } = person;
    const until = new Date(Date.now() + endOf(person) - performance.now());
    return { mode: "person", by, since, until, warning };
  }
  if (pause !== undefined) return { mode: "paused", ...pause };
  if (lease !== undefined) return { mode: "leased", ...lease };
  return { mode: "programs" };
}

/** What those read who may not act now. */
export function lockedFor(holders: Holders): ServiceError {
  const { mode, by, since, reason, desk } = holderOf(holders);
  const what = desk === undefined ? "all programs" : `the desk "${desk}"`;
  const begun = clock(since);
  const lease = holders.lease && describeLease(holders.lease);
  const why = reason === undefined ? "" : ` (${reason})`;
  const sentences: Readonly<Record<typeof mode, string>> = {
    programs: "Control has been handed back in the meantime: try again",
    person: `${by?.name} has control since ${begun}: try again when it is handed back`,
    paused: `${by?.name} has paused ${what} since ${begun}${why}: try again when it is resumed`,
    leased: `${lease}: try again then, or name the lease in X-Control-Lease`,
  };
  return new ServiceError("locked", sentences[mode]);
}

/** `agent has a lease of the desk "alice" until 12:03` */
export function describeLease({ by, until, desk }: Lease): string {
  const which = desk === undefined ? "" : ` of the desk "${desk}"`;
  return `${by.name} has a lease${which} until ${clock(until)}`;
}

/** The time of day on this computer: `12:03`. */
function clock(time: Date | undefined): string {
  return time?.toTimeString().slice(0, 5) ?? "";
}
