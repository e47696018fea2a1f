/** The service as a test sees it: an app on a fake platform, called in the process or over a real socket. */

import { type App, createApp } from "../../src/http/app.ts";
import type { Config } from "../../src/config/config.ts";
import type { OpenMcp } from "../../src/http/mcp_route.ts";
import type { Tokens } from "../../src/http/tokens/tokens.ts";
import type { Operation } from "../../src/features/operation.ts";
import { Session } from "../../src/features/session.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import type { ConsoleModules } from "../../src/http/console_route.ts";
import { consoleModules } from "./console.ts";
import { openMcp } from "./mcp.ts";
import { createStrictLog } from "./strict_log.ts";
import { FakePlatform, type FakePlatformOptions } from "./fake_platform.ts";

/** A config with nothing switched on, changed where a test says so. */
export function testConfig(changes: Partial<Config> = {}): Config {
  return {
    version: "0.1.0",
    host: "127.0.0.1",
    port: 0,
    displays: new Map(),
    backend: "auto",
    open: [],
    ignoreUnknownFields: false,
    logFormat: "text",
    logLevel: "info",
    trace: new Set(),
    mcpTools: "few",
    approve: new Set(),
    compat: new Map(),
    noAuth: false,
    openConsole: false,
    allowHosts: [],
    allowOrigins: [],
    disabled: new Set(),
    readOnly: false,
    waylandBackend: "auto",
    clipboardTyping: true,
    browserEvaluate: false,
    trustHome: false,
    setup: false,
    home: "/nonexistent/home",
    stateDir: "/dev/null/state", // which nobody can make, root neither
    keychain: "auto",
    redact: true,
    limits: DEFAULT_LIMITS,
    ...changes,
  };
}

export interface TestAppOptions {
  readonly config?: Partial<Config>;
  readonly operations?: readonly Operation[];
  readonly platform?: FakePlatformOptions;
  /** By default the door with our own tools. */
  readonly openMcp?: OpenMcp;
  readonly consoleModules?: ConsoleModules;
  /** By default the token of the config, if it has one. */
  readonly tokens?: Tokens;
  /** What the service has of the platform. */
  readonly around?: (platform: FakePlatform) => FakePlatform;
}

export interface TestApp extends App {
  readonly platform: FakePlatform;
  readonly session: Session;
  readonly config: Config;
  /** The lines of the log. */
  readonly logged: readonly string[];
  /** Sends a request inside the process. */
  send(method: string, path: string, sent?: Sent): Promise<Received>;
  /** Posts JSON inside the process. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Received>;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, `undefined` when it is none. */
  // deno-lint-ignore no-explicit-any -- each test knows the shape it expects
  readonly json: any;
}

/** An app on a fake platform. */
export function testApp(options: TestAppOptions = {}): TestApp {
  const { operations } = options;
  const config = testConfig(options.config);
  const platform = new FakePlatform(options.platform);
  const used = options.around?.(platform) ?? platform;
  const session = new Session(used, config.limits, config);
  const logged: string[] = [];
  const log = createStrictLog((line) => logged.push(line));
  const parts = {
    platform: used,
    config,
    session,
    log,
    openMcp: options.openMcp ?? openMcp,
    consoleModules: options.consoleModules ?? consoleModules(),
    ...(options.tokens === undefined ? {} : { tokens: options.tokens }),
  };
  const app = createApp(operations === undefined ? parts : { ...parts, operations });

  async function send(method: string, path: string, { headers, body }: Sent = {}) {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { host: "localhost", ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return received(await app.fetch(request));
  }

  function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return send("POST", path, {
      headers: { "content-type": "application/json", ...headers },
      body: text,
    });
  }

  return { ...app, platform, session, config, logged, send, post };
}

/** A response, read to its end. */
export async function received(response: Response): Promise<Received> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Served extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

/** Puts an app behind a real socket. */
export function serveApp(app: Pick<App, "fetch">): Served {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, app.fetch);
  const { port } = server.addr;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Sends bytes as they are and gives the answer as text; the server may answer before it has read them all. */
export async function sendRaw(port: number, request: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const writing = writeAll(connection, new TextEncoder().encode(request)).catch(() => {});
  const answer = await readAnswer(connection);
  await writing;
  return answer;
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.byteLength;) {
    sent += await connection.write(bytes.subarray(sent));
  }
}

async function readAnswer(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(64 * 1024);
  let text = "";
  while (!isComplete(text)) {
    const size = await connection.read(buffer);
    if (size === null) return text;
    text += decoder.decode(buffer.subarray(0, size), { stream: true });
  }
  return text;
}

function isComplete(answer: string): boolean {
  const [head, body] = answer.split("\r\n\r\n", 2);
  if (head === undefined || body === undefined) return false;
  return body.length >= Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
}
