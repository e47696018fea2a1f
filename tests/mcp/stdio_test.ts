/** `computer-control mcp` on standard input and output, with the official client in both eras. */

import { expect } from "expect";
import { recordInstance } from "../../src/cli/instances.ts";
import { startCommand } from "../support/command.ts";
import { startRecordedDesktop } from "../support/desktop.ts";
import { testFolder } from "../support/folder.ts";
import { startService } from "../support/service.ts";
import { connectClient, type Era, startMcpProgram } from "../support/mcp_program.ts";
import { startXvfb } from "../support/xvfb.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const onLinux = { ignore: unless(Deno.build.os === "linux", "it needs an X server") };
const ERAS: readonly (readonly [Era, string])[] = [["auto", "2026-07-28"], [
  "legacy",
  "2025-11-25",
]];
const LONG_TEXT = "abcdefghij".repeat(2_000);

for (const [era, version] of ERAS) {
  Deno.test({
    name: `the official client lists and calls tools on stdio by ${version}`,
    ...onLinux,
    async fn() {
      await using server = await startXvfb({ size: "1920x1080" });
      await using program = await startMcpProgram(["--display", `1=${server.display}`]);
      const { client, lines } = await connectClient(program, era);
      expect(client.getServerVersion()?.name).toBe("computer-control");
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      const { tools } = await client.listTools();
      expect(tools[0]!.name).toBe("screenshot");
      const shown = await client.callTool({ name: "screenshot", arguments: {} });
      expect(shown.content).toMatchObject([{ type: "image", mimeType: "image/png" }]);
      const run = await client.callTool({ name: "bash", arguments: { command: "echo $((6*7))" } });
      expect(run.structuredContent).toMatchObject({ output: "42\n", exit_code: 0 });
      await client.close();
      expect((await program.process.status).code).toBe(0);
      for (const line of lines) expect(JSON.parse(line).jsonrpc).toBe("2.0");
      expect(await program.errors).toMatch(/stopping.*client has closed/);
    },
  });

  Deno.test({
    name: `closing the input in the middle of typing stops it and releases everything (${version})`,
    ...onLinux,
    async fn() {
      await using desktop = await startRecordedDesktop();
      const { recorder, display } = desktop;
      await using program = await startMcpProgram(["--display", `1=${display}`]);
      const { client } = await connectClient(program, era);
      await client.callTool({ name: "left_mouse_down", arguments: {} });
      const typing = client.callTool({ name: "type", arguments: { text: LONG_TEXT } });
      typing.catch(() => {}); // nobody answers it
      await waitFor(() => recorder.presses.length > 20, { what: "typed keys" });
      await client.close();
      expect((await program.process.status).code).toBe(0);
      await recorder.sync();
      expect(recorder.presses.length).toBeLessThan(LONG_TEXT.length);
      const held = new Set<number>();
      for (const { what, detail } of recorder.keyEvents) {
        if (what === "press") held.add(detail);
        else held.delete(detail);
      }
      expect([...held]).toEqual([]);
      const buttons = recorder.buttonEvents.map(({ what }) => what);
      expect(buttons).toEqual(["button down", "button up"]);
    },
  });

  Deno.test({
    name: `a cancelled call on stdio stops typing, and the next one is answered (${version})`,
    ...onLinux,
    async fn() {
      await using desktop = await startRecordedDesktop();
      const { recorder, display } = desktop;
      await using program = await startMcpProgram(["--display", `1=${display}`]);
      const { client } = await connectClient(program, era);
      const leaving = new AbortController();
      const { signal } = leaving;
      const typing = client.callTool({ name: "type", arguments: { text: LONG_TEXT } }, { signal });
      await waitFor(() => recorder.presses.length > 20, { what: "typed keys" });
      leaving.abort();
      await expect(typing).rejects.toThrow();
      const next = await client.callTool({ name: "type", arguments: { text: "!" } });
      expect(next.content).toMatchObject([{ text: "Typed." }]);
      await recorder.sync();
      expect(recorder.text.endsWith("!")).toBe(true);
      expect(recorder.presses.length).toBeLessThan(LONG_TEXT.length);
      await client.close();
    },
  });

  Deno.test({
    name: `--url passes messages on to a service that runs, in both ways (${version})`,
    ...onLinux,
    async fn() {
      await using desktop = await startRecordedDesktop();
      const { recorder, service } = desktop;
      await using program = await startMcpProgram(["--url", `${service.listen()}/desk-1`]);
      const { client, lines } = await connectClient(program, era);
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect((await client.listTools()).tools.length).toBeGreaterThan(10);
      await client.callTool({ name: "left_click", arguments: { coordinate: [30, 40] } });
      await recorder.sync();
      expect(recorder.buttonEvents[0]).toMatchObject({ what: "button down", x: 30, y: 40 });
      const wrong = await client.callTool({ name: "key", arguments: { text: "é!" } });
      expect(wrong.isError).toBe(true);
      const leaving = new AbortController();
      const { signal } = leaving;
      const typing = client.callTool({ name: "type", arguments: { text: LONG_TEXT } }, { signal });
      await waitFor(() => recorder.presses.length > 20, { what: "typed keys" });
      leaving.abort();
      await expect(typing).rejects.toThrow();
      await client.callTool({ name: "type", arguments: { text: "!" } });
      await recorder.sync();
      expect(recorder.presses.length).toBeLessThan(LONG_TEXT.length);
      await client.close();
      expect((await program.process.status).code).toBe(0);
      for (const line of lines) expect(JSON.parse(line).jsonrpc).toBe("2.0");
    },
  });
}

Deno.test({
  name:
    "--url: what the service refuses, and a service that is not there, are errors with a reason",
  ...onLinux,
  async fn() {
    await using server = await startXvfb();
    await using service = await startService({ displays: [server.display] });
    const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = closed.addr;
    closed.close();
    const cases = [
      [`http://127.0.0.1:${port}`, /Cannot use .*refused/i],
      [`${service.listen()}/api`, /Cannot use .*answered 404/],
    ] as const;
    for (const [url, message] of cases) {
      await using program = await startMcpProgram(["--url", url]);
      await expect(connectClient(program, "legacy")).rejects.toThrow(message);
    }
  },
});

Deno.test({
  name: "--url with --token-file is let in by a service with a token, and nobody without it",
  ...onLinux,
  async fn() {
    await using server = await startXvfb();
    await using folder = await testFolder();
    const file = `${folder.path}/token`;
    await Deno.writeTextFile(file, "secret\n", { mode: 0o600 });
    const args = ["--display", `1=${server.display}`, "--token-file", file];
    await using service = await startCommand(args);
    const url = ["--url", service.address];
    await using program = await startMcpProgram([...url, "--token-file", file]);
    const { client } = await connectClient(program, "auto");
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await client.close();
    await using stranger = await startMcpProgram(url);
    await expect(connectClient(stranger, "legacy")).rejects.toThrow(/answered 401: Send the token/);
  },
});

Deno.test({
  name:
    "beside a service of the same state folder it joins that one, unless it has settings of its own",
  ...onLinux,
  async fn() {
    await using server = await startXvfb();
    await using folder = await testFolder();
    const state = ["--state-dir", folder.path];
    const display = ["--display", `1=${server.display}`];
    await using service = await startCommand([...display, ...state, "--keychain", "file"]);
    const headers = { "content-type": "application/json" };
    const item = { service: "site", item: { password: "hunter2-and-more" } };
    const init = { method: "POST", headers, body: JSON.stringify(item) };
    await fetch(`${service.address}/api/keychain/set-item`, init);
    const command = "printf '%s%s' hunter2 -and-more";
    const run = async (args: readonly string[]) => {
      await using program = await startMcpProgram([...state, ...args]);
      const { client } = await connectClient(program, "auto");
      const answer = await client.callTool({ name: "bash", arguments: { command } });
      await client.close();
      return answer.structuredContent;
    };
    expect(await run([])).toMatchObject({ output: "[redacted:site/password]" });
    expect(await run([...display, "--keychain", "file"]))
      .toMatchObject({ redaction_gap: expect.stringContaining("Cannot open the keychain file") });
  },
});

Deno.test({
  name: "whoever binds the port after the service has been killed gets nothing from who joined it",
  ...onLinux,
  async fn() {
    await using server = await startXvfb();
    await using folder = await testFolder();
    const file = `${folder.path}/token`;
    await Deno.writeTextFile(file, "secret\n", { mode: 0o600 });
    const both = ["--state-dir", folder.path, "--token-file", file];
    await using service = await startCommand([...both, "--display", `1=${server.display}`]);
    await using program = await startMcpProgram(both);
    const { client } = await connectClient(program, "legacy");
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await service.kill();
    const port = Number(new URL(service.address).port);
    using stranger = Deno.listen({ hostname: "127.0.0.1", port });
    const reached = stranger.accept().then((connection) => connection.close());
    const call = client.callTool({ name: "bash", arguments: { command: "echo to-nobody-else" } });
    await expect(call).rejects.toThrow(/the service has ended/);
    expect((await program.process.status).code).toBe(1);
    stranger.close();
    await expect(reached).rejects.toThrow(Deno.errors.BadResource);
  },
});

Deno.test({
  name:
    "a record with an address that is not the service's is not joined, and standard error says so",
  ...onLinux,
  async fn() {
    await using folder = await testFolder();
    using stranger = Deno.listen({ hostname: "127.0.0.9", port: 0 });
    const reached = stranger.accept().then((connection) => connection.close());
    const { port } = stranger.addr;
    await using _record = await recordInstance(folder.path, {
      ...{ since: "", name: null, version: "1", display: null, ready: true, stopWithinMs: 1 },
      ...{ address: `http://evil:x@127.0.0.9:${port}/a?b=`, port },
    });
    await using program = await startMcpProgram(["--state-dir", folder.path]);
    await program.process.stdin.close();
    await program.process.status;
    expect(await program.errors).toContain("does not join a service");
    stranger.close();
    await expect(reached).rejects.toThrow(Deno.errors.BadResource);
  },
});

Deno.test({
  name: "a line that is no message does not end the connection; one that never ends does",
  ...onLinux,
  async fn() {
    await using server = await startXvfb();
    const args = ["--display", `1=${server.display}`, "--max-body", "65536"];
    await using program = await startMcpProgram(args);
    const writer = program.process.stdin.getWriter();
    await writer.write(new TextEncoder().encode('no json\n[]\n"text"\n'));
    writer.releaseLock();
    const { client } = await connectClient(program, "legacy");
    const { content } = await client.callTool({ name: "cursor_position", arguments: {} });
    expect(content).toMatchObject([{ type: "text" }]);
    const text = "x".repeat(100_000);
    const refused = client.callTool({ name: "type", arguments: { text } });
    await expect(refused).rejects.toThrow();
    expect((await program.process.status).code).toBe(0);
  },
});
