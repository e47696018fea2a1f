/**
 * OpenTelemetry: what Deno traces by itself (`OTEL_DENO=true`) gets the names of operations, and each
 * operation within another one a span of its own. Loaded only where Deno traces. No span has an
 * address, a name of a file or what is typed.
 */

import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { ServiceError } from "../../core/errors.ts";
import { callName, type NamedOperation } from "../call_names.ts";

const TRACER = "computer-control";
/** What of the context of a span others may send, and are given. */
const CARRIED = ["traceparent", "tracestate"];
/** How the paths of the tools of MCP begin: their spans are those of {@link Spans.runTool}. */
const TOOL_PATH = "/mcp/";
const MAX_ID_LENGTH = 64;

/** A call of a tool of MCP. */
export interface ToolCall {
  readonly tool: string;
  readonly id: string | number;
  /** The `_meta` of the request, which may say of which span it is a part. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly transport: "tcp" | "pipe";
}

export class Spans {
  readonly #tracer;

  constructor(version: string) {
    this.#tracer = trace.getTracer(TRACER, version);
  }

  /** Names the span of the request that is answered now. */
  nameRequest({ id, path }: NamedOperation, method: string): void {
    const span = trace.getActiveSpan();
    span?.updateName(`${method} ${path}`);
    span?.setAttribute("http.route", path);
    span?.setAttribute("computer_control.operation", id);
  }

  /** Says why the request that is answered now has failed. */
  failRequest(error: unknown): void {
    const span = trace.getActiveSpan();
    if (span === undefined) return;
    const isOurs = !(error instanceof ServiceError) || error.status >= 500;
    span.setAttribute("error.type", errorType(error));
    if (isOurs) span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Runs an operation that is called by name. */
  async run<T>(operation: NamedOperation, run: () => Promise<T>): Promise<T> {
    if (operation.path.startsWith(TOOL_PATH)) return await run();
    const attributes = { "computer_control.operation": operation.id };
    return await this.#tracer.startActiveSpan(
      callName(operation),
      { attributes },
      (span) => ended(span, run),
    );
  }

  /** Runs a tool, as the conventions for the Model Context Protocol name it. */
  async runTool<T extends { readonly isError?: unknown }>(
    { tool, id, meta = {}, transport }: ToolCall,
    run: () => Promise<T>,
  ): Promise<T> {
    const isPart = typeof meta["traceparent"] === "string";
    const around = context.active();
    const request = trace.getSpan(around);
    const options = {
      kind: SpanKind.SERVER,
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "jsonrpc.request.id": String(id).slice(0, MAX_ID_LENGTH),
        "network.transport": transport,
      },
      links: isPart && request !== undefined ? [{ context: request.spanContext() }] : [],
    };
    const parent = isPart ? propagation.extract(around, carriedBy(meta)) : around;
    return await this.#tracer.startActiveSpan(
      `tools/call ${tool}`,
      options,
      parent,
      (span) =>
        ended(span, async () => {
          const result = await run();
          if (result.isError === true) fail(span, "tool_error");
          return result;
        }),
    );
  }

  /** By which a program that is started now continues the trace. */
  environment(): Readonly<Record<string, string>> {
    const carrier: Record<string, string> = {};
    propagation.inject(context.active(), carrier);
    const entries = Object.entries(carriedBy(carrier));
    return Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]));
  }
}

async function ended<T>(span: Span, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    fail(span, errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The code of an error of the service, else its class; never its message. */
function errorType(error: unknown): string {
  if (error instanceof ServiceError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

function carriedBy(from: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = CARRIED.map((name) => [name, from[name]]);
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "string"));
}

/** What Deno says of each request and each `fetch`: paths, queries. */
const ADDRESS = /^url\./;

/**
 * Keeps addresses and messages of errors out of all spans, those that Deno makes included: an address
 * has names of files, or is secret itself. What was set could not be replaced later. Call it before
 * the first request.
 * @throws Error where this version of Deno does not permit it
 */
export function hideAddresses(): void {
  const span: Span = trace.getTracer(TRACER).startSpan("start");
  const prototype: Span = Object.getPrototypeOf(span);
  const { setAttribute, setStatus } = prototype;
  if (!Object.hasOwn(prototype, "setAttribute") || Object.isFrozen(prototype)) {
    throw new Error("This version of Deno puts addresses into spans: unset OTEL_DENO");
  }
  prototype.setAttribute = function (this: Span, name, value) {
    return ADDRESS.test(name) ? this : setAttribute.call(this, name, value);
  };
  prototype.setAttributes = function (this: Span, attributes) {
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, value!);
    return this;
  };
  prototype.setStatus = function (this: Span, { code }) {
    return setStatus.call(this, { code });
  };
  prototype.recordException = () => {};
}
