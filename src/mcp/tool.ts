/** A tool of the Model Context Protocol, and what a call of it gives. */

import type { AuthInfo, CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { ServiceError, STATUS } from "../core/errors.ts";
import type { Group } from "../core/groups.ts";
import { type Actor, ANYONE } from "../features/actor.ts";
import { failureText, type FieldNames } from "../features/agents/actions.ts";
import { AgentComputer } from "../features/agents/agent_computer.ts";
import type { CallResult, Context } from "../features/context.ts";
import { DisplayNumber } from "../features/fields.ts";
import { type DeclaredErrors, listAnswers, type Operation } from "../features/operation.ts";

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

/** The text of a JSON answer, where it is not the JSON itself. */
export type FormatAnswer = (value: unknown) => string;

interface ResultOptions {
  readonly operation: Operation;
  readonly structured: boolean;
  readonly format?: FormatAnswer | undefined;
}

/** No client takes more; and larger answers would hold up other requests. */
const MAX_TEXT = 1_000_000;
const MAX_PICTURE_BYTES = 5_000_000;

/** @throws ServiceError `too_large` for an answer that no client takes */
export function toToolResult(
  result: CallResult,
  { operation, structured, format = formatJson }: ResultOptions,
): CallToolResult {
  switch (result.kind) {
    case "nothing":
      return textResult(describeNothing(operation, result.outcome));
    case "json": {
      const { value } = result;
      if (value === null && !structured) return textResult(describeNothing(operation, undefined));
      const text = format(value);
      if (text.length > MAX_TEXT) throw tooLarge(`${text.length} characters`);
      const content = [{ type: "text" as const, text }];
      return structured ? { content, structuredContent: value } : { content };
    }
    case "file": {
      if (result.bytes.length > MAX_PICTURE_BYTES) throw tooLarge(`${result.bytes.length} bytes`);
      if (!result.mediaType.startsWith("image/")) {
        const what = `A file of the type ${result.mediaType}`;
        return textResult(`${what}, which tools do not return: get it over HTTP`);
      }
      return {
        content: [
          { type: "image", data: result.bytes.toBase64(), mimeType: result.mediaType },
          ...formatHeaders(result.headers),
        ],
      };
    }
  }
}

function tooLarge(size: string): ServiceError {
  return new ServiceError("too_large", `The answer has ${size}, which is too large: request less`);
}

function formatJson(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The sentence by which the operation declares the answer. */
function describeNothing({ answer }: Operation, outcome: string | undefined): string {
  const chosen = "oneOf" in answer && outcome !== undefined ? answer.oneOf[outcome] : undefined;
  return (chosen ?? listAnswers(answer)[0])?.description ?? "Done.";
}

/** Headers that a model needs for its next call. */
const REPORTED_HEADERS = ["X-Frame", "X-Scale", "X-Region", "X-Changes"];

function formatHeaders(headers: Readonly<Record<string, string>>) {
  const lines = REPORTED_HEADERS.filter((name) => headers[name] !== undefined)
    .map((name) => `${name.slice(2).toLowerCase()}: ${headers[name]}`);
  return lines.length === 0 ? [] : [{ type: "text" as const, text: lines.join("\n") }];
}

/** The result, with a line for the model at its end. */
export function withNotice(result: CallToolResult, notice: string | undefined): CallToolResult {
  if (notice === undefined) return result;
  return { ...result, content: [...result.content, { type: "text", text: notice }] };
}

/** An error result, in words that a model can act on. */
export function failedResult(error: unknown): CallToolResult {
  const isBusy = error instanceof ServiceError && (error.status === 503 || error.status === 429);
  const text = failureText(error) + (isBusy ? ". Try again in a moment." : "");
  return { ...textResult(text), isError: true };
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}
