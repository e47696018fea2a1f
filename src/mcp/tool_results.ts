/** Turns what a call gave, or why it failed, into the result of a tool. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { ServiceError } from "../core/errors.ts";
import { failureText } from "../features/agents/actions.ts";
import type { CallResult } from "../features/context.ts";
import { listAnswers, type Operation } from "../features/operation.ts";

/** The text of a JSON answer, where it is not the JSON itself. */
export type FormatAnswer = (value: unknown) => string;

export interface ResultOptions {
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
