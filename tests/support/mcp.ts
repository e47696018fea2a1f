/** Calls `/mcp` as clients of both eras do, by hand: what goes over the wire is what a test sees. */

import type { App } from "../../src/http/app.ts";
import type { OpenMcp } from "../../src/http/mcp_route.ts";

export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";

type Json = Readonly<Record<string, unknown>>;

/** Loads the door when it is first needed, as the program does. */
export const openMcp: OpenMcp = async (source) => {
  const { openMcp } = await import("../../src/mcp/server.ts");
  return openMcp(source, new AbortController().signal);
};

export interface McpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** A request of 2026-07-28: everything is in the message itself. */
export function modernMessage(method: string, params: Json = {}): McpMessage {
  const name = params["name"];
  return {
    headers: {
      ...JSON_HEADERS,
      "mcp-protocol-version": MODERN,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": MODERN,
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
        ...params,
      },
    },
  };
}

/** A request of 2025-11-25 after the handshake, which leaves no session behind. */
export function legacyMessage(method: string, params: Json = {}): McpMessage {
  return {
    headers: { ...JSON_HEADERS, "mcp-protocol-version": LEGACY },
    body: { jsonrpc: "2.0", id: 1, method, params },
  };
}

export const JSON_HEADERS = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
} as const;

/** What a tool gave. */
export interface ToolAnswer {
  readonly isError?: boolean;
  // deno-lint-ignore no-explicit-any -- each test knows the shape it expects
  readonly content: readonly any[];
  // deno-lint-ignore no-explicit-any -- each test knows the shape it expects
  readonly structuredContent?: any;
}

type Fetch = App["fetch"];

/** Calls a tool inside the process. */
export async function callTool(fetch: Fetch, name: string, args: Json = {}): Promise<ToolAnswer> {
  const { result, error } = await ask(
    fetch,
    modernMessage("tools/call", { name, arguments: args }),
  );
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result as ToolAnswer;
}

/** The text of a tool's answer. */
export async function toolText(fetch: Fetch, name: string, args: Json = {}): Promise<string> {
  const { content } = await callTool(fetch, name, args);
  return content.flatMap(({ text }) => text ?? []).join("\n");
}

/** What `tools/list` shows. */
// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
export async function listTools(fetch: Fetch): Promise<any[]> {
  const { result } = await ask(fetch, modernMessage("tools/list"));
  return (result as { tools: unknown[] }).tools;
}

async function ask(fetch: Fetch, { headers, body }: McpMessage): Promise<Json> {
  const response = await fetch(mcpRequest("http://127.0.0.1:4242/mcp", { headers, body }));
  return await response.json();
}

export function mcpRequest(
  url: string,
  { headers, body }: { readonly headers: HeadersInit; readonly body: unknown },
  signal: AbortSignal | null = null,
): Request {
  const all = new Headers(headers);
  all.set("host", new URL(url).host);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Request(url, { method: "POST", headers: all, body: text, signal });
}
