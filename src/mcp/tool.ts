/** A tool of the Model Context Protocol. */

import type { CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { InputError, STATUS, type ValidationError } from "../core/errors.ts";
import type { FieldNames } from "../features/agents/actions.ts";
import { AgentComputer } from "../features/agents/agent_computer.ts";
import type { CallResult } from "../features/calls.ts";
import type { Context } from "../features/context.ts";
import { DisplayNumber } from "../features/fields.ts";
import type { DeclaredErrors } from "../features/outcomes.ts";

export interface McpTool {
  /** As `tools/list` shows it. */
  readonly definition: Tool;
  /** Whether a call may take minutes. */
  readonly long?: boolean;
  /** Gives a result in any case: what went wrong is an error result that a model can act on. */
  call(args: unknown, context: ServerContext): Promise<CallToolResult>;
}

// Fields that several of the tools share, with the names that models are trained on.

/** Models also write fractions. */
const Pixel = z.number().min(0).max(100_000);

export const Coordinate = z.array(Pixel).min(2).max(2)
  .describe("[x, y] in pixels of the picture that `screenshot` returns.");

export const RegionCorners = z.array(Pixel).min(4).max(4)
  .describe("[x0, y0, x1, y1]: two corners, in pixels of the picture that `screenshot` returns.");

const MAX_REF = 64;

export const Ref = z.string().min(1).max(MAX_REF).optional()
  .describe("In place of coordinates: the ref of an element from a snapshot, such as `e12`.");

/**
 * Refuses an element beside the coordinate that it stands for.
 * @param needed whether one of them must be given
 */
export function checkEither(
  coordinate: string,
  ref: string,
  { needed }: { readonly needed: boolean },
) {
  return (fields: Readonly<Record<string, unknown>>, context: z.RefinementCtx) => {
    const [hasPoint, hasRef] = [fields[coordinate] !== undefined, fields[ref] !== undefined];
    if (hasPoint && hasRef) {
      const message = `Give either ${ref} or ${coordinate}, not both`;
      context.addIssue({ code: "custom", path: [ref], message });
    }
    if (!needed || hasPoint || hasRef) return;
    const path = [coordinate];
    context.addIssue({ code: "invalid_type", expected: "array", input: undefined, path });
  };
}

export const Modifiers = z.string().max(256).optional()
  .describe("Keys to hold down during the action, joined by +: `shift`, `ctrl+alt`.");

export const Display = DisplayNumber.describe("The display; 1 by default.");

// Lets a tool call the operations that it is made of.

/** A tool fails as the operations inside it do, which declare their errors themselves. */
export const INSIDE_ERRORS: DeclaredErrors = Object.fromEntries(
  Object.keys(STATUS).map((code) => [code, "The error of the operation that failed."]),
);

interface InsideCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly names?: FieldNames;
}

/** @throws ServiceError as the operation does, with faults in terms of the tool's fields. */
export async function callInside(
  { calls, signal }: Pick<Context, "calls" | "signal">,
  { operation, input, names = {} }: InsideCall,
): Promise<CallResult> {
  return await namingFields(names, () => calls.prepare(operation, input).run({ signal }));
}

/** The JSON that an operation gives. */
export async function valueInside(
  context: Pick<Context, "calls" | "signal">,
  call: InsideCall,
): Promise<unknown> {
  const result = await callInside(context, call);
  if (result.kind !== "json") throw new TypeError(`"${call.operation}" returned no JSON`);
  return result.value;
}

/** Names the fields in the faults of the operations that `work` calls as the tool does. */
export async function namingFields<T>(
  names: FieldNames,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const faults = error.faults.map((fault) => ({ ...fault, loc: toolField(fault.loc, names) }));
    throw new InputError(faults, { cause: error });
  }
}

function toolField([_input, field, ...rest]: ValidationError["loc"], names: FieldNames) {
  const name = names[String(field)];
  if (name !== undefined) return [name];
  return field === undefined ? [] : [field, ...rest];
}

/** The computer as its tools see it: coordinates are pixels of the picture of `screenshot`. */
export function computerOf(context: Context, displayNum: number): AgentComputer {
  const screenSize = async () => (await context.platform.displays.open(displayNum)).size;
  return new AgentComputer(context, { ...PICTURES, screenSize, display_num: displayNum });
}

const PICTURES = {
  // what every model takes without shrinking it, which would shift all its coordinates
  fit: "claude-standard",
  space: "pictures",
  format: "png",
  quality: 80,
  cursor: true,
  settle_ms: 0,
  after_action: false,
  then_screenshot: false,
  // clients take no result of more than a megabyte in base64
  maxBytes: 700_000,
} as const;
