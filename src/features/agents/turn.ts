/**
 * A turn of a model, whatever its vendor: the calls that it asks for are performed one after the
 * other, each with a result, and none is left out.
 */

import type { z } from "zod";
import { isServiceError, ServiceError, throwUnless, untilDisconnected } from "../../core/errors.ts";
import { nameValue } from "../../core/texts.ts";
import type { Context } from "../context.ts";
import { actionOn, type ActionTable, failureText, readAction } from "./actions.ts";
import {
  AgentComputer,
  type ButtonName,
  type ClickOptions,
  type ComputerOptions,
} from "./agent_computer.ts";
import type { AgentPicture } from "./pictures.ts";

/** What the operations of all vendors declare alike. */
export function turnBase(id: string, vendor: string) {
  return {
    id,
    group: "agents",
    readOnly: false,
    runsOthers: true,
    long: true,
    method: "POST",
    path: `/api/agents/${vendor}`,
    errors: { conflict: "The client disconnected." },
  } as const;
}

/** How a vendor's actions are performed, and how their results look. */
interface ActionRules<A, R> {
  /** Performs one action; what it throws is its failure. */
  perform(action: A): R | Promise<R>;
  /** The result of an action that failed, with a text that the model can act on. */
  failed(action: A, text: string): R | Promise<R>;
  /** The result of an action that was not run because an earlier one of its chain has failed. */
  notRun(action: A): R | Promise<R>;
  /** Actions of one chain depend on each other; by default all do. `undefined` depends on none. */
  chainOf?(action: A): string | undefined;
}

/**
 * The results, in the order of the actions.
 * @throws the reason of `signal` when it aborts, and what `failed` and `notRun` throw
 */
export async function performInOrder<A, R>(
  actions: readonly A[],
  signal: AbortSignal,
  rules: ActionRules<A, R>,
): Promise<R[]> {
  const failedChains = new Set<string>();
  const results: R[] = [];
  for (const action of actions) {
    signal.throwIfAborted();
    const chain = rules.chainOf ? rules.chainOf(action) : "all";
    if (chain !== undefined && failedChains.has(chain)) {
      results.push(await rules.notRun(action));
      continue;
    }
    try {
      results.push(await rules.perform(action));
    } catch (error) {
      signal.throwIfAborted();
      if (chain !== undefined) failedChains.add(chain);
      results.push(await rules.failed(action, failureText(error)));
    }
  }
  return results;
}

/** How the model has ended its task. */
export interface End {
  readonly kind: "finished" | "call_user" | "answer" | "terminate";
  readonly status: "success" | "failure" | null;
  readonly content: string | null;
}

/** An action as the model named it. */
export interface RequestedAction {
  readonly name: unknown;
  readonly fields: unknown;
  /** Why it cannot be read, where that is so. */
  readonly problem?: ServiceError;
}

type Outcome = AgentPicture | End | void;

/** The actions of a model: some give a picture, and some end the turn. */
export type ComputerActions = ActionTable<AgentComputer, Outcome>;

export const computerAction = actionOn<AgentComputer, Outcome>();

/** Gives the function that makes a click of each kind, which all have the same fields. */
export function clicksOn<S extends z.ZodObject>(
  fields: S,
  read: (input: z.output<S>) => Pick<ClickOptions, "at" | "modifiers">,
) {
  return (button: ButtonName, count = 1) =>
    computerAction(fields, (computer, input) => computer.click({ button, count, ...read(input) }));
}

export interface ActionResult {
  readonly action: string;
  readonly status: "done" | "failed" | "not_run";
  readonly error: string | null;
  readonly picture?: AgentPicture;
}

export interface Turn {
  readonly results: readonly ActionResult[];
  readonly end: End | null;
  /** The display after the actions, unless the last result shows it or it cannot be seen. */
  readonly picture?: AgentPicture;
}

const MAX_CALLS = 100;
/** That the model itself asks for. */
const MAX_PICTURES = 20;

export interface TurnActions {
  readonly actions: readonly RequestedAction[];
  readonly table: ComputerActions;
}

/** @throws ServiceError `conflict` when the client has left, and nothing else */
export async function performTurn(
  context: Context,
  options: ComputerOptions,
  turn: TurnActions,
): Promise<Turn> {
  await using computer = new AgentComputer(context, options);
  return await untilDisconnected(context, async () => {
    const { results, end } = await performActions(computer, turn, context.signal);
    const isSeen = results.at(-1)?.picture !== undefined;
    if (!options.then_screenshot || end !== null || isSeen) return { results, end };
    return { results, end, ...await lastPicture(computer) };
  });
}

async function performActions(
  computer: AgentComputer,
  { actions, table }: TurnActions,
  signal: AbortSignal,
): Promise<Turn> {
  let end: End | null = null;
  let pictures = 0;
  const results = await performInOrder<RequestedAction, ActionResult>(actions, signal, {
    async perform(requested) {
      if (end !== null) return result(requested, "not_run");
      if (requested.problem) throw requested.problem;
      if (actions.length > MAX_CALLS) {
        throw new ServiceError("invalid", `A turn takes at most ${MAX_CALLS} calls`);
      }
      const outcome = await readAction(table, requested).run(computer);
      if (outcome === undefined) return result(requested, "done");
      if (!("bytes" in outcome)) {
        end = outcome;
        return result(requested, "done");
      }
      if (++pictures <= MAX_PICTURES) return { ...result(requested, "done"), picture: outcome };
      throw new ServiceError("invalid", `A turn has at most ${MAX_PICTURES} screenshots`);
    },
    failed: (requested, error) => result(requested, "failed", error),
    notRun: (requested) => result(requested, "not_run"),
  });
  return { results, end };
}

function result(
  { name }: RequestedAction,
  status: ActionResult["status"],
  error: string | null = null,
): ActionResult {
  return { action: nameValue(name).slice(0, 100).toWellFormed(), status, error };
}

/** Nothing where the display cannot be seen: the results of the actions say what went wrong. */
async function lastPicture(computer: AgentComputer): Promise<{ readonly picture?: AgentPicture }> {
  const picture = await computer.screenshot().catch(throwUnless(isServiceError));
  return picture === undefined ? {} : { picture };
}
