/** Calls and events of the Chrome DevTools Protocol over one connection. */

import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.d.ts";
import { ServiceError } from "../../../core/errors.ts";
import { isTraced, trace } from "../../../core/log.ts";

type Commands = ProtocolMapping.Commands;
export type CdpMethod = keyof Commands;
export type CdpParams<M extends CdpMethod> = Commands[M]["paramsType"][0];
export type CdpResult<M extends CdpMethod> = Commands[M]["returnType"];

export interface CallOptions {
  /** The session of a tab or frame; the browser itself if absent. */
  readonly session?: string | undefined;
  /** `Infinity` for an answer that may take as long as the connection lasts. */
  readonly timeoutMs?: number | undefined;
}

/** The browser has refused a call. */
export class CdpError extends Error {
  override readonly name = "CdpError";
}

interface Pending {
  readonly session: string | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const CALL_MS = 10_000;
/** Characters of the name of an event in an error. */
const MAX_NAME = 80;

/** Stands for an event that is too large, which its `method` names. */
export const LARGE_EVENT = "large";

interface CdpEvents extends ProtocolMapping.Events {
  [LARGE_EVENT]: [{ readonly method: string }];
}

export type CdpEventName = keyof CdpEvents;
export type CdpEventParams<N extends CdpEventName> = CdpEvents[N][0];
export type CdpEvent = {
  [N in CdpEventName]: [name: N, params: CdpEventParams<N>, session: string | undefined];
}[CdpEventName];
export type CdpHandlers = { readonly [N in CdpEventName]?: (params: CdpEventParams<N>) => void };

type EventListener = (...event: CdpEvent) => void;

export class CdpConnection {
  readonly #pending = new Map<number, Pending>();
  #last = 0;
  #over: ServiceError | undefined;
  /** Called when a call has had no answer for {@link CALL_MS} or longer. */
  onlate: () => void = () => {};

  /** @param listen gets every event, in order */
  constructor(private readonly transport: Transport, listen: EventListener) {
    transport.onmessage = (text) => {
      try {
        this.#take(text, listen);
      } catch {
        this.close(); // what speaks there does not speak the protocol
      }
    };
    transport.onlarge = (start, end) => this.#takeLarge(start, end, listen);
    transport.closed.then(() => this.#end());
  }

  get isOpen(): boolean {
    return this.#over === undefined;
  }

  /**
   * @throws CdpError the browser refuses; ServiceError `unavailable`: the connection is over;
   *   `timed_out`: no answer in time; what {@link failSession} was given
   */
  async call<M extends CdpMethod>(
    method: M,
    params?: CdpParams<M>,
    { session, timeoutMs = CALL_MS }: CallOptions = {},
  ): Promise<CdpResult<M>> {
    if (this.#over) throw this.#over;
    const id = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<CdpResult<M>>();
    this.#pending.set(id, { session, resolve, reject });
    const late = () => {
      reject(new ServiceError("timed_out", "The page did not respond in time"));
      if (timeoutMs >= CALL_MS) this.onlate();
    };
    const timer = timeoutMs === Infinity ? undefined : setTimeout(late, timeoutMs);
    try {
      const message = JSON.stringify({ id, method, params: params ?? {}, sessionId: session });
      if (isTraced("cdp")) trace("cdp", "to", method, { id, session, bytes: message.length });
      this.transport.send(message);
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  failSession(session: string, error: ServiceError): void {
    for (const call of this.#pending.values()) if (call.session === session) call.reject(error);
  }

  /** @param why what waiting and later calls throw, if not that the browser has ended */
  close(why?: ServiceError): void {
    this.transport.close();
    this.#end(why);
  }

  #take(text: string, listen: EventListener): void {
    const { id, result, error, method, params, sessionId } = JSON.parse(text);
    if (isTraced("cdp")) {
      const what = method ?? (error === undefined ? "result" : "error");
      trace("cdp", "from", String(what), { id, session: sessionId, bytes: text.length });
    }
    if (id === undefined && method === undefined) throw new Error("It is no message of CDP");
    if (id === undefined) return this.#notify(listen, method, params, sessionId);
    const call = this.#pending.get(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new CdpError(String(error.message)));
  }

  /** Only that answer is refused; an event is reported by its name alone. */
  #takeLarge(start: string, end: string, listen: EventListener): void {
    const id = /^\{"id":(\d+)/.exec(start)?.[1];
    if (id !== undefined) {
      const message = "The page is too large: request less of it, such as its text or a picture";
      return this.#pending.get(Number(id))?.reject(new ServiceError("conflict", message));
    }
    const method = /^\{"method":"([\w.]+)"/.exec(start)?.[1];
    const session = /"sessionId":"(\w+)"\}$/.exec(end)?.[1];
    if (method !== undefined) this.#notify(listen, LARGE_EVENT, { method }, session);
  }

  /** The error can be ours: its name and the event stand in the error, and so in the log. */
  #notify(listen: EventListener, ...event: Parameters<EventListener>): void {
    try {
      listen(...event);
    } catch (cause) {
      const what = `${(cause as Error).name} at its event ${String(event[0]).slice(0, MAX_NAME)}`;
      const message = `The connection to the browser was closed (${what}): try again`;
      this.close(new ServiceError("unavailable", message, { cause }));
    }
  }

  #end(why = new ServiceError("unavailable", "The browser has ended: try again")): void {
    this.#over ??= why;
    for (const call of this.#pending.values()) call.reject(this.#over);
  }
}

// Reaches a browser at an address.

const CONNECT_MS = 30_000;
/** Characters of an answer with the address of a browser. */
const MAX_VERSION = 65_536;

/** @throws ServiceError `unavailable` */
export async function connectTo(address: string): Promise<Transport> {
  try {
    return await overSocket(await findSocket(address), CONNECT_MS);
  } catch (cause) {
    // other errors repeat the address
    const why = cause instanceof ServiceError ? cause.message : "no browser answers there";
    throw new ServiceError("unavailable", `Cannot reach the browser at ${quote(address)}: ${why}`);
  }
}

/** The remainder of an address can hold a password or a token. */
export function quote(address: string): string {
  return JSON.stringify(URL.parse(address)?.host ?? "");
}

/** At an HTTP address the browser reports that of its WebSocket; see the protocol's HTTP endpoints. */
async function findSocket(address: string): Promise<string> {
  if (/^wss?:/i.test(address)) return address;
  const answer = await fetch(new URL("/json/version", address), {
    redirect: "error",
    signal: AbortSignal.timeout(CONNECT_MS),
  });
  const { webSocketDebuggerUrl } = JSON.parse(await readStart(answer.body));
  if (typeof webSocketDebuggerUrl !== "string") {
    throw new ServiceError("unavailable", "it is not a browser");
  }
  // behind a tunnel the browser knows another address than the one that reaches it
  const reported = new URL(webSocketDebuggerUrl);
  const url = new URL(address);
  url.pathname = reported.pathname;
  url.search = reported.search;
  url.hash = "";
  url.username = url.password = "";
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** What follows after some kilobytes is no answer of a browser. */
async function readStart(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_VERSION) break;
  }
  return text;
}

// How messages reach a browser: a pipe to a program of our own, or a WebSocket.

/** Carries JSON texts in both directions. */
export interface Transport {
  send(message: string): void;
  /** Called for each message, in order; set it before the next turn of the event loop. */
  onmessage: (message: string) => void;
  /** Called in place of it for one that is too large, with its first and its last bytes. */
  onlarge: (start: string, end: string) => void;
  /** Resolves when the connection is over, for whatever reason. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Answers beyond this are refused. A page of 100,000 nodes has less. */
export const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
/** Events beyond this are left out: pages can log, and name elements, with texts of any length. */
const MAX_EVENT_BYTES = 4 * 1024 * 1024;
/** Characters of a message that is too large: its beginning says what it is, its end the session. */
const KEPT = 512;

/** Messages end with NUL, as `--remote-debugging-pipe` has them. */
export function overPipe(
  input: WritableStream<Uint8Array>,
  output: ReadableStream<Uint8Array>,
): Transport {
  const writer = input.getWriter();
  const encoder = new TextEncoder();
  const ended = Promise.withResolvers<void>();
  const transport: Transport = {
    send: (message) => void writer.write(encoder.encode(`${message}\0`)).catch(ended.resolve),
    onmessage: () => {},
    onlarge: () => {},
    closed: ended.promise,
    close() {
      writer.close().catch(() => {});
      ended.resolve();
    },
  };
  readMessages(output, transport).then(ended.resolve, () => ended.resolve());
  return transport;
}

/** What is too large is never held in full, and bytes no longer than it takes to decode them. */
async function readMessages(
  output: ReadableStream<Uint8Array>,
  transport: Transport,
): Promise<void> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  let start = "";
  let end = "";
  const add = (bytes: Uint8Array, options?: TextDecodeOptions) => {
    const text = decoder.decode(bytes, options);
    if (start.length < KEPT) start += text.slice(0, KEPT - start.length);
    size += bytes.length;
    if (size <= maxBytes(start)) return void parts.push(text);
    if (parts.length > 0) end = parts.splice(0).slice(-2).join("");
    end = (end + text).slice(-KEPT);
  };
  for await (const chunk of output) {
    let from = 0;
    for (let to = chunk.indexOf(0); to >= 0; to = chunk.indexOf(0, from)) {
      add(chunk.subarray(from, to));
      from = to + 1;
      const message = parts.splice(0).join("");
      if (size <= maxBytes(start)) transport.onmessage(message);
      else transport.onlarge(start, end);
      size = 0;
      start = "";
    }
    if (from < chunk.length) add(chunk.subarray(from), { stream: true });
  }
}

function maxBytes(start: string): number {
  return start.startsWith('{"id"') ? MAX_ANSWER_BYTES : MAX_EVENT_BYTES;
}

/** @throws ServiceError `unavailable`: nobody answers at the address; Error: it is none */
async function overSocket(address: string, timeoutMs: number): Promise<Transport> {
  const socket = new WebSocket(address);
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const fail = (why: string) => opened.reject(new ServiceError("unavailable", why));
  const timer = setTimeout(() => fail("nobody answers"), timeoutMs);
  socket.onopen = () => opened.resolve();
  socket.onerror = () => fail("the connection was refused");
  socket.onclose = () => {
    fail("the connection was closed");
    ended.resolve();
  };
  const transport: Transport = {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    onmessage: () => {},
    onlarge: () => {},
    closed: ended.promise,
    close: () => {
      socket.close();
      ended.resolve();
    },
  };
  socket.onmessage = ({ data }) => {
    if (typeof data !== "string") return;
    if (data.length <= maxBytes(data)) transport.onmessage(data);
    else transport.onlarge(data.slice(0, KEPT), data.slice(-KEPT));
  };
  try {
    await opened.promise;
    return transport;
  } catch (error) {
    transport.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
