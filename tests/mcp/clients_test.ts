/** A client that nobody here wrote, over HTTP: the official package, in both eras. */

import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { startRecordedDesktop } from "../support/desktop.ts";
import { type Era, newClient } from "../support/mcp_program.ts";
import { decodePng } from "../support/png.ts";
import { serveApp, testApp } from "../support/client.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const onLinux = { ignore: unless(Deno.build.os === "linux", "it needs an X server") };
const ERAS: readonly (readonly [Era, string])[] = [["auto", "2026-07-28"], [
  "legacy",
  "2025-11-25",
]];
const LONG_TEXT = "abcdefghij".repeat(2_000);
const CONFIG = fileURLToPath(new URL("../../deno.dev.json", import.meta.url));

for (const [era, version] of ERAS) {
  Deno.test({
    name: `the official client sees and clicks by ${version}`,
    ...onLinux,
    async fn() {
      await using desktop = await startRecordedDesktop({ server: { size: "1920x1080" } });
      const url = new URL(`${desktop.service.listen()}/mcp`);
      const client = await newClient(era, new StreamableHTTPClientTransport(url));
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("str_replace_based_edit_tool");
      const { content } = await client.callTool({ name: "screenshot", arguments: {} });
      const [picture] = content as { data: string }[];
      const { width, height } = decodePng(Uint8Array.fromBase64(picture!.data));
      expect([width, height]).toEqual([1456, 819]);
      await client.callTool({ name: "double_click", arguments: { coordinate: [728, 409] } });
      await desktop.recorder.sync();
      const { x, y } = desktop.recorder.buttonEvents[0]!;
      expect([Math.abs(x - 960) <= 1, Math.abs(y - 540) <= 1]).toEqual([true, true]);
      expect(desktop.recorder.buttonEvents.length).toBe(4);
      // the client checks what it gets against the tool's output schema
      const run = await client.callTool({ name: "bash", arguments: { command: "echo hello" } });
      expect(run.structuredContent).toMatchObject({ output: "hello\n", exit_code: 0 });
      await client.close();
    },
  });

  Deno.test({
    name: `a client that is killed stops typing, and all is released (${version})`,
    ...onLinux,
    async fn() {
      await using desktop = await startRecordedDesktop();
      const { recorder } = desktop;
      const url = new URL(`${desktop.service.listen()}/mcp`);
      await using client = startTypingClient(era, url);
      await waitFor(() => recorder.presses.length > 20, { what: "typed keys" });
      await client[Symbol.asyncDispose]();
      const next = await newClient(era, new StreamableHTTPClientTransport(url));
      // it has to wait for its turn, which comes when the first one has ended
      await next.callTool({ name: "key", arguments: { text: "Return" } });
      await recorder.sync();
      expect(recorder.text.endsWith("\n")).toBe(true);
      expect(recorder.presses.length).toBeLessThan(LONG_TEXT.length);
      const count = (what: string) => recorder.events.filter((event) => event.what === what).length;
      expect(count("release")).toBe(count("press"));
      await next.close();
    },
  });
}

Deno.test("all tools of all groups are taken by the official client", async () => {
  const app = testApp({ config: { mcpTools: "all" } });
  await using server = serveApp(app);
  for (const [era] of ERAS) {
    const url = new URL(`${server.url}/mcp`);
    const client = await newClient(era, new StreamableHTTPClientTransport(url));
    expect((await client.listTools()).tools.length).toBeGreaterThan(60);
    const listed = await client.callTool({ name: "display_list", arguments: {} });
    const displays = listed.structuredContent as { result?: unknown[] } | unknown[];
    const list = Array.isArray(displays) ? displays : displays.result;
    expect(list).toMatchObject([{ display_num: 1 }]);
    await client.close();
  }
});

/**
 * Killed and not closed: Deno's `fetch` sometimes keeps the connection of an aborted request, and
 * then the service is right to go on.
 */
function startTypingClient(era: Era, url: URL): AsyncDisposable {
  const program = fileURLToPath(new URL("typing_client.ts", import.meta.url));
  const client = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", "-c", CONFIG, program, era, url.href, LONG_TEXT],
    stdin: "null",
    stdout: "null",
  }).spawn();
  let ended: Promise<unknown> | undefined;
  return {
    async [Symbol.asyncDispose]() {
      if (ended === undefined) {
        ended = client.status;
        client.kill("SIGKILL");
      }
      await ended;
    },
  };
}
