/**
 * Turns of open models, which answer with actions of one table and are shown the next picture in a
 * chat message (OpenAI's form of it, which their servers take).
 */

import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import {
  type ActionTable,
  type FieldNames,
  performInOrder,
  readAction,
} from "./perform_in_order.ts";
import { AgentComputer } from "./agent_computer.ts";
import type { Spot } from "./agent_display.ts";
import type { ComputerInput } from "./computer_fields.ts";
import type { AgentPicture, EncodePicture } from "./pictures.ts";
import { pictureIfThere } from "./picture_if_there.ts";
import { chooseSpace, type CoordinateInput, findSpot } from "./pixel_space.ts";

/** What the actions of open models act on. */
export interface ActionTarget {
  readonly computer: AgentComputer;
  /** A place in the model's own coordinates, `field` by the model's name. */
  spot(x: number, y: number, field: string): Promise<Spot>;
  /** Ends the turn: actions after this one are not performed. */
  finish(end: End): void;
}

/** How the model has ended its task. */
export interface End {
  readonly kind: "finished" | "call_user" | "answer" | "terminate";
  readonly status: "success" | "failure" | null;
  readonly content: string | null;
}

const EndAnswer = z.object({
  kind: z.enum(["finished", "call_user", "answer", "terminate"]),
  status: z.enum(["success", "failure"]).nullable(),
  content: z.string().nullable(),
}).nullable().describe("The way in which the model ended its task; `null` while it continues.");

const ActionResults = z.array(z.object({
  action: z.string(),
  status: z.enum(["done", "failed", "not_run"]),
  error: z.string().nullable(),
})).describe("The results of the actions, in order.");

/** The answer to a turn. @param messages says what the chat messages are */
export function turnAnswer(messages: string) {
  return z.object({
    messages: z.array(z.looseObject({ role: z.string() })).describe(messages),
    results: ActionResults,
    end: EndAnswer,
    frame: z.string().nullable().describe("The `X-Frame` of the picture."),
  });
}

export type ActionResult = z.output<typeof ActionResults>[number];

/** An action as the model named it. */
export interface AskedAction {
  readonly name: unknown;
  readonly fields: unknown;
  /** Why it cannot be read, where that is so. */
  readonly problem?: ServiceError;
}

export interface OpenTurn {
  readonly results: readonly ActionResult[];
  readonly end: End | null;
  readonly picture?: AgentPicture;
}

export interface OpenInput extends ComputerInput, CoordinateInput {
  readonly then_screenshot: boolean;
}

const MAX_ACTIONS = 100;

/** @throws ServiceError `conflict` when the client has left, and nothing else */
export async function performTurn(
  context: Context,
  input: OpenInput,
  { actions, table, fieldNames }: {
    readonly actions: readonly AskedAction[];
    readonly table: ActionTable<ActionTarget>;
    readonly fieldNames: FieldNames;
  },
): Promise<OpenTurn> {
  const { signal } = context;
  await using computer = new AgentComputer(context, { ...input, space: chooseSpace(input) });
  let end: End | null = null;
  const target: ActionTarget = {
    computer,
    spot: (x, y, field) => findSpot(computer, input, { point: { x, y }, field }),
    finish: (given) => end = given,
  };
  try {
    const results = await performInOrder<AskedAction, ActionResult>(actions, signal, {
      async perform({ name, fields, problem }) {
        if (end) return result(name, "not_run");
        if (problem) throw problem;
        if (actions.length > MAX_ACTIONS) {
          throw new ServiceError("invalid", `A turn takes at most ${MAX_ACTIONS} actions`);
        }
        await readAction(table, name, fields).run(target);
        return result(name, "done");
      },
      failed: ({ name }, error) => result(name, "failed", error),
      notRun: ({ name }) => result(name, "not_run"),
      fieldNames,
    });
    if (!input.then_screenshot || end) return { results, end };
    return { results, end, ...await pictureIfThere(computer) };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ServiceError("conflict", "Stopped: the client disconnected");
  }
}

function result(
  name: unknown,
  status: ActionResult["status"],
  error: string | null = null,
): ActionResult {
  return { action: String(name).slice(0, 100).toWellFormed(), status, error };
}

/** What the model is told about actions that were not done; nothing when all were. */
export function failuresText(results: readonly ActionResult[]): string | undefined {
  const failed = results.find(({ status }) => status === "failed");
  if (failed === undefined) return undefined;
  const rest = results.filter(({ status }) => status === "not_run").length;
  const after = rest === 0 ? "" : ` The ${rest} actions after it were not performed.`;
  const which = failed.action === "" ? "An action" : `The action ${failed.action}`;
  return `${which} failed: ${failed.error}.${after}`;
}

/** The parts of a chat message with the text and the picture. */
export function messageParts(
  text: string | undefined,
  picture: AgentPicture | undefined,
  base64: EncodePicture,
) {
  return [
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...(picture === undefined ? [] : [{
      type: "image_url",
      image_url: { url: `data:${picture.mediaType};base64,${base64(picture)}` },
    }]),
  ];
}
