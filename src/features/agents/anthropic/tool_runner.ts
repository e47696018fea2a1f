/** Runs single calls of Anthropic's tools; what they share within a turn lives here. */

import { ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import { AgentComputer } from "../agent_computer.ts";
import { failureText } from "../failure_text.ts";
import type { Part, ToolUse } from "./blocks.ts";
import { type ComputerTool, declaredSize, readAction } from "./computer_tool.ts";
import { runBash } from "./bash_tool.ts";
import type { TurnInput } from "./fields.ts";
import { runMemory } from "./memory_tool.ts";
import { runTextEditor } from "../text_editor/text_editor.ts";
import type { Tool } from "./tools.ts";

/** The most that the pictures of one turn may take, in bytes. */
const MAX_PICTURES_BYTES = 32 * 1024 * 1024;

export class ToolRunner implements AsyncDisposable {
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
    const action = readAction(tool, use);
    const computer = this.#findComputer(tool);
    return await this.#bounded(() => action.perform(computer));
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
