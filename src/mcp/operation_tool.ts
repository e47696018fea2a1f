/** Makes a tool of an operation. */

import type { Log } from "../core/log.ts";
import type { Callables } from "../features/call/callables.ts";
import type { Operation } from "../features/operation.ts";
import { annotate } from "./annotations.ts";
import type { McpTool } from "./tool.ts";
import { failedResult, type FormatAnswer, textResult, toToolResult } from "./tool_results.ts";
import { inputSchema, outputSchema } from "./tool_schemas.ts";

export interface OperationToolOptions {
  readonly name: string;
  /** What has the operation. */
  readonly calls: Callables;
  readonly log: Pick<Log, "error">;
  readonly format?: FormatAnswer | undefined;
}

export function operationTool(
  operation: Operation,
  { name, calls, log, format }: OperationToolOptions,
): McpTool {
  const output = outputSchema(operation);
  const structured = output !== undefined;
  return {
    definition: {
      name,
      title: operation.summary,
      description: describe(operation),
      inputSchema: inputSchema(operation),
      ...(structured ? { outputSchema: output } : {}),
      annotations: annotate(operation),
    },
    long: operation.long ?? false,
    async call(args, { mcpReq: { signal } }) {
      try {
        const prepared = calls.prepare(operation.id, args, { lenient: true, at: [] });
        const result = await prepared.run({ signal });
        return toToolResult(result, { operation, structured, format });
      } catch (error) {
        if (signal.aborted) return { ...textResult("Stopped"), isError: true }; // nobody reads it
        return failedResult(error, { tool: name, log });
      }
    },
  };
}

function describe({ summary, description }: Operation): string {
  return description === undefined ? `${summary}.` : `${summary}. ${description}`;
}
