/** A tool of the Model Context Protocol. */

import type { CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";

export interface McpTool {
  /** As `tools/list` shows it. */
  readonly definition: Tool;
  /** Whether a call may take minutes. */
  readonly long?: boolean;
  /** Gives a result in any case: what went wrong is an error result that a model can act on. */
  call(args: unknown, context: ServerContext): Promise<CallToolResult>;
}
