/** A tool of the Model Context Protocol. */

import type { CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { InputError, STATUS } from "../core/errors.ts";
import { Coordinates } from "../features/agents/coordinate_space.ts";
import type { CallResult, Calls } from "../features/call/calls.ts";
import type { Context } from "../features/context.ts";
import { DisplayNumber } from "../features/fields.ts";
import type { DeclaredErrors } from "../features/outcomes.ts";
import { fitSize, parseFit } from "../imaging/fit.ts";

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

/** An element in place of a coordinate. */
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

/** The key names of `ctrl+alt`. */
export function splitModifiers(text: string | undefined): string[] {
  return (text ?? "").split("+").map((name) => name.trim()).filter((name) => name !== "");
}

// Lets a tool call the operations that it is made of.

/** A tool fails as the operations inside it do, which declare their errors themselves. */
export const INSIDE_ERRORS: DeclaredErrors = Object.fromEntries(
  Object.keys(STATUS).map((code) => [code, "The error of the operation that failed."]),
);

/** The operation's field -> the tool's field, for faults that the operation finds. */
type FieldNames = Readonly<Record<string, string>>;

interface InsideCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly names?: FieldNames;
}

/** @throws ServiceError as the operation does, with faults in terms of the tool's fields. */
export async function callInside(
  calls: Calls,
  { signal }: Pick<Context, "signal">,
  { operation, input, names = {} }: InsideCall,
): Promise<CallResult> {
  try {
    return await calls.prepare(operation, input, { at: [] }).run({ signal });
  } catch (error) {
    throw error instanceof InputError ? renamed(error, names) : error;
  }
}

/** The JSON that an operation gives. */
export async function valueInside(
  calls: Calls,
  context: Pick<Context, "signal">,
  call: InsideCall,
): Promise<unknown> {
  const result = await callInside(calls, context, call);
  if (result.kind !== "json") throw new TypeError(`"${call.operation}" returned no JSON`);
  return result.value;
}

function renamed(error: InputError, names: FieldNames): InputError {
  const faults = error.faults.map(({ loc: [first, ...rest], ...fault }) => {
    const name = names[String(first)];
    const own = first === undefined ? [] : [first, ...rest];
    return { ...fault, loc: name === undefined ? own : [name] };
  });
  return new InputError(faults, { cause: error });
}

// The coordinates of the computer tools: pixels of the picture that `screenshot` returns. Its size
// follows from that of the screen alone, so no call depends on an earlier one.

/** What every model takes without shrinking it, which would shift all its coordinates. */
export const FIT = "claude-standard";

const NO_LIMITS = { maxWidth: undefined, maxHeight: undefined, maxEdge: undefined };

/** @throws ServiceError `unavailable` when there is no such display */
export async function findPictureSpace(
  { platform }: Pick<Context, "platform">,
  displayNum: number,
): Promise<Coordinates> {
  const { size: screen } = await platform.displays.open(displayNum);
  const size = fitSize(screen, { ...NO_LIMITS, fit: parseFit(FIT) });
  return new Coordinates({ kind: "picture", size }, screen);
}
