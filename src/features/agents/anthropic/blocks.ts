/**
 * The blocks of Anthropic's Messages API that matter here: what a model asks for (`tool_use`), and
 * what it is answered (`tool_result`). Source: the types of `@anthropic-ai/sdk` 1.12.0.
 */

import { z } from "zod";
import { ValueFault } from "../../../core/errors.ts";
import type { AgentPicture } from "../pictures.ts";

const MAX_BLOCKS = 2_000;
const MAX_TOOLS = 1_000;
const MAX_NAME = 256;

/** Any block of an assistant message; only those of the type `tool_use` are looked at. */
const Block = z.looseObject({
  type: z.string().max(MAX_NAME).describe("Blocks of other types than `tool_use` are left out."),
});

export const Content = z.array(Block).max(MAX_BLOCKS)
  .describe("The `content` of the model's message, as the API gave it.");

export const Tools = z.array(z.looseObject({
  type: z.string().max(MAX_NAME).optional(),
  name: z.string().max(MAX_NAME).optional(),
})).max(MAX_TOOLS).optional().describe(
  "The `tools` of your request, as you sent them: they say which versions of the tools the model knows. Without them the newest versions are assumed.",
);

export type Declared = Readonly<z.output<typeof Tools>>;

/** A tool of the request. */
export type Declaration = NonNullable<Declared>[number];

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly toolsetName: string | undefined;
  readonly input: unknown;
}

/** A part of a result: text, or a picture. */
export type Part = string | AgentPicture;

export interface ToolResult {
  readonly use: ToolUse;
  readonly parts: readonly Part[];
  readonly isError?: boolean;
}

/**
 * The calls of a message, in their order.
 * @throws ValueFault for a `tool_use` that cannot be answered, because it lacks its id or name
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
  throw new ValueFault(
    ["content", index, field],
    `A tool_use block needs its ${field}: a text of 1 to ${MAX_NAME} characters`,
  );
}
