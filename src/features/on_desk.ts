/** Where an operation runs: on the displays of the service, or on the desk that its caller names. */

import { join } from "node:path";
import { z } from "zod";
import { ServiceError } from "../core/errors.ts";
import { DESK_NAME } from "../core/groups.ts";
import { addMember } from "../core/shared_run.ts";
import type { Actor } from "./actor.ts";
import type { Context } from "./context.ts";
import type { DeclaredErrors, Operation } from "./operation.ts";
import type { Desk, NotedDesk, Session } from "./session.ts";

/** The folder in which those of all desks are, which may not be there. */
export function foldersIn(stateDir: string): string {
  return join(stateDir, "desks");
}

/** The field by which operations name a desk. */
export const DeskName = z.string().regex(
  DESK_NAME,
  "Name of a desk should have 1 to 32 characters of a-z, 0-9 and -, and - neither first nor last",
);

/** For what takes the name of a desk. */
export const DESK_ERRORS = {
  forbidden: "The token is for another desk.",
  not_found: "There is no such desk.",
} as const satisfies DeclaredErrors;

/** The groups whose operations run on a desk. */
const GROUPS: ReadonlySet<string> = new Set([
  ...["display", "mouse", "keyboard", "clipboard", "accessibility", "window", "recording"],
  ...["bash", "browser", "batch", "agents"],
]);
/** Operations of other groups that do, by id. */
const IDS: ReadonlySet<string> = new Set([
  ...["authenticateService", "releaseAll", "startTrail", "stopTrail", "exportTrail"],
  ...["getControlState", "pauseControl", "resumeControl", "takeLease", "releaseLease"],
]);
/** What a token of a desk opens besides, as far as its scopes permit. */
const SHARED_GROUPS: ReadonlySet<string> = new Set([
  ...["editor", "filesystem", "keychain", "system"],
]);
/** What answers for one desk only, when a token of that desk asks. */
const FILTERED: ReadonlySet<string> = new Set(["listDesks", "listTrail", "readEvents"]);

/** Whether an operation runs on the desk that is named. */
export function takesDesk({ id, group }: { readonly id: string; readonly group: string }): boolean {
  return GROUPS.has(group) || IDS.has(id);
}

/**
 * The desk that a caller means.
 * @param named by the caller; by default that of its token
 * @throws ServiceError `forbidden` for another one than that of its token
 */
export function meantDesk({ desk: bound }: Actor, named: string | undefined): string | undefined {
  if (bound === undefined || named === undefined || named === bound) return named ?? bound;
  throw new ServiceError("forbidden", `The token is for the desk "${bound}" only`);
}

/** Whether a caller may perform an operation at all: a token of a desk does not open each. */
export function isOpenTo(
  operation: { readonly id: string; readonly group: string },
  { desk }: Pick<Actor, "desk">,
): boolean {
  return desk === undefined || takesDesk(operation) || SHARED_GROUPS.has(operation.group) ||
    FILTERED.has(operation.id);
}

/**
 * Refuses what a token of a desk does not open.
 * @throws ServiceError `forbidden`
 */
export function checkBound(
  operation: { readonly id: string; readonly group: string },
  actor: Actor,
): void {
  if (isOpenTo(operation, actor)) return;
  const message = `"${operation.id}" is not for a token of one desk ("${actor.desk}")`;
  throw new ServiceError("forbidden", message);
}

/** @throws ServiceError `not_found` */
export function deskNamed({ desks }: Session, name: string): Desk {
  const desk = desks.get(name);
  if (desk !== undefined) return desk;
  throw new ServiceError("not_found", `There is no desk "${name}": see desk/list`);
}

/**
 * The desk on which an operation will run, or would if there were one of that name: a token of one
 * desk never means another place.
 */
export function findDesk(
  operation: { readonly id: string; readonly group: string },
  { session, actor }: { readonly session: Session; readonly actor: Actor },
  input: unknown,
): NotedDesk | undefined {
  if (!takesDesk(operation)) return undefined;
  const named = (input as { desk?: string } | undefined)?.desk;
  const name = actor.desk ?? named ?? session.desk?.name;
  return name === undefined ? undefined : { name, session: session.desks.get(name)?.session };
}

/**
 * The operation with a field `desk`, where it can run on one; there it uses what the desk has in place
 * of what the service has.
 */
export function withDesk(operation: Operation): Operation {
  if (!takesDesk(operation)) return operation;
  const { body, query, errors, group } = operation;
  const [which, otherwise] = group === "control"
    ? ["of which it is", "the whole service with its desks"]
    : ["on which it runs", "the displays of the service"];
  const field = {
    desk: DeskName.optional().describe(
      `The desk ${which}, as \`desk/create\` names it; by default that of the token, or ${otherwise}.`,
    ),
  };
  return {
    ...operation,
    ...(body !== undefined
      ? { body: withField(body, field) }
      : { query: query === undefined ? z.object(field) : withField(query, field) }),
    errors: { ...DESK_ERRORS, ...errors },
    run(context, fields) {
      const desk = chooseDesk(context, fields.desk);
      if (desk === undefined && fields.desk === undefined) return operation.run(context, fields);
      const { desk: _, ...input } = fields;
      if (desk === undefined) return operation.run(context, input);
      return runOn(desk, operation, { context, input });
    },
  };
}

/** The schema with one field more, and with what it says beside its fields. */
function withField(schema: z.ZodObject, field: z.core.$ZodShape): z.ZodObject {
  const extended = schema.safeExtend(field);
  const meta = schema.meta();
  return meta === undefined ? extended : extended.meta(meta);
}

/** @throws ServiceError `not_found`, `forbidden` */
function chooseDesk({ session, actor }: Context, named: string | undefined): Desk | undefined {
  const name = meantDesk(actor, named ?? session.desk?.name);
  if (name === undefined || name === session.desk?.name) return undefined;
  return deskNamed(session, name);
}

async function runOn(
  desk: Desk,
  operation: Operation,
  { context, input }: { readonly context: Context; readonly input: object },
): Promise<unknown> {
  using _running = context.passage && addMember(desk.running, context.passage);
  desk.session.noteOperation?.(operation, input);
  return await operation.run(contextOn(desk, context), input);
}

/** The context of a caller, with what a desk has. */
function contextOn(desk: Desk, context: Context): Context {
  const { platform, config, session } = desk;
  const { actor, requestId, isPart, passage, inputScope, lastEventId, wantedRange } = context;
  return {
    platform,
    config,
    session,
    actor,
    requestId,
    isPart,
    passage,
    ...(inputScope !== undefined && { inputScope }),
    lastEventId,
    calls: context.calls.within({ platform, config, session }),
    get signal() {
      return context.signal;
    },
    hasCurrent: (tag) => context.hasCurrent(tag),
    ...(wantedRange !== undefined && {
      wantedRange: (size: number, tag: string) => context.wantedRange!(size, tag),
    }),
  };
}

/**
 * Whether a screen is that of a display.
 * @param screen as the system names it: `:100`, `HEADLESS-1@/run/wayland-1`
 */
export function isScreenOf(screen: string, display: string): boolean {
  return screen === display || screen.endsWith(`@${display}`);
}
