/** The console as a test has it, and a page without a browser: its socket, and what has come over it. */

import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import type { App } from "../../src/http/app.ts";
import { connectionLimits, startServer } from "../../src/http/connections/server.ts";
import type { ConsoleModules } from "../../src/http/console_route.ts";
import { openSocketCalls } from "../../src/platform/files.ts";
import { testIf } from "./test_if.ts";
import { waitFor } from "./wait.ts";

/** For tests that open sockets. */
export const testSockets = testIf(
  Deno.build.os !== "windows",
  "Windows has no descriptors to peek at",
);

/** Loads the console when it is first asked for, as the program does. */
export function consoleModules(
  ending: AbortSignal = new AbortController().signal,
): ConsoleModules {
  return {
    open: async (source) =>
      (await import("../../src/console/console.ts")).openConsole(source, ending),
    readFile: async (name) => (await import("../../src/console/files.ts")).readPageFile(name),
  };
}

/** Puts an app behind connections of the service's own, on which sockets open. */
export function serveConsole({ fetch }: Pick<App, "fetch">) {
  const calls = openSocketCalls(Deno.build.os);
  const limits = connectionLimits(DEFAULT_LIMITS, 4_096);
  const server = startServer({ hostname: "127.0.0.1", port: 0, limits, calls }, fetch);
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Message = any;

export interface TestPage extends AsyncDisposable {
  /** What makes its requests those of the person before it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly socket: WebSocket;
  /** The JSON messages so far. */
  readonly received: readonly Message[];
  /** The binary ones. */
  readonly pictures: readonly ArrayBuffer[];
  send(message: unknown): void;
  /** The first message of this kind, after the first `from` of all, that fits. */
  message(t: string, fits?: (message: Message) => boolean, from?: number): Promise<Message>;
  /** How the socket was closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

interface PageOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function pageKey(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Asks for a ticket as a page does. */
export async function takeTicket(
  url: string,
  { key = pageKey(), headers = {} }: PageOptions = {},
): Promise<Response> {
  return await fetch(`${url}/console/ticket`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json", ...headers },
    body: JSON.stringify({ page: key }),
  });
}

/** Opens the socket of a page at a service. */
export async function openPage(url: string, options: PageOptions = {}): Promise<TestPage> {
  const { key = pageKey(), headers = {} } = options;
  const answer = await takeTicket(url, { key, headers });
  const { ticket } = await answer.json();
  const socket = openSocket(url, ticket);
  const received: Message[] = [];
  const pictures: ArrayBuffer[] = [];
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") received.push(JSON.parse(data));
    else pictures.push(data);
  };
  const page: TestPage = {
    headers: { ...headers, "x-console-page": key },
    socket,
    received,
    pictures,
    send: (message) => socket.send(JSON.stringify(message)),
    message: (t, fits = () => true, from = 0) =>
      waitFor(() => received.slice(from).find((each) => each.t === t && fits(each)), {
        what: `a message "${t}" among ${JSON.stringify(received).slice(0, 500)}`,
      }),
    closed: closing(socket),
    async [Symbol.asyncDispose]() {
      socket.close();
      await page.closed;
    },
  };
  await page.message("hello");
  return page;
}

export function openSocket(url: string, ticket: string, origin = url): WebSocket {
  const address = `${url.replace("http", "ws")}/console/socket?ticket=${ticket}`;
  // deno-lint-ignore no-explicit-any -- Deno's own second form
  const socket = new (WebSocket as any)(address, { headers: { origin } }) as WebSocket;
  socket.binaryType = "arraybuffer";
  return socket;
}

/** Also for one that was never opened. */
export function closing(socket: WebSocket): TestPage["closed"] {
  return new Promise((resolve) => {
    socket.onclose = ({ code, reason }) => resolve({ code, reason });
    socket.onerror = () => {};
  });
}
