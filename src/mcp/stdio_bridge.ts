/**
 * Passes messages of the Model Context Protocol between standard input and output and a service
 * that runs, as its specification maps the one to the other (2026-07-28, transports).
 */

import { writeAll } from "../core/bytes.ts";
import { nameValue, tryParseJson } from "../core/texts.ts";
import { isObject } from "../features/call/check_fields.ts";

interface BridgeOptions {
  readonly token?: string | undefined;
  readonly maxMessageBytes: number;
  /** Checks before each message whether the address still is that of the service. */
  readonly isThere?: (() => Promise<boolean>) | undefined;
  /** By default standard input and output; a test passes its own. */
  readonly input?: ReadableStream<Uint8Array>;
  readonly write?: (line: Uint8Array<ArrayBuffer>) => Promise<unknown>;
}

type Json = Readonly<Record<string, unknown>>;

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/**
 * Passes messages until the input ends; calls that run then are cancelled.
 * @returns `false` when the service has ended before
 */
export async function bridge(url: string, options: BridgeOptions): Promise<boolean> {
  const { input = Deno.stdin.readable, maxMessageBytes } = options;
  const link = new Link(`${url.replace(/\/+$/, "")}/mcp`, options);
  try {
    const passAll = async () => {
      for await (const message of readMessages(input, maxMessageBytes)) link.pass(message);
      return true;
    };
    return await Promise.race([passAll(), link.lost]);
  } finally {
    link.cancelAll();
  }
}

class Link {
  readonly #running = new Map<unknown, AbortController>();
  #written: Promise<unknown> = Promise.resolve();
  /** Of a client that shook hands, which says it only once. */
  #version: string | undefined;
  readonly #lost = Promise.withResolvers<false>();
  /** Resolves when the service has ended, and its client knows. */
  readonly lost = this.#lost.promise;
  /** Messages are sent in their order, whatever the question takes. */
  #isThere = Promise.resolve(true);

  constructor(private readonly endpoint: string, private readonly options: BridgeOptions) {}

  /** Sends a message; what comes back is written as it comes. */
  pass(message: unknown): void {
    if (!isObject(message)) return this.#write(failure(null, -32_600, "Send one object per line"));
    const { id, method, params } = message;
    if (method === "notifications/cancelled" && isObject(params)) {
      return this.#running.get(params["requestId"])?.abort();
    }
    const controller = new AbortController();
    if (id !== undefined) this.#running.set(id, controller);
    this.#send(message, controller.signal)
      .catch((error) => this.#reportFailure(message, error, controller.signal))
      .finally(() => this.#running.delete(id));
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  async #send(message: Json, signal: AbortSignal): Promise<void> {
    const headers = this.#headersFor(message);
    const body = JSON.stringify(message);
    if (!await this.#checkService()) throw new ServiceLost();
    const response = await fetch(this.endpoint, {
      method: "POST",
      headers,
      body,
      signal,
      redirect: "error", // the token is for this address
    });
    const { id, method } = message;
    if (id === undefined) return void await response.body?.cancel();
    for await (const reply of readReplies(response)) {
      const own = reply["id"] === null ? { ...reply, id } : reply;
      if (method === "initialize") this.#noteVersion(own);
      this.#write(own);
    }
  }

  #checkService(): Promise<boolean> {
    const { isThere } = this.options;
    if (isThere !== undefined) {
      this.#isThere = this.#isThere.catch(() => true).then((was) => was && isThere());
    }
    return this.#isThere;
  }

  #headersFor({ method, params }: Json): Headers {
    const { token } = this.options;
    const headers = new Headers({
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    });
    const given = isObject(params) ? params : {};
    const meta = given["_meta"];
    const version = isObject(meta) ? meta[VERSION_KEY] : undefined;
    if (typeof version !== "string") {
      if (this.#version !== undefined) headers.set("mcp-protocol-version", this.#version);
      return headers;
    }
    headers.set("mcp-protocol-version", version);
    headers.set("mcp-method", encodeHeader(nameValue(method)));
    const name = given["name"] ?? given["uri"];
    if (typeof name === "string") headers.set("mcp-name", encodeHeader(name));
    return headers;
  }

  #noteVersion({ result }: Json): void {
    const version = isObject(result) ? result["protocolVersion"] : undefined;
    if (typeof version === "string") this.#version = version;
  }

  #reportFailure({ id }: Json, error: unknown, signal: AbortSignal): void {
    // otherwise nobody waits for it
    if (id !== undefined && !signal.aborted) {
      this.#write(failure(id, -32_603, `Cannot use ${this.endpoint}: ${explain(error)}`));
    }
    if (error instanceof ServiceLost) this.#written.then(() => this.#lost.resolve(false));
  }

  #write(message: Json): void {
    const { write = (bytes) => writeAll(Deno.stdout, bytes) } = this.options;
    const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.#written = this.#written.then(() => write(line)).catch(() => {}); // the client has gone
  }
}

class ServiceLost extends Error {
  override readonly message = 'the service has ended: start "computer-control mcp" again';
}

/** The first cause: `fetch failed` alone says nothing. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : explain(error.cause);
}

function failure(id: unknown, code: number, message: string): Json {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Text that is not plain ASCII goes into a header as base64. */
function encodeHeader(text: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  return `=?base64?${new TextEncoder().encode(text).toBase64()}?=`;
}

const LINE_BREAK = 0x0a;

/**
 * Each line of the input as JSON; `undefined` for one that is none. Ends with the input.
 * @throws Error when a line is longer than `maxBytes`
 */
async function* readMessages(
  input: ReadableStream<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<unknown> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at >= 0; at = chunk.indexOf(LINE_BREAK, from)) {
      pieces.push(chunk.subarray(from, at));
      from = at + 1;
      const text = await new Blob(pieces as Uint8Array<ArrayBuffer>[]).text();
      pieces = [];
      size = 0;
      if (text.trim() !== "") yield tryParseJson(text);
    }
    pieces.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxBytes) throw new Error(`A message is longer than ${maxBytes} bytes`);
  }
}

/**
 * The messages with which a service answers one: one as JSON, or several as an event stream.
 * @throws Error when the answer is no message of the protocol
 */
async function* readReplies(response: Response): AsyncGenerator<Json> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream") && response.body !== null) {
    yield* readEvents(response.body);
    return;
  }
  const message = tryParseJson(await response.text()) as Json | undefined;
  if (message?.["jsonrpc"] !== "2.0") {
    const detail = message?.["detail"];
    throw new Error(`it answered ${response.status}${detail === undefined ? "" : `: ${detail}`}`);
  }
  yield message;
}

/** The data of each event (HTML standard, 9.2.6), which is one message. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Json> {
  const lines = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>);
  let pending = "";
  for await (const text of lines) {
    pending += text;
    const events = pending.split(/\r?\n\r?\n/);
    pending = events.pop()!;
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length).trimStart()).join("\n");
      const message = tryParseJson(data) as Json | undefined;
      if (message !== undefined) yield message;
    }
  }
}
