/**
 * Routes for everything that is not an operation: docs, the OpenAPI document, redirects to them,
 * and the 404 for the rest.
 */

import type { Config } from "../config/config.ts";
import type { Operation } from "../features/operation.ts";
import { readPath } from "./address.ts";
import { docsAsset, docsPage, favicon } from "./docs.ts";
import type { HttpApp, HttpContext, HttpHandler } from "./env.ts";
import { openApiDocuments } from "./openapi/document.ts";
import { Refusal } from "./refusal.ts";

const SHOWN_PATH_LENGTH = 200;
const READING = "GET, HEAD";

export function addPages(app: HttpApp, operations: readonly Operation[], config: Config): void {
  const { version, ignoreUnknownFields: ignoresUnknown } = config;
  const documentFor = openApiDocuments(operations, { version, ignoresUnknown });
  const pages: Readonly<Record<string, HttpHandler>> = {
    "/docs": () => docsPage(),
    "/docs/:file": (c) => docsAsset(c.req.param("file") ?? ""),
    "/favicon.ico": () => favicon(),
    "/openapi.json": async (c) => c.json(await documentFor(c.get("base") ?? "")),
    "/": toDocs,
    "/api": toDocs,
    "/api/": toDocs,
    "/docs/": toDocs,
  };
  for (const [path, show] of Object.entries(pages)) app.get(path, show).all(path, refuseMethod);
  app.notFound((c) => {
    throw notFound(c);
  });
}

/** The 404 for an unknown address. */
export function notFound(c: HttpContext): Refusal {
  const shown = JSON.stringify(readPath(c.req.url).slice(0, SHOWN_PATH_LENGTH));
  return new Refusal("not_found", `There is nothing at ${shown}: "/docs" lists all operations`);
}

function toDocs(c: HttpContext): Response {
  return c.redirect(`${c.get("base") ?? ""}/docs`);
}

function refuseMethod({ req }: HttpContext): never {
  throw new Refusal("method_not_allowed", `This path takes GET, not ${req.method}`, {
    allow: READING,
  });
}
