/** Performs one operation for one request: body, fields, call, answer. */

import { ValueFault } from "../core/errors.ts";
import { Streamed } from "../features/streamed.ts";
import { answerWith, emptyResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import type { Caller } from "./connections/caller.ts";
import { RequestContext, type Shared } from "./context.ts";
import { locateFault, readBodyFields, readFields } from "./input.ts";
import type { Match, Route } from "./routes.ts";

/** One request, as far as it has been understood. */
export interface Call {
  readonly request: Request;
  readonly caller: Caller | undefined;
  readonly requestId: string;
  readonly route: Route;
  readonly parameters: Match["parameters"];
  readonly query: string;
}

/** nginx's word for a client that closed the connection; nobody reads this answer. */
const CLIENT_CLOSED = 499;

export async function perform(shared: Shared, call: Call): Promise<Response> {
  const { request, requestId, route } = call;
  const { operation } = route;
  const body = route.takesBody
    ? await readJsonBody(request, shared.config.limits.maxBodyBytes, call.caller)
    : undefined;
  const input = route.bodyOnly
    ? readBodyFields(operation, body)
    : readFields(route, { body, query: call.query, path: call.parameters });
  const context = new RequestContext(shared, request, call.caller);
  let streaming = false;
  try {
    const result = operation.run(context, input);
    const value = result instanceof Promise ? await result : result;
    if (value instanceof Streamed) {
      streaming = true; // the client is watched until the last byte has been made
      value.ended.then(() => context.finish());
    }
    return answerWith(value, operation.answer, requestId);
  } catch (error) {
    if (context.clientGone) return emptyResponse(CLIENT_CLOSED, requestId);
    throw error instanceof ValueFault ? locateFault(operation, error) : error;
  } finally {
    if (!streaming) context.finish();
  }
}
