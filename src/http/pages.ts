/**
 * Routes for everything that is not an operation: docs, the OpenAPI document, redirects to them,
 * and the 404 for the rest.
 */

import type { Config } from "../config/config.ts";
import { callName, nearestNames } from "../features/call/call_names.ts";
import type { Operation } from "../features/operation.ts";
import { readPath } from "./address.ts";
import { docsAsset, docsPage, favicon } from "./docs.ts";
import type { HttpApp, HttpContext, HttpHandler } from "./env.ts";
import { openApiDocuments } from "./openapi/document.ts";
import { Refusal } from "./refusal.ts";

const SHOWN_PATH_LENGTH = 200;
/** Comparing takes time for every character. */
const COMPARED_PATH_LENGTH = 60;
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
  const paths = new Map(operations.map((each) => [callName(each), each]));
  app.notFound((c) => {
    throw notFound(c, nearestAddress(c, paths));
  });
}

/** The 404 for an unknown address. */
export function notFound(c: HttpContext, hint = ""): Refusal {
  const shown = JSON.stringify(readPath(c.req.url).slice(0, SHOWN_PATH_LENGTH));
  const message = `There is nothing at ${shown}: ${hint}"/docs" lists all operations`;
  return new Refusal("not_found", message);
}

/** Asks for the most similar operation, as `did you mean "POST /api/mouse/click"? `. */
function nearestAddress({ req }: HttpContext, known: ReadonlyMap<string, Operation>): string {
  const named = [readPath(req.url), req.path].map((path) =>
    path.slice(0, COMPARED_PATH_LENGTH).replace(/^\/(?:api\/)?/, "").replaceAll("_", "-")
      .replaceAll("/", ".")
  );
  const [name] = named.flatMap((each) => nearestNames(each, [...known.keys()]));
  const nearest = name === undefined ? undefined : known.get(name);
  return nearest === undefined ? "" : `did you mean "${nearest.method} ${nearest.path}"? `;
}

function toDocs(c: HttpContext): Response {
  return c.redirect(`${c.get("base") ?? ""}/docs`);
}

function refuseMethod({ req }: HttpContext): never {
  throw new Refusal("method_not_allowed", `This path takes GET, not ${req.method}`, {
    allow: READING,
  });
}
