/** Performs the calls of one message of a Claude model, in their order, and answers each. */

import { ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import type { Streamed } from "../../streamed.ts";
import { performInOrder } from "../perform_in_order.ts";
import { answerWithPictures } from "../picture_answer.ts";
import { readToolUses, type ToolResult, type ToolUse } from "./blocks.ts";
import { COMPUTER_FIELD_NAMES } from "./computer_tool.ts";
import type { TurnAnswer, TurnInput } from "./fields.ts";
import { toResultBlock } from "./result_blocks.ts";
import { findTool, type Tool } from "./tools.ts";
import { ToolRunner } from "./tool_runner.ts";
import { resolvePath } from "../../filesystem/path.ts";

interface Call {
  readonly use: ToolUse;
  readonly tool: Tool;
}

const MAX_CALLS = 100;
/** The very words of the vendor's SDK, which the models know. */
const HALTED = "Not executed: an earlier computer action in this turn failed.";

export async function answerTurn(
  context: Context,
  input: TurnInput,
): Promise<TurnAnswer | Streamed> {
  if (input.memory_dir !== undefined) {
    resolvePath(input.memory_dir, context.config.home, "memory_dir"); // also if nothing uses it
  }
  const calls = readToolUses(input.content)
    .map((use) => ({ use, tool: findTool(use, input.tools) }));
  const own = calls.filter(({ tool }) => tool.kind !== "callers");
  const callers = calls.filter(({ tool }) => tool.kind === "callers");
  const results = own.length > MAX_CALLS ? own.map(refuse) : await perform(context, input, own);
  return answerWithPictures((base64) => ({
    content: results.map((result) => toResultBlock(result, base64)),
    unhandled: callers.map(({ use }) => use.id),
  }));
}

async function perform(
  context: Context,
  input: TurnInput,
  calls: readonly Call[],
): Promise<readonly ToolResult[]> {
  await using runner = new ToolRunner(context, input);
  try {
    const results = await performInOrder<Call, ToolResult>(calls, context.signal, {
      perform: async ({ use, tool }) => ({ use, parts: await runner.run(tool, use) }),
      failed: ({ use }, text) => ({ use, parts: [text], isError: true }),
      notRun: ({ use }) => ({ use, parts: [HALTED], isError: true }),
      chainOf: ({ tool }) => tool.kind === "computer" ? "computer" : undefined,
      fieldNames: COMPUTER_FIELD_NAMES,
    });
    return input.then_screenshot ? await withScreenshot(runner, calls, results) : results;
  } catch (error) {
    if (!context.signal.aborted) throw error;
    throw new ServiceError("conflict", "Stopped: the client went away");
  }
}

/** Adds a picture to the last computer action that was performed, unless it gave one itself. */
async function withScreenshot(
  runner: ToolRunner,
  calls: readonly Call[],
  results: readonly ToolResult[],
): Promise<readonly ToolResult[]> {
  const last = calls.findLastIndex(({ tool }, index) =>
    tool.kind === "computer" && !results[index]!.isError
  );
  const result = results[last];
  const { tool } = calls[last] ?? {};
  if (result === undefined || tool?.kind !== "computer") return results;
  if (result.parts.some((part) => typeof part !== "string")) return results;
  const picture = await runner.screenshotAfter(tool.tool);
  return results.with(last, { ...result, parts: [...result.parts, picture] });
}

function refuse({ use }: Call, _index: number, { length }: readonly Call[]): ToolResult {
  const text =
    `Not executed: a turn takes at most ${MAX_CALLS} calls, and this one has ${length}. ` +
    "Nothing was executed.";
  return { use, parts: [text], isError: true };
}
