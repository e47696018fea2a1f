/** A tool of the Model Context Protocol. */

import type { AuthInfo, CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { STATUS } from "../core/errors.ts";
import type { Group } from "../core/groups.ts";
import { type Actor, ANYONE } from "../features/actor.ts";
import type { FieldNames } from "../features/agents/actions.ts";
import { AgentComputer } from "../features/agents/agent_computer.ts";
import type { Context } from "../features/context.ts";
import { DisplayNumber } from "../features/fields.ts";
import type { DeclaredErrors } from "../features/operation.ts";

export interface McpTool {
  /** As `tools/list` shows it. */
  readonly definition: Tool;
  /** Whether a call may take minutes. */
  readonly long?: boolean;
  /** Whether a caller can ever call it, so that it is listed. */
  isFor(actor: Actor): boolean;
  /** Gives a result in any case: what went wrong is an error result that a model can act on. */
  call(args: unknown, context: ServerContext): Promise<CallToolResult>;
}

// Who calls a tool: the package hands on what the endpoint says about the client, and nothing of the
// client's own.

export function authInfoOf(actor: Actor, requestId: string): AuthInfo {
  const extra = { actor, requestId };
  return { token: "", clientId: actor.id, scopes: [...actor.scopes ?? []], extra };
}

/** The HTTP request that a message came by; on standard input there is none. */
export function requestIdOf({ http }: ServerContext): string | undefined {
  return http?.authInfo?.extra?.["requestId"] as string | undefined;
}

/** Whoever has started the program, on standard input and output. */
export function actorOf({ http }: ServerContext): Actor {
  return http?.authInfo?.extra?.["actor"] as Actor | undefined ?? ANYONE;
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

// What the tools are made of.

/** A tool fails as the operations inside it do, which declare their errors themselves. */
const INSIDE_ERRORS: DeclaredErrors = Object.fromEntries(
  Object.keys(STATUS).map((code) => [code, "The error of the operation that failed."]),
);

/** What the tools declare alike, as operations of their own. */
export function toolBase(id: string, group: Group) {
  return { id, group, method: "POST", path: `/mcp/${id}`, errors: INSIDE_ERRORS } as const;
}

/**
 * The computer as its tools see it: coordinates are pixels of the picture of `screenshot`.
 * @param fieldNames the tool's names of the fields of the operations inside it
 */
export function computerOf(
  context: Context,
  display_num: number,
  fieldNames: FieldNames = {},
): AgentComputer {
  const screenSize = async () => (await context.platform.displays.open(display_num)).size;
  return new AgentComputer(context, { ...PICTURES, screenSize, display_num, fieldNames });
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
