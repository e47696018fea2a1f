/** Defines the operation that Claude's answers are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { ServiceError, untilDisconnected } from "../../../core/errors.ts";
import { CommandText } from "../../bash/fields.ts";
import { gapLines } from "../../bash/execute_command.ts";
import { launchShell, type ShellCommandResult, ShellSessions } from "../../bash/shell_session.ts";
import type { Context } from "../../context.ts";
import { resolvePath } from "../../filesystem/paths.ts";
import { defineOperation, json, type Operation } from "../../operation.ts";
import { AgentComputer } from "../agent_computer.ts";
import { failureText, readFields } from "../actions.ts";
import { answerWithPictures } from "../pictures.ts";
import { performInOrder, turnBase } from "../turn.ts";
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

export function anthropicOperation(limits: Limits): Operation {
  return defineOperation({
    ...turnBase("answerAnthropic", "anthropic"),
    runsOthers: false,
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
  const { actor, signal } = context;
  using passages = new DisposableStack();
  const enter = async (name: string, fields: object) =>
    void passages.use(await context.calls.prepare(name, fields).enter({ actor, signal }));
  // a shell that keeps its state is let in as the operations are
  if (restart) await enter("bash.restart", {});
  if (command !== undefined) await enter("bash.command", { command, timeout: bash_timeout });
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
  const calls: Call[] = [];
  const unhandled: string[] = [];
  for (const use of readToolUses(input.content)) {
    const tool = findTool(use, input.tools);
    if (tool === undefined) unhandled.push(use.id);
    else calls.push({ use, tool });
  }
  const results = await perform(context, input, calls);
  return answerWithPictures((base64) => ({
    content: results.map((result) => toResultBlock(result, base64)),
    unhandled,
  }));
}

async function perform(
  context: Context,
  input: TurnInput,
  calls: readonly Call[],
): Promise<readonly ToolResult[]> {
  if (calls.length > MAX_CALLS) {
    const text =
      `Not executed: a turn takes at most ${MAX_CALLS} calls, and this one has ${calls.length}. ` +
      "Nothing was executed.";
    return calls.map(({ use }) => ({ use, parts: [text], isError: true }));
  }
  await using computers = new Computers(context, input);
  return await untilDisconnected(context, async () => {
    const results = await performInOrder<Call, ToolResult>(calls, context.signal, {
      async perform({ use, tool }) {
        const part = "run" in tool
          ? await tool.run(context, use.input, input)
          : await computers.act(tool, use);
        return { use, parts: [part] };
      },
      failed: ({ use }, text) => ({ use, parts: [text], isError: true }),
      notRun: ({ use }) => ({ use, parts: [HALTED], isError: true }),
      chainOf: ({ tool }) => "run" in tool ? undefined : "computer",
    });
    return input.then_screenshot ? await withScreenshot(computers, calls, results) : results;
  });
}

/** Adds a picture to the last computer action that was performed, unless it gave one itself. */
async function withScreenshot(
  computers: Computers,
  calls: readonly Call[],
  results: readonly ToolResult[],
): Promise<readonly ToolResult[]> {
  const last = calls.findLastIndex(({ tool }, index) =>
    !("run" in tool) && !results[index]!.isError
  );
  const [tool, result] = [calls[last]?.tool, results[last]];
  if (tool === undefined || "run" in tool || result === undefined) return results;
  if (result.parts.some((part) => typeof part !== "string")) return results;
  const picture = await computers.screenshotAfter(tool);
  return results.with(last, { ...result, parts: [...result.parts, picture] });
}

/** The most that the pictures of one turn may take, in bytes. */
const MAX_PICTURES_BYTES = 32 * 1024 * 1024;

/** Performs the computer actions of a turn: each tool has a computer for the size that it declares. */
class Computers implements AsyncDisposable {
  readonly #bySize = new Map<string, AgentComputer>();
  #picturesBytes = 0;

  constructor(private readonly context: Context, private readonly input: TurnInput) {}

  /**
   * What the model reads after a call.
   * @throws what {@link failureText} can describe
   */
  async act(tool: ComputerTool, use: ToolUse): Promise<Part> {
    const action = readComputerAction(tool, use);
    return await this.#bounded(tool, async (computer) => await action.run(computer));
  }

  /** The display after the actions of the turn, or why it cannot be shown. */
  async screenshotAfter(tool: ComputerTool): Promise<Part> {
    try {
      return await this.#bounded(tool, (computer) => computer.screenshot());
    } catch (error) {
      this.context.signal.throwIfAborted();
      return `There is no screenshot: ${failureText(error)}`;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const computer of this.#bySize.values()) await computer[Symbol.asyncDispose]();
  }

  async #bounded(
    tool: ComputerTool,
    work: (computer: AgentComputer) => Promise<Part>,
  ): Promise<Part> {
    const computer = this.#find(tool);
    if (this.#picturesBytes > MAX_PICTURES_BYTES) {
      const message = "The pictures of this turn are too large: continue in the next turn";
      throw new ServiceError("too_large", message);
    }
    const part = await work(computer);
    if (typeof part !== "string") this.#picturesBytes += part.bytes.length;
    return part;
  }

  /** A toolset's pictures fit the model; an older tool's fit the size that it declares. */
  #find(tool: ComputerTool): AgentComputer {
    const max = tool.kind === "toolset" ? undefined : declaredSize(tool);
    const key = `${max?.width}x${max?.height}`;
    return this.#bySize.getOrInsertComputed(key, () =>
      new AgentComputer(this.context, {
        ...this.input,
        fit: this.input.fit ?? (max === undefined ? "claude" : undefined),
        max,
        space: "pictures",
        fieldNames: COMPUTER_FIELD_NAMES,
      }));
  }
}

// Finds which of Anthropic's tools a call is for, and in which version.

interface OtherTool {
  run(context: Context, input: unknown, turn: TurnInput): Promise<string>;
}

type Tool = ComputerTool | OtherTool;

/**
 * The tool of a call: by its toolset, then by what was declared, then by its usual name; `undefined`
 * for a tool of the caller's own, which the caller answers.
 */
function findTool({ name, toolsetName }: ToolUse, declared: Declared): Tool | undefined {
  if (toolsetName !== undefined) {
    if (toolsetName !== "computer") return undefined;
    const declaration = declared?.find(({ type }) => type === COMPUTER_TOOLSET);
    return { kind: "toolset", declaration };
  }
  if (declared === undefined) return TOOLS.get(NEWEST.get(name) ?? "")?.(undefined);
  const declaration = declared.find((tool) => (tool.name ?? tool.type) === name);
  if (declaration !== undefined) return TOOLS.get(declaration.type ?? "")?.(declaration);
  const message = `There is no tool ${JSON.stringify(name.toWellFormed())} in this request`;
  return { run: () => Promise.reject(new ServiceError("invalid", message)) };
}

/** The newest version of each tool by its name. */
const NEWEST: ReadonlyMap<string, string> = new Map([
  ["computer", "computer_20251124"],
  ["bash", "bash_20250124"],
  ["str_replace_based_edit_tool", "text_editor_20250728"],
  ["str_replace_editor", "text_editor_20250124"],
  ["memory", "memory_20250818"],
]);

/** By type: makes the tool that is declared, or an undeclared one. */
const TOOLS = new Map<string, (declaration: Declaration | undefined) => Tool>([
  ["computer_20251124", computer("2025-11-24")],
  ["computer_20250124", computer("2025-01-24")],
  ["computer_20241022", computer("2025-01-24")],
  ["bash_20250124", () => ({ run: runBash })],
  ["bash_20241022", () => ({ run: runBash })],
  ["text_editor_20250728", editor("2025-07-28")],
  ["text_editor_20250429", editor("2025-04-29")],
  ["text_editor_20250124", editor("2025-01-24")],
  ["text_editor_20241022", editor("2025-01-24")],
  ["memory_20250818", () => ({ run: runMemory })],
]);

function computer(kind: ComputerTool["kind"]) {
  return (declaration: Declaration | undefined): Tool => ({ kind, declaration });
}

function editor(version: EditorVersion) {
  return (declaration: Declaration | undefined): Tool => {
    const maximum = version === "2025-07-28" ? declaration?.["max_characters"] : undefined;
    const isGiven = typeof maximum === "number" && maximum >= 1;
    const options = { version, ...(isGiven && { maxCharacters: Math.floor(maximum) }) };
    return { run: (context, input) => runTextEditor(context, input, options) };
  };
}
