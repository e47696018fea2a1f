/**
 * `/mcp`: reads the body of a request within the service's limits, and hands it to the endpoint of
 * the Model Context Protocol, which is opened by the first request.
 */

import { importModules, InputError } from "../core/errors.ts";
import { once } from "../core/shared_run.ts";
import type { OperationSource, ReadRequest } from "../features/call/callables.ts";
import { Figures, MCP_REQUEST } from "../features/figures.ts";
import type { Operation } from "../features/operation.ts";
import { jsonResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import type { Caller } from "./connections/connections.ts";
import { bytesInPieces, findSending, streamedResponse } from "./connections/long_answers.ts";
import { type HttpApp, RequestContext, type Shared } from "./context.ts";
import { refuseMethod } from "./docs.ts";

/** Opens what answers the requests to `/mcp`; what it needs is loaded only then. */
export type OpenMcp = (
  source: OperationSource,
) => Promise<{ answer(request: ReadRequest): Promise<Response> }>;

const PATH = "/mcp";

export interface McpRouteParts {
  readonly open: OpenMcp;
  readonly operations: () => Promise<readonly Operation[]>;
  readonly shared: Shared;
}

export function addMcp(app: HttpApp, { open, operations, shared }: McpRouteParts): void {
  const endpoint = once(async () => {
    const loaded = await operations();
    return await importModules(() => open({ services: shared, operations: loaded }));
  });
  const timings = Figures.of(shared.session.use(Figures).requests, MCP_REQUEST);
  app.post(PATH, async ({ req, env }) => {
    env.timings = timings;
    const { caller } = env;
    caller?.admit?.({});
    const { maxBodyBytes } = shared.config.limits;
    const read = await readBody(req.raw, maxBodyBytes, caller);
    if (read instanceof Response) return read;
    const { answer } = await endpoint();
    const context = new RequestContext(shared, req.raw, env);
    const admit = (traits: { readonly long: boolean }) => caller?.admit?.(traits);
    return await watched(
      context,
      (signal) => {
        const { actor, requestId } = context;
        return answer({ request: req.raw, body: read.body, actor, requestId, signal, admit });
      },
    );
  });
  app.all(PATH, refuseMethod("POST"));
}

/** The parsed body, or the answer to one that is no JSON: JSON-RPC has a form of its own. */
async function readBody(
  request: Request,
  maxBytes: number,
  caller: Caller | undefined,
): Promise<{ readonly body: unknown } | Response> {
  try {
    return { body: await readJsonBody(request, maxBytes, caller) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const isMediaType = error.errors.some(({ type }) => type === "content_type");
    const failed = { code: -32_700, message: `Parse error: ${error.message}` };
    return jsonResponse({ jsonrpc: "2.0", id: null, error: failed }, isMediaType ? 415 : 400);
  }
}

/** Follows the client until the last byte of the answer has been made. */
async function watched(
  context: RequestContext,
  answer: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  let isStreaming = false;
  try {
    const response = await answer(context.signal);
    const { body, status, headers } = response;
    if (body === null) return response;
    if (headers.get("content-type")?.startsWith("text/event-stream")) {
      isStreaming = true;
      const streamed = streamedResponse(body, { status, headers });
      findSending(streamed)!.ended.then(() => context.finish());
      return streamed;
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    return bytesInPieces(bytes, { status, headers });
  } finally {
    if (!isStreaming) context.finish();
  }
}
