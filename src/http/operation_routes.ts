/** Makes each operation a route: reads the body and fields, calls the handler, and answers. */

import { FieldError, type ServiceError } from "../core/errors.ts";
import { reportUndeclared } from "../features/call/unknown_fields.ts";
import { Control } from "../features/control/control.ts";
import type { Passage } from "../features/control/passage.ts";
import type { Operation } from "../features/operation.ts";
import { redactError } from "../features/secrets/redact_texts.ts";
import { Streamed } from "../features/streamed.ts";
import { findSwitch } from "../features/switched_off.ts";
import { readQuery } from "./address.ts";
import { answerWith, emptyResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import { findSending, type Sending } from "./connections/long_answers.ts";
import { RequestContext, type Shared } from "./context.ts";
import { notFound, READING, refuseMethod } from "./docs.ts";
import type { HttpApp, HttpHandler, Incoming } from "./env.ts";
import { describeIgnored, inputReader, locateInRequest, readInput } from "./input.ts";
import { CLIENT_CLOSED } from "./other_interface.ts";

export function addOperations(
  app: HttpApp,
  operations: readonly Operation[],
  shared: Shared,
): void {
  for (const [path, group] of Map.groupBy(operations, ({ path }) => path)) {
    const handlers = new Map<string, HttpHandler>(
      group.map((operation) => [operation.method, createHandler(operation, shared)]),
    );
    const others = refuseOthers(group, shared);
    const isUnnamed = group.some(({ unnamed }) => unnamed);
    app.all(routePath(path), (c, next) => {
      if (isUnnamed && c.env.base !== undefined) throw notFound(c);
      const { method } = c.req;
      return (handlers.get(method === "HEAD" ? "GET" : method) ?? others)(c, next);
    });
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
  return async ({ req, env }) => {
    const { caller } = env;
    caller?.admit?.(operation);
    const maxBytes = env.maxBodyBytes ?? maxBodyBytes;
    const body = operation.body && await readJsonBody(req.raw, maxBytes, caller);
    const { fields, ignored } = readInput(reader, {
      body,
      query: readQuery(req.url),
      path: operation.params && { sent: req.path, parameters: req.param() },
    });
    if (ignored.length > 0) env.ignored = describeIgnored(ignored);
    if (operation.large && await caller?.reserve?.() === false) return emptyResponse(CLIENT_CLOSED);
    const context = new RequestContext(shared, req.raw, env);
    return await answer(operation, { context, incoming: env, input: fields });
  };
}

async function answer(
  operation: Operation,
  { context, incoming, input }: {
    readonly context: RequestContext;
    readonly incoming: Incoming;
    readonly input: unknown;
  },
): Promise<Response> {
  let streaming = false;
  let sending: Sending | undefined;
  let passage: Passage | undefined;
  const noteEnd = context.session.noteCall?.(operation, input, context.actor);
  try {
    const control = context.session.use(Control);
    const entering = control.enter(operation, context, input);
    passage = entering instanceof Promise ? await entering : entering;
    context.begin(passage);
    incoming.notice = control.takeNotice(operation, context.actor);
    context.session.noteOperation?.(operation, input);
    const result = await operation.run(context, input);
    passage.check();
    noteEnd?.();
    if (result instanceof Streamed) {
      streaming = true; // the client is watched until the last byte is generated
      result.ended.then(() => context.finish());
    }
    const response = answerWith(result, operation.answer);
    sending = findSending(response);
    if (sending !== undefined) passage.onOver(sending.stop);
    return response;
  } catch (error) {
    noteEnd?.(passage?.over ?? error);
    passage?.check();
    if (context.clientGone) return emptyResponse(CLIENT_CLOSED);
    if (passage === undefined) throw error; // it has not entered
    reportUndeclared(operation, error, context.log);
    const redacted = await redactError(context, error);
    passage.check();
    if (redacted instanceof FieldError) throw locateInRequest(operation, redacted);
    // a handler may throw anything
    throw redacted instanceof Error ? redacted : new Error(`thrown: ${typeof redacted}`);
  } finally {
    if (!streaming) context.finish();
    if (sending === undefined) passage?.[Symbol.dispose]();
    else sending.ended.then(() => passage?.[Symbol.dispose]());
  }
}

function refuse(refusal: ServiceError): HttpHandler {
  return () => {
    throw refusal;
  };
}

function refuseOthers(group: readonly Operation[], { config }: Shared): HttpHandler {
  const refusal = group.map((operation) => findSwitch(operation, config))
    .find((found) => found !== undefined);
  if (refusal !== undefined) return refuse(refusal);
  const methods = group.map(({ method }) => method === "GET" ? READING : method);
  return refuseMethod(methods.join(", "));
}
