/** What a real receiver of OTLP gets of the service, decoded by OpenTelemetry's own package for Python. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { type RunningCommand, startCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { type PackagedPython, pythonWith } from "../support/python_packages.ts";
import { testIf } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { startXvfb } from "../support/xvfb.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";

const python = await pythonWith(["opentelemetry-proto==1.45.2"]);
const testWithDecoder = testIf(
  typeof python !== "string",
  typeof python === "string" ? python : "",
);

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`;
const CANARY = "canary";

interface Span {
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly links: readonly string[];
}

interface Received {
  readonly service: readonly string[];
  readonly spans: readonly Span[];
}

async function receivedBy({ folder }: Receiver): Promise<Received> {
  const script = new URL("./decode_otlp.py", import.meta.url);
  return JSON.parse(await (python as PackagedPython).run(script, [folder]));
}

async function post(service: RunningCommand, path: string, body: unknown, headers = {}) {
  const response = await fetch(service.address + path, {
    method: "POST",
    headers: { "content-type": "application/json", traceparent: TRACEPARENT, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

testWithDecoder(
  "spans have the names of operations, one trace from the caller to a command, and nothing confidential",
  async () => {
    await using receiver = await startReceiver(CANARY);
    await using xvfb = await startXvfb();
    await using service = await startCommand(["--display", xvfb.display], receiver.env);
    await post(service, "/api/mouse/move", { x: 5, y: 6 });
    await post(service, "/api/batch", {
      steps: [
        { operation: "keyboard.type", input: { text: `${CANARY}-typed` } },
        { operation: "filesystem.read", input: { path: `/${CANARY}-file` } },
      ],
    });
    await post(service, `/api/filesystem/list?${CANARY}-query`, { path: `/${CANARY}-folder` });
    await (await fetch(`${service.address}/api/filesystem/info/%2F${CANARY}-info`)).body?.cancel();
    await (await fetch(`${service.address}/${CANARY}-page`)).body?.cancel();
    const { text } = await post(service, "/api/bash/command", { command: "env" });
    const { output } = JSON.parse(text);
    expect(output).toMatch(new RegExp(`^TRACEPARENT=00-${TRACE}-[0-9a-f]{16}-01$`, "m"));
    expect(output).not.toContain("OTEL_");
    await post(service, "/mcp", mcpCall("screenshot"), MCP_HEADERS);
    const isThere = (spans: readonly Span[]) =>
      spans.some(({ name }) => name.startsWith("tools/call"));
    const { spans, service: names } = await waitFor(async () => {
      const all = await receivedBy(receiver);
      return isThere(all.spans) && all;
    });
    expect(names).toEqual(["desk-of-the-test"]);

    const named = (name: string) => spans.find((span) => span.name === name)!;
    const move = named("POST /api/mouse/move");
    expect(move).toMatchObject({ trace: TRACE, parent: CALLER, kind: "SPAN_KIND_SERVER" });
    expect(move.attributes).toMatchObject({
      "http.route": "/api/mouse/move",
      "http.request.method": "POST",
      "http.response.status_code": "204",
      "computer_control.operation": "moveMouse",
    });
    const batch = named("POST /api/batch");
    expect(named("keyboard.type")).toMatchObject({ trace: TRACE, parent: batch.id });
    expect(named("filesystem.read")).toMatchObject({
      parent: batch.id,
      status: "STATUS_CODE_ERROR",
      attributes: { "error.type": "not_found", "computer_control.operation": "readFile" },
    });
    expect(named("GET /api/filesystem/info/{path}").attributes["error.type"]).toBe("not_found");
    const command = named("POST /api/bash/command");
    expect(output).toContain(`TRACEPARENT=00-${TRACE}-${command.id}-01`);

    const tool = named("tools/call screenshot");
    expect(tool).toMatchObject({ trace: MCP_TRACE, parent: CALLER, kind: "SPAN_KIND_SERVER" });
    expect(tool.attributes).toMatchObject({
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": "screenshot",
      "gen_ai.operation.name": "execute_tool",
      "jsonrpc.request.id": "7",
      "network.transport": "tcp",
    });
    expect(tool.links).toHaveLength(1);
    expect(
      spans.filter(({ attributes }) => Object.keys(attributes).some((key) => /^url\./.test(key))),
    )
      .toEqual([]);
    service.signal("SIGTERM");
    await service.ended;
    expect(await receiver.everything()).not.toContain(CANARY);
  },
);

const MCP_TRACE = TRACE.replaceAll("0", "1");
const MCP_HEADERS = { accept: "application/json, text/event-stream" };

function mcpCall(name: string) {
  const _meta = { traceparent: `00-${MCP_TRACE}-${CALLER}-01` };
  return { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: {}, _meta } };
}

testWithDecoder(
  "no address is in a span that a caller has sampled where we sample none",
  async () => {
    await using receiver = await startReceiver(CANARY);
    await using xvfb = await startXvfb();
    const sampler = { OTEL_TRACES_SAMPLER: "parentbased_always_off" };
    await using service = await startCommand(
      ["--display", xvfb.display],
      { ...receiver.env, ...sampler },
    );
    await (await fetch(`${service.address}/api/filesystem/info/%2F${CANARY}-not-sampled`)).body
      ?.cancel();
    await post(service, `/api/filesystem/list`, { path: `/${CANARY}-folder` });
    await (await fetch(`${service.address}/api/filesystem/info/%2F${CANARY}-info`, {
      headers: { traceparent: TRACEPARENT },
    })).body?.cancel();
    const spans = await waitFor(async () => {
      const { spans } = await receivedBy(receiver);
      return spans.length >= 2 && spans;
    });
    expect(spans.map(({ name }) => name).toSorted())
      .toEqual(["GET /api/filesystem/info/{path}", "POST /api/filesystem/list"]);
    expect(await receiver.everything()).not.toContain(CANARY);
  },
);

testWithDecoder("what is printed, a token too, is in no log that is exported", async () => {
  await using receiver = await startReceiver(CANARY);
  await using folder = await testFolder();
  const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      main,
      "token",
      "add",
      "agent",
      "--scopes",
      "view",
      "--state-dir",
      folder.path,
    ],
    env: { ...receiver.env, OTEL_BLRP_SCHEDULE_DELAY: "100" },
  }).output();
  const token = /\S{30,}/.exec(new TextDecoder().decode(stdout))?.[0];
  expect([success, typeof token]).toEqual([true, "string"]);
  expect(await receiver.everything()).not.toContain(token);
});
