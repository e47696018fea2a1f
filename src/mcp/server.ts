/**
 * `/mcp` over HTTP. The guard (Host, Origin, token) stands before it, and the body has been read
 * and parsed within the limits of the service.
 */

import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { pause } from "../core/deadline.ts";
import type { OperationSource, ReadRequest } from "../features/call/callables.ts";
import { isObject } from "../features/call/check_fields.ts";
import type { Spans } from "../features/telemetry/spans.ts";
import { actorOf, authInfoOf, type McpTool } from "./tool.ts";
import { makeTools } from "./tools.ts";

/** Streams that stay open for notifications of changes; the list of tools never changes. */
const MAX_SUBSCRIPTIONS = 64;
const BATCH = {
  jsonrpc: "2.0",
  id: null,
  error: {
    code: -32600,
    message: "Send one message at a time: there are no batches since 2025-06-18",
  },
};

/**
 * The HTTP endpoint to the operations of a service.
 * @param ending aborts when the service stops: streams that wait for nothing end then
 */
export async function openMcp(source: OperationSource, ending: AbortSignal) {
  const { config: { version }, session: { spans } } = source.services;
  await pause(0); // loading this module has taken long, and so will the first message
  const tools = await makeTools(source);
  await pause(0);
  return openHttpEndpoint({ version, tools, ...(spans && { spans }) }, ending);
}

export function openHttpEndpoint(parts: ServerParts, ending: AbortSignal) {
  const makeServer = serverFactory(parts);
  const calls = createMcpHandler(makeServer);
  const subscriptions = createMcpHandler(makeServer, { maxSubscriptions: MAX_SUBSCRIPTIONS });
  ending.addEventListener("abort", () => subscriptions.close(), { once: true });
  const longTools = new Set(
    parts.tools.filter(({ long }) => long).map(({ definition }) => definition.name),
  );
  return {
    async answer(
      { request, body, actor, requestId, signal, admit }: ReadRequest,
    ): Promise<Response> {
      if (Array.isArray(body)) return Response.json(BATCH, { status: 400 });
      const { method, name } = readCall(body);
      const isListening = method === "subscriptions/listen";
      admit({ long: isListening || (method === "tools/call" && longTools.has(name)) });
      const { url, headers } = request;
      // the request's own signal does not fire for every client that goes away
      const watched = new Request(url, { method: "POST", headers, signal });
      const handler = isListening ? subscriptions : calls;
      const authInfo = authInfoOf(actor, requestId);
      return await handler.fetch(watched, { parsedBody: body, authInfo });
    },
  };
}

/** The method of a message, and the tool that it names; empty where it is none. */
function readCall(body: unknown): { readonly method: string; readonly name: string } {
  const { method, params } = isObject(body) ? body : {};
  const { name } = isObject(params) ? params : {};
  return {
    method: typeof method === "string" ? method : "",
    name: typeof name === "string" ? name : "",
  };
}

/** Serves one client on standard input and output; when it closes its side, every call is aborted. */
export async function serveOnStdio(source: OperationSource) {
  const { config, log, session: { spans } } = source.services;
  const tools = await makeTools(source);
  const limits = { maxBufferSize: config.limits.maxBodyBytes };
  const transport = new WatchedTransport(undefined, undefined, limits);
  const handle = serveStdio(
    serverFactory({ version: config.version, tools, ...(spans && { spans }) }),
    {
      transport,
      // its text may quote the message, which may hold what is typed
      onerror: ({ name }) => log.error("message refused", { error: name }),
    },
  );
  return { closed: transport.closed, close: () => handle.close() };
}

class WatchedTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();
  /** Resolves when the client has closed its side, or sent what is no message within the limits. */
  readonly closed = this.#closed.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }
}

// Makes the server object that answers one request over HTTP, or one connection on stdio: the same
// tools in both eras of the protocol.

/** The list of tools only changes with the flags of the service and the token of the caller. */
const LIST_TTL_MS = 300_000;
const SHOWN_NAME_LENGTH = 64;

const INSTRUCTIONS = "These tools control a computer. Coordinates are pixels of the picture that " +
  "`screenshot` returns, with the origin at the top left. Take a `screenshot` before you act and after important " +
  "actions; use `zoom` for small text. Prefer `bash` and the edit tool to the screen where they suffice.";

export interface ServerParts {
  readonly version: string;
  /** In the order in which they are listed. */
  readonly tools: readonly McpTool[];
  /** Traces their calls; absent where nothing is traced. */
  readonly spans?: Spans;
  /** Further capabilities; a test has them. */
  readonly capabilities?: ServerOptions["capabilities"];
}

/**
 * The high-level `McpServer` would register all tools again for each request; this one has two
 * handlers.
 */
export function serverFactory({ version, tools, spans, capabilities }: ServerParts): () => Server {
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
    server.setRequestHandler("tools/list", (_request, context) => {
      const actor = actorOf(context);
      const listed = tools.filter((tool) => tool.isFor(actor));
      return { tools: listed.map(({ definition }) => definition) };
    });
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = byName.get(params.name);
      if (tool === undefined) throw unknownTool(params.name);
      const call = () => tool.call(params.arguments ?? {}, context);
      const { mcpReq: { id, _meta: meta }, http } = context;
      const transport = http === undefined ? "pipe" : "tcp";
      const result =
        await (spans?.runTool({ tool: params.name, id, meta, transport }, call) ?? call());
      return server.projectCallToolResult(result, tool.definition.outputSchema);
    });
    return server;
  };
}

function unknownTool(name: string): ProtocolError {
  const quoted = JSON.stringify(name.slice(0, SHOWN_NAME_LENGTH));
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${quoted}, or it is disabled: see tools/list`,
  );
}

/** The default would load a validator for what clients answer; the service asks them nothing. */
const UNUSED_VALIDATOR: NonNullable<ServerOptions["jsonSchemaValidator"]> = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: "The server sends no requests to clients",
  }),
};
