/** Makes each operation a route: reads the body and fields, calls the handler, and answers. */

import { type ServiceError, ValueFault } from "../core/errors.ts";
import { findSwitch } from "../features/switched_off.ts";
import { reportUndeclared } from "../features/call/undeclared.ts";
import type { Operation } from "../features/operation.ts";
import { redactError } from "../features/secrets/redact_texts.ts";
import { Streamed } from "../features/streamed.ts";
import { readQuery } from "./address.ts";
import { answerWith, emptyResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import type { Caller } from "./connections/caller.ts";
import { RequestContext, type Shared } from "./context.ts";
import type { HttpApp, HttpHandler, Middleware } from "./env.ts";
import { describeIgnored } from "./ignored_fields.ts";
import { inputReader, locateInRequest, readInput } from "./input.ts";
import { notFound } from "./pages.ts";
import { Refusal } from "./refusal.ts";

/** nginx's status for a client that closed the connection; no client receives it. */
const CLIENT_CLOSED = 499;

export function addOperations(
  app: HttpApp,
  operations: readonly Operation[],
  shared: Shared,
): void {
  for (const [path, group] of Map.groupBy(operations, ({ path }) => path)) {
    const route = routePath(path);
    if (group.some(({ unnamed }) => unnamed)) app.use(route, withoutName);
    for (const operation of group) {
      app.on(operation.method, route, createHandler(operation, shared));
    }
    app.all(route, refuseMethod(group, shared));
  }
}

/** `{pid}` is one segment; a final `{path}` is the rest of the path, including slashes. */
function routePath(path: string): string {
  return path.replace(/\{path\}$/, ":path{.+}").replaceAll(/\{(\w+)\}/g, ":$1");
}

function createHandler(operation: Operation, shared: Shared): HttpHandler {
  if (operation.method === "POST" && operation.body === undefined) {
    throw new TypeError(`Operation "${operation.id}" is a POST without a body schema`);
  }
  const refusal = findSwitch(operation, shared.config);
  if (refusal !== undefined) return refuse(refusal);
  const reader = inputReader(operation, shared.config.ignoreUnknownFields);
  const { maxBodyBytes } = shared.config.limits;
  return async (c) => {
    const { req } = c;
    const caller: Caller | undefined = c.env;
    caller?.admit?.(operation);
    const body = operation.body && await readJsonBody(req.raw, maxBodyBytes, caller);
    const { fields, ignored } = readInput(reader, {
      body,
      query: readQuery(req.url),
      path: operation.params && { sent: req.path, parameters: req.param() },
    });
    if (ignored.length > 0) c.set("ignored", describeIgnored(ignored));
    if (operation.large && await caller?.reserve?.() === false) return emptyResponse(CLIENT_CLOSED);
    const context = new RequestContext(shared, req.raw, caller);
    return await answer(operation, context, fields);
  };
}

async function answer(
  operation: Operation,
  context: RequestContext,
  input: unknown,
): Promise<Response> {
  let streaming = false;
  try {
    context.session.recordings.note(operation, input);
    const result = await operation.run(context, input);
    if (result instanceof Streamed) {
      streaming = true; // the client is watched until the last byte is generated
      result.ended.then(() => context.finish());
    }
    return answerWith(result, operation.answer);
  } catch (error) {
    if (context.clientGone) return emptyResponse(CLIENT_CLOSED);
    reportUndeclared(operation, error, context.log);
    const shown = await redactError(context, error);
    if (shown instanceof ValueFault) throw locateInRequest(operation, shown);
    // Hono passes only instances of Error to its error handler
    throw shown instanceof Error ? shown : new Error(`thrown: ${typeof shown}`);
  } finally {
    if (!streaming) context.finish();
  }
}

function refuse(refusal: ServiceError): HttpHandler {
  return () => {
    throw refusal;
  };
}

function refuseMethod(group: readonly Operation[], { config }: Shared): HttpHandler {
  const methods = group.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method]);
  const allow = methods.join(", ");
  const refusal = group.map((operation) => findSwitch(operation, config))
    .find((found) => found !== undefined);
  return ({ req }) => {
    throw refusal ??
      new Refusal("method_not_allowed", `This path takes ${allow}, not ${req.method}`, { allow });
  };
}

const withoutName: Middleware = (c, next) => {
  if (c.get("base") !== undefined) throw notFound(c);
  return next();
};
