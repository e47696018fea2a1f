/**
 * WebSockets on the connections that we accept. Deno's server of a single connection closes a socket
 * as soon as it is opened, so that a connection which begins with the request for one never gets
 * there: its head is read here, and what follows by a `ServerSocket`, which is loaded then.
 */

import { joinBytes, writeAll } from "../../core/bytes.ts";
import { importModules } from "../../core/errors.ts";
import { Refusal } from "../origins.ts";
import type { Handler, ServedConnection } from "./serve_connection.ts";
import type { ServerSocket } from "./server_socket.ts";

/** The request line of every WebSocket of the service, and of nothing else: a file can end like that. */
const TARGET = String.raw`GET (?:http://[^\s/?]*)?(?:/[^\s/?]+)?/console/socket`;
const LINE = new RegExp(String.raw`^${TARGET}(?:\?\S*)? HTTP/1\.1\r\n`);
/** By its beginning. */
export const SOCKET_START = new RegExp(`^${TARGET}[? ]`);
const MAX_HEAD_BYTES = 16 * 1024;
const HEAD_END = "\r\n\r\n";
/** Of 16 bytes, in Base64 (RFC 6455, 4.2.1). */
const KEY = /^[A-Za-z\d+/]{22}==$/;
/** Why the service closes a socket (7.4.1). */
const CLOSE = { leaving: 1001, failed: 1011 } as const;
/** The status of the response that opens a WebSocket; `Response` refuses to be made with it. */
const SWITCHING = 101;

/** The requests that a socket can be opened for, with what opens it. */
const openers = new WeakMap<Request, (key: string) => ServerSocket>();

/**
 * Opens the WebSocket that a request asks for; the response must be what the request is answered with.
 * @throws Refusal `invalid` for an incomplete request; `unsupported` where it cannot be opened
 */
export function openWebSocket(
  request: Request,
): { readonly socket: ServerSocket; readonly response: Response } {
  const { headers } = request;
  const key = headers.get("sec-websocket-key") ?? "";
  const isComplete = headers.get("upgrade")?.toLowerCase() === "websocket" &&
    /\bupgrade\b/i.test(headers.get("connection") ?? "") &&
    headers.get("sec-websocket-version") === "13" && KEY.test(key);
  if (!isComplete) throw new Refusal("invalid", "This address takes a WebSocket only");
  const open = openers.get(request);
  openers.delete(request);
  if (open === undefined) {
    throw new Refusal(
      "unsupported",
      "A WebSocket must be the first request of its connection, and Windows has none: open the console on Linux or macOS, through a proxy that makes a connection for each WebSocket",
    );
  }
  const response = Object.defineProperty(new Response(), "status", { value: SWITCHING });
  return { socket: open(key), response };
}

/** Serves one request and the socket that it opens. @param cut closes the connection */
export function serveSocket(
  connection: Deno.TcpConn,
  handler: Handler,
  cut: () => void,
): ServedConnection {
  const finished = Promise.withResolvers<void>();
  let socket: ServerSocket | undefined;

  async function run(): Promise<void> {
    try {
      const { request, rest } = await readHead(connection);
      if (request === undefined) {
        return await write(connection, new Response(null, { status: 400 }));
      }
      const { ServerSocket } = await importModules(() => import("./server_socket.ts"));
      openers.set(request, (key) => socket = new ServerSocket({ connection, rest, key, cut }));
      const info = { remoteAddr: connection.remoteAddr, completed: finished.promise };
      const response = await handler(request, info);
      if (socket === undefined) return await write(connection, response);
      if (response.status !== SWITCHING) socket.close(CLOSE.failed);
      await socket.ended;
    } finally {
      cut();
      finished.resolve();
    }
  }

  const abort = () => socket === undefined ? cut() : socket.close(CLOSE.leaving);
  return {
    finished: run(),
    abort,
    async shutdown() {
      if (socket !== undefined) abort();
      await finished.promise;
    },
  };
}

/** @throws when the connection is closed before */
async function readHead(
  connection: Deno.TcpConn,
): Promise<{ readonly request: Request | undefined; readonly rest: Uint8Array<ArrayBuffer> }> {
  const decoder = new TextDecoder("latin1");
  const chunk = new Uint8Array(MAX_HEAD_BYTES);
  let bytes = new Uint8Array(0);
  while (true) {
    const count = await connection.read(chunk);
    if (count === null) throw new Deno.errors.UnexpectedEof("The request is not complete");
    bytes = joinBytes([bytes, chunk.slice(0, count)]);
    const text = decoder.decode(bytes);
    const end = text.indexOf(HEAD_END);
    if (end === -1 && bytes.length <= MAX_HEAD_BYTES) continue;
    const request = end === -1 || end > MAX_HEAD_BYTES ? undefined : parseHead(text.slice(0, end));
    return { request, rest: bytes.slice(end + HEAD_END.length) };
  }
}

/** `undefined` for what is no request; the headers are checked as they are set. */
function parseHead(head: string): Request | undefined {
  const [line = "", ...fields] = head.split("\r\n");
  if (!LINE.test(`${line}\r\n`)) return undefined;
  const target = line.split(" ")[1]!;
  try {
    const headers = new Headers();
    for (const field of fields) {
      const colon = field.indexOf(":");
      if (colon <= 0 || /\s/.test(field.slice(0, colon))) return undefined;
      headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
    }
    const url = target.startsWith("/") ? `http://${headers.get("host") ?? ""}${target}` : target;
    return new Request(url, { headers });
  } catch {
    return undefined;
  }
}

/** Writes an answer that is no socket; the connection is closed after it. */
async function write(connection: Deno.TcpConn, response: Response): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  const { status, headers } = response;
  headers.set("content-length", String(body.length));
  headers.set("connection", "close");
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = new TextEncoder().encode(`HTTP/1.1 ${status} \r\n${lines}\r\n`);
  await writeAll(connection, joinBytes([head, body]));
}
