/** `computer-control mcp` as a process, as a client starts it. */

import { Client, type Transport } from "@modelcontextprotocol/client";
import { type OwnPlaces, ownPlaces } from "./own_places.ts";

const MAIN = new URL("../../main.ts", import.meta.url).href;

export interface McpProgram extends AsyncDisposable {
  readonly process: Deno.ChildProcess;
  /** Everything that came on standard error, when the program has ended. */
  readonly errors: Promise<string>;
}

export async function startMcpProgram(args: readonly string[]): Promise<McpProgram> {
  const places: OwnPlaces = await ownPlaces();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", MAIN, "mcp", ...args],
    env: { ...places.env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(process.stderr).text();
  return {
    process,
    errors,
    async [Symbol.asyncDispose]() {
      try {
        process.kill("SIGTERM");
      } catch {
        // it has ended
      }
      await Promise.all([process.status, errors, process.stdout.cancel().catch(() => {})]);
      await places[Symbol.asyncDispose]();
    },
  };
}

export type Era = "auto" | "legacy";

/** The official client on the input and output of the program; `auto` finds 2026-07-28. */
export async function connectClient(
  { process }: McpProgram,
  era: Era,
): Promise<{ readonly client: Client; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const writer = process.stdin.getWriter();
  const transport: Transport = {
    async start() {
      readLines(process.stdout, (line) => {
        lines.push(line);
        transport.onmessage?.(JSON.parse(line));
      }).finally(() => transport.onclose?.());
      await Promise.resolve();
    },
    send: (message) => writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`)),
    close: () => writer.close(),
  };
  const client = await newClient(era, transport);
  return { client, lines };
}

export async function newClient(era: Era, transport: Transport): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era } },
  );
  await client.connect(transport);
  return client;
}

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void) {
  let pending = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream() as never)) {
    const lines = (pending + text).split("\n");
    pending = lines.pop()!;
    lines.forEach(take);
  }
}
