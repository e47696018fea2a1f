/**
 * `/mcp` over HTTP. The guard (Host, Origin, token) stands before it, and the body has been read
 * and parsed within the limits of the service.
 */

import { createMcpHandler } from "@modelcontextprotocol/server";
import { pause } from "../core/deadline.ts";
import { serverFactory, type ServerParts } from "./server_factory.ts";
import { makeTools, type ToolSource } from "./tools.ts";

/** One request, whose body has been read. */
export interface McpRequest {
  readonly request: Request;
  readonly body: unknown;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Throws when too many connections are busy for a call that may take minutes. */
  admit(asked: { readonly long: boolean }): void;
}

/** Streams that stay open to hear of changes; the list of tools never changes. */
const MAX_SUBSCRIPTIONS = 64;
const BATCH = {
  jsonrpc: "2.0",
  id: null,
  error: {
    code: -32600,
    message: "Send one message at a time: there are no batches since 2025-06-18",
  },
};

export interface McpHttpDoor {
  answer(request: McpRequest): Promise<Response>;
}

/**
 * The door to the operations of a service.
 * @param ending aborts when the service stops: streams that wait for nothing end then
 */
export async function openMcp(source: ToolSource, ending: AbortSignal): Promise<McpHttpDoor> {
  const { version } = source.services.config;
  await pause(0); // loading this module has taken long, and so will the first message
  const tools = await makeTools(source);
  await pause(0);
  return openHttpDoor({ version, tools }, ending);
}

export function openHttpDoor(parts: ServerParts, ending: AbortSignal): McpHttpDoor {
  const makeServer = serverFactory(parts);
  const calls = createMcpHandler(makeServer);
  const subscriptions = createMcpHandler(makeServer, { maxSubscriptions: MAX_SUBSCRIPTIONS });
  ending.addEventListener("abort", () => subscriptions.close(), { once: true });
  const longTools = new Set(
    parts.tools.filter(({ long }) => long).map(({ definition }) => definition.name),
  );
  return {
    async answer({ request, body, signal, admit }) {
      if (Array.isArray(body)) return Response.json(BATCH, { status: 400 });
      const { method, name } = readCall(body);
      const isListening = method === "subscriptions/listen";
      admit({ long: isListening || (method === "tools/call" && longTools.has(name)) });
      const { url, headers } = request;
      // the request's own signal does not fire for every client that goes away
      const watched = new Request(url, { method: "POST", headers, signal });
      const handler = isListening ? subscriptions : calls;
      return await handler.fetch(watched, { parsedBody: body });
    },
  };
}

/** The method of a message, and the tool that it names; empty where it is none. */
function readCall(body: unknown): { readonly method: string; readonly name: string } {
  const { method, params } = Object(body) as {
    readonly method?: unknown;
    readonly params?: unknown;
  };
  const { name } = Object(params) as { readonly name?: unknown };
  return {
    method: typeof method === "string" ? method : "",
    name: typeof name === "string" ? name : "",
  };
}
