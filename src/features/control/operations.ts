/** Defines the operations on who may act, as data. */

import { z } from "zod";
import type { Actor } from "../actor.ts";
import { definingWith, json, noContent, type Operation } from "../operation.ts";
import type { Session } from "../session.ts";
import { Control } from "./control.ts";
import { type ControlState, StateAnswer, Time } from "./state.ts";

const MAX_REASON = 500;
const MAX_HELP_MS = 24 * 60 * 60_000;
const MAX_LEASE_SECONDS = 3_600;

const Reason = z.string().min(1).max(MAX_REASON);
const LeaseId = z.string().min(1).max(64);

export const HelpReason = Reason.describe("The task for the person, in one sentence.");

export const HelpAnswer = z.object({
  outcome: z.enum(["handed_back", "declined", "timed_out"]).describe(
    "`handed_back`: a person has had control, and has given it back.",
  ),
  by: z.string().optional().describe("The name of the person."),
  reason: z.string().optional().describe("The words of the person."),
});

export function controlOperations(): readonly Operation[] {
  const define = definingWith({ group: "control", method: "POST", readOnly: false });
  return [
    define({
      id: "getControlState",
      method: "GET",
      readOnly: true,
      urgent: true,
      path: "/api/control/state",
      summary: "Get who may act now, and who waits for a person",
      answer: json("The state of control.", StateAnswer),
      run: ({ session, actor }) => stateFor(session, actor),
    }),
    define({
      id: "requestHelp",
      readOnly: true,
      long: true,
      path: "/api/control/request-help",
      summary: "Ask for a person, and wait until one has handed back control",
      description:
        "For what a program cannot or must not do itself, such as a captcha or a login. The console shows the reason. Answers when a person has taken over and handed back, or has declined, or after `timeout_ms`. Take a new picture after that. Call it by itself: a batch in which it is a step is ended when a person takes over.",
      body: z.object({
        reason: HelpReason,
        timeout_ms: z.int().min(0).max(MAX_HELP_MS).default(600_000)
          .describe("The maximum time to wait, in milliseconds."),
      }),
      answer: json("Says how the request ended.", HelpAnswer),
      errors: { unavailable: "Too many programs wait for a person." },
      run({ actor, session, signal }, { reason, timeout_ms }) {
        return session.use(Control).help.ask(actor, { reason, timeoutMs: timeout_ms }, signal);
      },
    }),
    define({
      id: "pauseControl",
      urgent: true,
      path: "/api/control/pause",
      summary: "Refuse every program until it is resumed",
      description:
        "Ends what programs run (423), and releases every key and button: in all of the service and on its desks, or on one `desk`. Only a person resumes what a person has paused.",
      body: z.object({
        reason: Reason.optional().describe("The reason, for those who are refused."),
      }),
      answer: json("The state of control.", StateAnswer),
      async run({ actor, session }, { reason }) {
        await session.use(Control).pause(actor, reason, session.desk?.name);
        return stateFor(session, actor);
      },
    }),
    define({
      id: "resumeControl",
      path: "/api/control/resume",
      summary: "End a pause",
      body: z.object({}),
      answer: json("The state of control.", StateAnswer),
      errors: { locked: "A person has paused." },
      run({ actor, session }) {
        session.use(Control).resume(actor, session.desk?.name);
        return stateFor(session, actor);
      },
    }),
    define({
      id: "takeLease",
      path: "/api/control/lease",
      summary: "Let one program act alone for a time, or renew that",
      description:
        "Requests name the lease by the header `X-Control-Lease: <id>`. Those of programs that do not are refused (423), and what they run is ended: in all of the service and on its desks, or on one `desk`. A person can act, take over and end it, and it ends with the token that took it.",
      body: z.object({
        seconds: z.int().min(1).max(MAX_LEASE_SECONDS).describe(
          "The time for which it lasts from now on, in seconds.",
        ),
        id: LeaseId.optional().describe("The lease to renew."),
      }),
      answer: json("The lease that was given.", z.object({ id: LeaseId, until: Time })),
      errors: {
        locked: "A person has control, or it is paused.",
        conflict:
          "It, or a desk of it, is leased to another program, or the lease to renew has ended.",
      },
      run({ actor, session }, { seconds, id }) {
        const wanted = { seconds, ...(id && { id }) };
        const lease = session.use(Control).lease(actor, wanted, session.desk?.name);
        return { id: lease.id, until: lease.until.toISOString() };
      },
    }),
    define({
      id: "releaseLease",
      path: "/api/control/release-lease",
      summary: "End a lease",
      description:
        "A person ends a lease without its `id`; a program may name it by `X-Control-Lease`.",
      body: z.object({ id: LeaseId.optional().describe("The `id` of the lease.") }),
      answer: noContent("All programs may act."),
      errors: { not_found: "There is no such lease, or it has ended." },
      run({ actor, session }, { id }) {
        session.use(Control).releaseLease(actor, id, session.desk?.name);
      },
    }),
  ];
}

/** Whoever has a token of one desk is not told who waits for a person. */
function stateFor(session: Session, { desk: bound }: Actor): ControlState {
  const state = session.use(Control).stateOf(session.desk?.name);
  return bound === undefined ? state : { ...state, help: [] };
}

const STATE = {
  mode: "programs",
  by: null,
  since: "2026-03-09T14:05:11.123Z",
  until: null,
  warning: false,
  reason: null,
  help: [],
};
const LEASE_ID = "0c9f5c0e-6d2c-4f59-9d3c-2f3a6f0c3b1d";

export const CONTROL_EXAMPLES = {
  getControlState: { answer: STATE },
  requestHelp: {
    body: { reason: "The page asks for a code from your phone", timeout_ms: 600_000 },
    answer: { outcome: "handed_back", by: "Anna" },
  },
  pauseControl: {
    body: { reason: "The tests begin" },
    answer: {
      ...STATE,
      mode: "paused",
      by: { id: "main", name: "main" },
      reason: "The tests begin",
    },
  },
  resumeControl: { body: {}, answer: STATE },
  takeLease: { body: { seconds: 60 }, answer: { id: LEASE_ID, until: "2026-03-09T14:06:11.123Z" } },
  releaseLease: { body: { id: LEASE_ID } },
};
