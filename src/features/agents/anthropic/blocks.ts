/**
 * The blocks of Anthropic's Messages API that matter here: what a model asks for (`tool_use`), and
 * what it is answered (`tool_result`). Source: the types of `@anthropic-ai/sdk` 1.12.0.
 */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { FieldError } from "../../../core/errors.ts";
import { PathField } from "../../filesystem/paths.ts";
import { type AgentPicture, computerFields, type EncodePicture } from "../pictures.ts";

const MAX_BLOCKS = 2_000;
const MAX_TOOLS = 1_000;
const MAX_NAME = 256;

/** Any block of an assistant message; only those of the type `tool_use` are read. */
const Block = z.looseObject({
  type: z.string().max(MAX_NAME).describe("Blocks of types other than `tool_use` are ignored."),
});

const Content = z.array(Block).max(MAX_BLOCKS)
  .describe("The `content` of the model's message, as the API returned it.");

const Tools = z.array(z.looseObject({
  type: z.string().max(MAX_NAME).optional(),
  name: z.string().max(MAX_NAME).optional(),
})).max(MAX_TOOLS).optional().describe(
  "The `tools` of your request, as you sent them: they specify which versions of the tools the model uses. Without them the newest versions are assumed.",
);

export type Declared = Readonly<z.output<typeof Tools>>;

export type Declaration = NonNullable<Declared>[number];

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly toolsetName: string | undefined;
  readonly input: unknown;
}

export type Part = string | AgentPicture;

export interface ToolResult {
  readonly use: ToolUse;
  readonly parts: readonly Part[];
  readonly isError?: boolean;
}

/**
 * The calls of a message, in their order.
 * @throws FieldError for a `tool_use` that cannot be answered, because it lacks its id or name
 */
export function readToolUses(content: z.output<typeof Content>): readonly ToolUse[] {
  return content.flatMap((block, index) => {
    if (block.type !== "tool_use") return [];
    const { toolset_name } = block;
    return [{
      id: readText(block, "id", index),
      name: readText(block, "name", index),
      toolsetName: typeof toolset_name === "string" ? toolset_name : undefined,
      input: block["input"],
    }];
  });
}

function readText(block: Readonly<Record<string, unknown>>, field: string, index: number): string {
  const value = block[field];
  if (typeof value === "string" && value !== "" && value.length <= MAX_NAME) return value;
  throw new FieldError(
    ["content", index, field],
    `A tool_use block needs its ${field}: a text of 1 to ${MAX_NAME} characters`,
  );
}

// Results as blocks of the type `tool_result`.

const Text = z.object({ type: z.literal("text"), text: z.string() });
const Image = z.object({
  type: z.literal("image"),
  source: z.object({
    type: z.literal("base64"),
    media_type: z.string().describe("One of `image/png`, `image/jpeg` and `image/webp`."),
    data: z.string().describe("The picture file, in Base64."),
  }),
});

const ResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  toolset_name: z.string().optional()
    .describe("The `toolset_name` of the call, if it had one."),
  content: z.array(z.union([Text, Image])).describe("An error contains only text."),
  is_error: z.literal(true).optional(),
});

type ResultBlock = z.output<typeof ResultBlock>;

export function toResultBlock(
  { use, parts, isError }: ToolResult,
  base64: EncodePicture,
): ResultBlock {
  return {
    type: "tool_result",
    tool_use_id: use.id,
    ...(use.toolsetName !== undefined && { toolset_name: use.toolsetName }),
    content: parts.map((part) => toContent(part, base64)),
    ...(isError && { is_error: true as const }),
  };
}

function toContent(part: Part, base64: EncodePicture): ResultBlock["content"][number] {
  // the API refuses an empty text
  if (typeof part === "string") return { type: "text", text: part === "" ? "(empty)" : part };
  const source = { type: "base64" as const, media_type: part.mediaType, data: base64(part) };
  return { type: "image", source };
}

// The fields of `POST /api/agents/anthropic` and of its answer.

const DEFAULT_TIMEOUT_S = 120;

export function turnFields(limits: Limits) {
  const maxTimeout = limits.maxCommandTimeoutMs / 1000;
  return z.object({
    content: Content,
    tools: Tools,
    ...computerFields(
      limits,
      "`claude`, or for the older tools the display size that they declare",
    ),
    shell: z.string().min(1).max(64).default("default").describe(
      "The name of the shell that the `bash` tool uses: each name has a shell of its own.",
    ),
    bash_timeout: z.number().gt(0).max(maxTimeout).default(Math.min(DEFAULT_TIMEOUT_S, maxTimeout))
      .describe(
        "The maximum time for a command of the `bash` tool, in seconds; a command that takes longer is ended together with its shell.",
      ),
    memory_dir: PathField("folder that is `/memories` for the `memory` tool").optional(),
  });
}

export type TurnInput = Readonly<z.output<ReturnType<typeof turnFields>>>;

export const TurnAnswer = z.object({
  content: z.array(ResultBlock)
    .describe("The `content` of your next message, whose role is `user`."),
  unhandled: z.array(z.string())
    .describe("The ids of the calls of your own tools, which you must answer."),
});
