/** Results as blocks of the type `tool_result`. */

import { z } from "zod";
import type { EncodePicture } from "../picture_answer.ts";
import type { Part, ToolResult } from "./blocks.ts";

const Text = z.object({ type: z.literal("text"), text: z.string() });
const Image = z.object({
  type: z.literal("image"),
  source: z.object({
    type: z.literal("base64"),
    media_type: z.string().describe("One of `image/png`, `image/jpeg` and `image/webp`."),
    data: z.string().describe("The file of the picture in Base64."),
  }),
});

export const ResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  toolset_name: z.string().optional()
    .describe("The `toolset_name` of the call, if it had one."),
  content: z.array(z.union([Text, Image])).describe("An error has text only."),
  is_error: z.literal(true).optional(),
});

export type ResultBlock = z.output<typeof ResultBlock>;

export function toResultBlock(
  { use, parts, isError }: ToolResult,
  base64: EncodePicture,
): ResultBlock {
  return {
    type: "tool_result",
    tool_use_id: use.id,
    ...(use.toolsetName === undefined ? {} : { toolset_name: use.toolsetName }),
    content: parts.map((part) => toContent(part, base64)),
    ...(isError ? { is_error: true as const } : {}),
  };
}

function toContent(part: Part, base64: EncodePicture): ResultBlock["content"][number] {
  // the API refuses an empty text
  if (typeof part === "string") return { type: "text", text: part === "" ? "(empty)" : part };
  const source = { type: "base64" as const, media_type: part.mediaType, data: base64(part) };
  return { type: "image", source };
}
