/** The fields of `POST /api/agents/anthropic` and of its answer. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { PathField } from "../../filesystem/path.ts";
import { computerFields, type ComputerInput } from "../computer_fields.ts";
import { Content, type Declared, Tools } from "./blocks.ts";
import { ResultBlock } from "./result_blocks.ts";

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
      "The name of the shell that the `bash` tool uses: each name has one of its own.",
    ),
    bash_timeout: z.number().gt(0).max(maxTimeout).default(Math.min(DEFAULT_TIMEOUT_S, maxTimeout))
      .describe("A command of the `bash` tool that takes more seconds is ended with its shell."),
    memory_dir: PathField("folder that is `/memories` for the `memory` tool").optional(),
  });
}

export interface TurnInput extends ComputerInput {
  readonly content: z.output<typeof Content>;
  readonly tools?: Declared;
  readonly then_screenshot: boolean;
  readonly shell: string;
  /** In seconds. */
  readonly bash_timeout: number;
  readonly memory_dir?: string | undefined;
}

export const TurnAnswer = z.object({
  content: z.array(ResultBlock)
    .describe("The `content` of your next message, whose role is `user`."),
  unhandled: z.array(z.string())
    .describe("The ids of the calls of your own tools, which you answer yourself."),
});

export type TurnAnswer = z.output<typeof TurnAnswer>;
