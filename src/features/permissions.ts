/** Which operations a caller may perform: what the operator has not switched off, as far as its scopes permit. */

import type { Config } from "../config/config.ts";
import { ServiceError } from "../core/errors.ts";
import type { Group, Scope } from "../core/groups.ts";
import type { Actor } from "./actor.ts";
import type { Operation } from "./operation.ts";
import type { ControlledOperation } from "./control/passage.ts";

/** The refusal of an operation that is switched off: `forbidden`, naming the flag. */
export function findSwitch(
  operation: Operation,
  config: Pick<Config, "disabled" | "readOnly">,
): ServiceError | undefined {
  if (operation.unnamed) return undefined;
  if (config.disabled.has(operation.group)) return refusal(operation.group);
  if (!config.readOnly || operation.readOnly || operation.runsOthers) return undefined;
  const message = `"${operation.id}" changes something, which --read-only forbids`;
  return new ServiceError("forbidden", message);
}

/**
 * For what does what another group offers, so that it bypasses neither `--disable` nor scopes.
 * @throws ServiceError `forbidden` when that group is switched off, or out of the caller's reach
 */
export function requireGroup(
  { actor, config }: {
    readonly actor: Pick<Actor, "scopes">;
    readonly config: Pick<Config, "disabled">;
  },
  group: Group,
): void {
  if (config.disabled.has(group)) throw refusal(group);
  const scope = SCOPE_WITHIN[group];
  if (scope !== undefined) requireScope(actor, scope, `The group "${group}"`);
}

function refusal(group: Group): ServiceError {
  return new ServiceError("forbidden", `The group "${group}" is disabled by --disable`);
}

// Which scope each operation needs, and what a caller without one may not do.

/** `inner` is for what only runs other operations, each of which is checked by itself. */
type NeededScope = Scope | "inner";

type Rule = NeededScope | { readonly reads: Scope; readonly changes: Scope };

const LOOK_AND_ACT: Rule = { reads: "view", changes: "input" };

const BY_GROUP: Readonly<Record<Group, Rule>> = {
  display: "view",
  mouse: LOOK_AND_ACT,
  keyboard: LOOK_AND_ACT,
  clipboard: "input",
  accessibility: LOOK_AND_ACT,
  window: LOOK_AND_ACT,
  recording: { reads: "view", changes: "files" },
  editor: "files",
  filesystem: "files",
  bash: "shell",
  keychain: "keychain",
  browser: LOOK_AND_ACT,
  batch: "inner",
  agents: "inner",
  // it starts programs, and ends those of others
  desk: { reads: "view", changes: "shell" },
  control: { reads: "view", changes: "control" },
  // it tells what all others do
  trail: "control",
  system: LOOK_AND_ACT,
};

/** What is like the operations of another group, by OpenAPI id: for scopes and for approvals. */
const LIKE: Readonly<Record<string, Group>> = {
  evaluateScript: "bash",
  uploadFiles: "filesystem",
  // changes nothing, and whoever is shown a captcha may ask for a person
  requestHelp: "display",
};

/** The group whose scope an operation needs, and with which it waits for approval. */
export function likeGroup({ id, group }: Pick<ControlledOperation, "id" | "group">): Group {
  return Object.hasOwn(LIKE, id) ? LIKE[id]! : group as Group;
}

/** The scope that an operation needs. */
export function scopeOf(
  operation: Pick<ControlledOperation, "id" | "group" | "readOnly">,
): NeededScope {
  const rule = BY_GROUP[likeGroup(operation)];
  return typeof rule === "string" ? rule : operation.readOnly ? rule.reads : rule.changes;
}

/** Whether a caller may perform an operation at all, as far as its scopes say. */
export function hasScopeFor(
  operation: Pick<ControlledOperation, "id" | "group" | "readOnly">,
  { scopes }: Pick<Actor, "scopes">,
): boolean {
  const needed = scopeOf(operation);
  return needed === "inner" || scopes?.has(needed) !== false;
}

/** @throws ServiceError `forbidden`, naming the scope that is missing */
export function checkScope(operation: ControlledOperation, actor: Pick<Actor, "scopes">): void {
  const needed = scopeOf(operation);
  if (needed !== "inner") requireScope(actor, needed, `"${operation.id}"`);
}

/**
 * @param what needs the scope
 * @throws ServiceError `forbidden`, naming the scope that is missing
 */
export function requireScope({ scopes }: Pick<Actor, "scopes">, scope: Scope, what: string): void {
  if (scopes === undefined || scopes.has(scope)) return;
  const message = `${what} needs the scope "${scope}", which the token does not have`;
  throw new ServiceError("forbidden", message);
}

// An operation can use what other groups offer: the path of a file, a stored secret, a picture.

/** What is needed where another operation does what a group offers; the others need nothing there. */
export const SCOPE_WITHIN: Readonly<Partial<Record<Group, Scope>>> = {
  display: "view",
  mouse: "input",
  keyboard: "input",
  clipboard: "input",
  accessibility: "view",
  window: "view",
  editor: "files",
  filesystem: "files",
  bash: "shell",
  keychain: "keychain",
};
