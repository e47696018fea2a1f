/**
 * Makes the server object that answers one request over HTTP, or one connection on stdio: the same
 * tools in both eras of the protocol.
 */

import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { ServerOptions } from "@modelcontextprotocol/server";
import type { McpTool } from "./tool.ts";

/** The list of tools only changes when the service is started with other flags. */
const LIST_TTL_MS = 300_000;
const SHOWN_NAME_LENGTH = 64;

const INSTRUCTIONS = "These tools control a computer. Coordinates are pixels of the picture that " +
  "`screenshot` returns, origin top left. Look with `screenshot` before you act and after what " +
  "matters; `zoom` shows small text. Prefer `bash` and the edit tool to the screen where they do.";

export interface ServerParts {
  readonly version: string;
  /** In the order in which they are listed. */
  readonly tools: readonly McpTool[];
  /** Further capabilities; a test has them. */
  readonly capabilities?: ServerOptions["capabilities"];
}

/**
 * The high-level `McpServer` would register all tools again for each request; this one has two
 * handlers.
 */
export function serverFactory({ version, tools, capabilities }: ServerParts): () => Server {
  const listed = { tools: tools.map(({ definition }) => definition) };
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const info = { name: "computer-control", title: "Computer Control", version };
  const options: ServerOptions = {
    capabilities: { tools: {}, ...capabilities },
    instructions: INSTRUCTIONS,
    cacheHints: { "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "private" } },
    jsonSchemaValidator: UNUSED_VALIDATOR,
  };
  return () => {
    const server = new Server(info, options);
    server.setRequestHandler("tools/list", () => listed);
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = byName.get(params.name);
      if (tool === undefined) throw unknownTool(params.name);
      const result = await tool.call(params.arguments ?? {}, context);
      return server.projectCallToolResult(result, tool.definition.outputSchema);
    });
    return server;
  };
}

function unknownTool(name: string): ProtocolError {
  const shown = JSON.stringify(name.slice(0, SHOWN_NAME_LENGTH));
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${shown}, or it is switched off: tools/list has all`,
  );
}

/** The default would load a validator for what clients answer; the service asks them nothing. */
const UNUSED_VALIDATOR: NonNullable<ServerOptions["jsonSchemaValidator"]> = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: "Nothing is asked of clients",
  }),
};
