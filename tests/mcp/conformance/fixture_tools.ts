/** Tools that the conformance suite looks for by name; they go through the same handler as ours. */

import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { McpTool } from "../../../src/mcp/tool.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const text = (said: string) => ({ type: "text" as const, text: said });
const image = { type: "image" as const, data: PNG, mimeType: "image/png" };

function resource(uri: string, mimeType: string, said: string) {
  return { type: "resource" as const, resource: { uri, mimeType, text: said } };
}

function tool(
  name: string,
  answer: (context: ServerContext) => CallToolResult | Promise<CallToolResult>,
): McpTool {
  return {
    definition: { name, description: `The suite calls ${name}.`, inputSchema: { type: "object" } },
    isFor: () => true,
    call: async (_args, context) => await answer(context),
  };
}

export const FIXTURE_TOOLS: readonly McpTool[] = [
  tool("test_simple_text", () => ({
    content: [text("This is a simple text response for testing.")],
  })),
  tool("test_image_content", () => ({ content: [image] })),
  tool("test_audio_content", () => ({
    content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  })),
  tool("test_embedded_resource", () => ({
    content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource.")],
  })),
  tool("test_multiple_content_types", () => ({
    content: [
      text("Multiple content types test:"),
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  })),
  tool("test_error_handling", () => ({
    content: [text("This tool intentionally returns an error for testing")],
    isError: true,
  })),
  tool("test_tool_with_progress", async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) break;
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100 },
      });
    }
    return { content: [text("Done.")] };
  }),
  tool("test_missing_capability", () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  }),
  tool("test_streaming_elicitation", async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? "none";
    const params = { progressToken, progress: 1 };
    await mcpReq.notify({ method: "notifications/progress", params });
    return { content: [text("Nothing had to be asked.")] };
  }),
  tool("test_tool_with_logging", async ({ mcpReq }) => {
    for (
      const line of ["Tool execution started", "Tool processing data", "Tool execution completed"]
    ) {
      await mcpReq.log("info", line);
    }
    return { content: [text("Logged.")] };
  }),
  tool("test_logging_tool", async ({ mcpReq }) => {
    await mcpReq.log("info", "a line of the log");
    return { content: [text("Logged.")] };
  }),
];
