/** Chooses the tools: the few that models are trained on, and with `--mcp-tools all` the rest. */

import type { Config } from "../config/config.ts";
import { Turns } from "../core/turns.ts";
import { Callables } from "../features/call/callables.ts";
import type { Services } from "../features/call/call_context.ts";
import { callName } from "../features/call/call_names.ts";
import { findSwitch } from "../features/switched_off.ts";
import type { Operation } from "../features/operation.ts";
import { displayTools } from "./display_tools.ts";
import { editTool } from "./edit_tool.ts";
import { keyboardTools } from "./keyboard_tools.ts";
import { elementTools } from "./element_tools.ts";
import { operationTool } from "./operation_tool.ts";
import { pointerTools } from "./pointer_tools.ts";
import { formatRun, shellTools } from "./shell_tools.ts";
import type { McpTool } from "./tool.ts";
import type { FormatAnswer } from "./tool_results.ts";

/** By id: JSON is not what a model reads best. */
const FORMATS: Readonly<Record<string, FormatAnswer>> = { bash: formatRun, bash_output: formatRun };

/** Vendors' doors, which take whole turns of a model. */
const LEFT_OUT: ReadonlySet<string> = new Set(["agents"]);

export interface ToolSource {
  readonly services: Services;
  /** All operations of the service. */
  readonly operations: readonly Operation[];
}

/**
 * The tools in the order in which they are listed, without what is switched off. Their schemas take
 * tens of milliseconds: other work goes on between them.
 */
export async function makeTools(source: ToolSource): Promise<readonly McpTool[]> {
  const turns = new Turns();
  const tools: McpTool[] = [];
  for (const tool of eachTool(source)) {
    tools.push(tool);
    await turns.pass();
  }
  return tools;
}

function* eachTool({ services, operations }: ToolSource): Generator<McpTool> {
  const calls = new Callables(services, operations);
  const trained = trainedTools(calls, services.config);
  const own = new Callables(services, trained);
  const { config, log } = services;
  const isOn = (operation: Operation) => findSwitch(operation, config) === undefined;
  for (const operation of trained.filter(isOn)) {
    const format = FORMATS[operation.id];
    yield operationTool(operation, { name: operation.id, calls: own, log, format });
  }
  if (config.mcpTools !== "all") return;
  const taken = new Set(trained.map(({ id }) => id));
  const rest = operations.filter((operation) =>
    isOn(operation) && !operation.unnamed && !LEFT_OUT.has(operation.group) &&
    !taken.has(toolName(operation)) // the one that models know
  );
  for (const operation of rest) {
    yield operationTool(operation, { name: toolName(operation), calls, log });
  }
}

/** `mouse.left-click` becomes `mouse_left_click`: some models take neither dots nor dashes. */
function toolName(operation: Operation): string {
  return callName(operation).replaceAll(/[.-]/g, "_");
}

/** The tools that models are trained on, as operations of their own. */
function trainedTools(calls: Callables, { limits, readOnly }: Config): readonly Operation[] {
  return [
    ...displayTools(calls, limits),
    ...elementTools(calls),
    ...pointerTools(calls),
    ...keyboardTools(calls, limits),
    ...shellTools(calls, limits),
    editTool(calls, { readOnly }),
  ];
}
