/** Defines the operation that Claude's answers are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { ServiceError } from "../../../core/errors.ts";
import { CommandText } from "../../bash/fields.ts";
import { gapLines } from "../../bash/redact_output.ts";
import type { ShellCommandResult } from "../../bash/shell_session.ts";
import type { Context } from "../../context.ts";
import { resolvePath } from "../../filesystem/paths.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { json } from "../../outcomes.ts";
import { AgentComputer } from "../agent_computer.ts";
import { failureText, readFields } from "../actions.ts";
import { answerWithPictures } from "../pictures.ts";
import { performInOrder, TURN, untilDisconnected } from "../turn.ts";
import { type EditorVersion, runTextEditor } from "../text_editor/text_editor.ts";
import {
  type Declaration,
  type Declared,
  type Part,
  readToolUses,
  type ToolResult,
  type ToolUse,
  toResultBlock,
  TurnAnswer,
  turnFields,
  type TurnInput,
} from "./blocks.ts";
import {
  COMPUTER_FIELD_NAMES,
  COMPUTER_TOOLSET,
  type ComputerTool,
  declaredSize,
  readComputerAction,
} from "./computer_tool.ts";
import { runMemory } from "./memory_tool.ts";
import { launchShell, ShellSessions } from "../../bash/shell_session.ts";

export function anthropicOperation(limits: Limits): Operation {
  return defineOperation({
    ...TURN,
    id: "answerAnthropic",
    path: "/api/agents/anthropic",
    summary: "Perform the tool calls of a Claude model",
    description:
      "Takes the `content` of the model's message as it is, performs its `tool_use` blocks in order, and answers " +
      "with the `tool_result` blocks of the next message. It knows `computer_toolset_20260801`, `computer_20251124`, " +
      "`computer_20250124`, `bash_20250124`, `text_editor_20250728`, `text_editor_20250429`, `text_editor_20250124` and " +
      "`memory_20250818`. A call that fails has a result with `is_error`; computer actions after it are not executed. " +
      "When the client disconnects, the action stops, and the keys and buttons that the turn pressed are released.",
    body: turnFields(limits),
    answer: json("Every call has its result, or is `unhandled`.", TurnAnswer),
    run: answerTurn,
  });
}

// Anthropic's `bash` tool: commands in a shell that keeps its state, and its restart.

const Bash = z.object({ command: CommandText.optional(), restart: z.boolean().optional() });

/** The most characters that are shown of the output of a command that took too long. */
const MAX_LAST = 3_000;

/** What the model reads; a command that fails is a result like any other. */
async function runBash(
  context: Context,
  input: unknown,
  { shell, bash_timeout }: Pick<TurnInput, "shell" | "bash_timeout">,
): Promise<string> {
  const { command, restart } = readFields(Bash, input, "bash");
  if (command === undefined && !restart) {
    throw new ServiceError("invalid", "Give either command or restart: true");
  }
  return await context.session.use(ShellSessions).use(shell, async (session) => {
    if (restart) await session.restart(context.signal);
    if (command === undefined) return "The shell was restarted.";
    const outcome = await session.run(command, {
      timeoutMs: bash_timeout * 1000,
      signal: context.signal,
      launch: () => launchShell(context),
    });
    return describeResult(outcome, bash_timeout);
  });
}

/** @throws ServiceError `timed_out` for a command that was ended */
function describeResult(
  { output, status, exitCode, redactionGap }: ShellCommandResult,
  timeout: number,
): string {
  const text = output.replace(/\n$/, "");
  const lines = text === "" ? [] : [text];
  if (status === "timed_out") {
    const end =
      `The command took more than ${timeout} s. It was ended, and its shell with it: the next ` +
      "command begins in a new shell. Run long commands in the background: command > log 2>&1 &";
    const last = lines.map((shown) => `Its last output:\n${shown.slice(-MAX_LAST)}`);
    throw new ServiceError("timed_out", [end, ...last, ...gapLines(redactionGap)].join("\n"));
  }
  if (status === "ended") {
    lines.push(
      `[The shell has ended with exit code ${exitCode}: the next command begins in a new shell.]`,
    );
  } else if (exitCode !== 0) lines.push(`[exit code ${exitCode}]`);
  if (text !== "") lines.push(...gapLines(redactionGap));
  return lines.length === 0 ? "(no output)" : lines.join("\n");
}

// Performs the calls of one message of a Claude model, in their order, and answers each.

interface Call {
  readonly use: ToolUse;
  readonly tool: Tool;
}

const MAX_CALLS = 100;
/** The very words of the vendor's SDK, which the models know. */
const HALTED = "Not executed: an earlier computer action in this turn failed.";

async function answerTurn(context: Context, input: TurnInput) {
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
  return await untilDisconnected(context, async () => {
    const results = await performInOrder<Call, ToolResult>(calls, context.signal, {
      perform: async ({ use, tool }) => ({ use, parts: await runner.run(tool, use) }),
      failed: ({ use }, text) => ({ use, parts: [text], isError: true }),
      notRun: ({ use }) => ({ use, parts: [HALTED], isError: true }),
      chainOf: ({ tool }) => tool.kind === "computer" ? "computer" : undefined,
      fieldNames: COMPUTER_FIELD_NAMES,
    });
    return input.then_screenshot ? await withScreenshot(runner, calls, results) : results;
  });
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

// Runs single calls of Anthropic's tools; what they share within a turn lives here.

/** The most that the pictures of one turn may take, in bytes. */
const MAX_PICTURES_BYTES = 32 * 1024 * 1024;

class ToolRunner implements AsyncDisposable {
  readonly #computers = new Map<string, AgentComputer>();
  #picturesBytes = 0;

  constructor(private readonly context: Context, private readonly input: TurnInput) {}

  /**
   * What the model reads after a call.
   * @throws what {@link failureText} can describe
   */
  async run(tool: Tool, use: ToolUse): Promise<readonly Part[]> {
    const { context, input } = this;
    switch (tool.kind) {
      case "computer":
        return [await this.#act(tool.tool, use)];
      case "bash":
        return [await runBash(context, use.input, input)];
      case "editor":
        return [await runTextEditor(context, use.input, tool)];
      case "memory":
        return [await runMemory(context, use.input, input)];
      default:
        throw new ServiceError(
          "invalid",
          `There is no tool ${JSON.stringify(use.name.toWellFormed())} in this request`,
        );
    }
  }

  /** The display after the actions of the turn, or why it cannot be shown. */
  async screenshotAfter(tool: ComputerTool): Promise<Part> {
    try {
      return await this.#bounded(() => this.#findComputer(tool).screenshot());
    } catch (error) {
      this.context.signal.throwIfAborted();
      return `There is no screenshot: ${failureText(error)}`;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const computer of this.#computers.values()) await computer[Symbol.asyncDispose]();
  }

  async #act(tool: ComputerTool, use: ToolUse): Promise<Part> {
    const action = readComputerAction(tool, use);
    const computer = this.#findComputer(tool);
    return await this.#bounded(async () => await action.run(computer));
  }

  async #bounded(work: () => Promise<Part>): Promise<Part> {
    if (this.#picturesBytes > MAX_PICTURES_BYTES) {
      const message = "The pictures of this turn are too large: continue in the next turn";
      throw new ServiceError("too_large", message);
    }
    const part = await work();
    if (typeof part !== "string") this.#picturesBytes += part.bytes.length;
    return part;
  }

  /** A toolset's pictures fit the model; an older tool's fit the size that it declares. */
  #findComputer(tool: ComputerTool): AgentComputer {
    const max = tool.kind === "toolset" ? undefined : declaredSize(tool);
    const key = `${max?.width}x${max?.height}`;
    const known = this.#computers.get(key);
    if (known) return known;
    const fit = this.input.fit ?? (max === undefined ? "claude" : undefined);
    const computer = new AgentComputer(this.context, {
      ...this.input,
      fit,
      max,
      space: "pictures",
    });
    this.#computers.set(key, computer);
    return computer;
  }
}

// Finds which of Anthropic's tools a call is for, and in which version.

type Tool =
  | { readonly kind: "computer"; readonly tool: ComputerTool }
  | { readonly kind: "bash" }
  | { readonly kind: "editor"; readonly version: EditorVersion; readonly maxCharacters?: number }
  | { readonly kind: "memory" }
  /** A tool of the caller's own, which the caller answers. */
  | { readonly kind: "callers" }
  | { readonly kind: "unknown" };

/** The tool of a call: by its toolset, then by what was declared, then by its usual name. */
function findTool({ name, toolsetName }: ToolUse, declared: Declared): Tool {
  if (toolsetName !== undefined) return findToolset(toolsetName, declared);
  if (declared === undefined) return makeTool(USUAL_NAMES[name], undefined);
  const declaration = declared.find((tool) => (tool.name ?? tool.type) === name);
  if (declaration === undefined) return { kind: "unknown" };
  return makeTool(declaration.type, declaration);
}

function findToolset(toolsetName: string, declared: Declared): Tool {
  if (toolsetName !== "computer") return { kind: "callers" };
  const declaration = declared?.find(({ type }) => type === COMPUTER_TOOLSET);
  return { kind: "computer", tool: { kind: "toolset", declaration } };
}

/** The newest version of each tool by its name. */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  computer: "computer_20251124",
  bash: "bash_20250124",
  str_replace_based_edit_tool: "text_editor_20250728",
  str_replace_editor: "text_editor_20250124",
  memory: "memory_20250818",
};

function makeTool(type: string | undefined, declaration: Declaration | undefined): Tool {
  switch (type) {
    case "computer_20251124":
      return { kind: "computer", tool: { kind: "2025-11-24", declaration } };
    case "computer_20250124":
    case "computer_20241022":
      return { kind: "computer", tool: { kind: "2025-01-24", declaration } };
    case "bash_20250124":
    case "bash_20241022":
      return { kind: "bash" };
    case "text_editor_20250728":
      return { kind: "editor", version: "2025-07-28", ...readMaximum(declaration) };
    case "text_editor_20250429":
      return { kind: "editor", version: "2025-04-29" };
    case "text_editor_20250124":
    case "text_editor_20241022":
      return { kind: "editor", version: "2025-01-24" };
    case "memory_20250818":
      return { kind: "memory" };
    default:
      return { kind: "callers" };
  }
}

function readMaximum(declaration: Declaration | undefined): { maxCharacters?: number } {
  const maximum = declaration?.["max_characters"];
  return typeof maximum === "number" && maximum >= 1 ? { maxCharacters: Math.floor(maximum) } : {};
}
