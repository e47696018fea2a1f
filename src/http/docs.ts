/**
 * The interactive documentation: Swagger UI from files inside the program, so that it works without
 * a network.
 */

import type { Config } from "../config/config.ts";
import { pause } from "../core/deadline.ts";
import { importModules } from "../core/errors.ts";
import { once } from "../core/shared_run.ts";
import { callName, nearestNames } from "../features/call_names.ts";
import type { Operation } from "../features/operation.ts";
import { readPath } from "./address.ts";
import type { HttpApp, HttpContext, HttpHandler } from "./context.ts";
import { Refusal } from "./origins.ts";

/** Allows no external resources, no inline scripts and no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Every page and file of a page has them. */
export const PAGE_HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

export const HTML_HEADERS = { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" };

/** Uses relative links, so that the page works under every computer's name. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Computer Control Service</title>
<link rel="icon" href="favicon.ico">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const START = `function dropToken() { // of somebody who is signed in already
  if (location.hash.startsWith("#token=")) history.replaceState(null, "", location.pathname);
}
addEventListener("hashchange", dropToken);
dropToken();
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

/**
 * A file of the page, loaded on first use.
 * @throws Refusal `not_found`
 */
async function docsAsset(file: string): Promise<Response> {
  const asset = ASSETS.get(file);
  if (asset === undefined) {
    throw new Refusal("not_found", "There is no such file in the documentation");
  }
  return keptFile(await asset.text(), asset.mediaType);
}

/** The favicon, which browsers request from every address. */
async function favicon(): Promise<Response> {
  const { default: bytes } = await import("./favicon.ico", { with: { type: "bytes" } });
  return keptFile(bytes, "image/vnd.microsoft.icon");
}

/** An answer that browsers keep for an hour. */
function keptFile(content: BodyInit, mediaType: string): Response {
  const headers = { "content-type": mediaType, "cache-control": "max-age=3600" };
  return new Response(content, { headers: { ...PAGE_HEADERS, ...headers } });
}

interface Asset {
  readonly mediaType: string;
  text(): string | Promise<string>;
}

const ASSETS: ReadonlyMap<string, Asset> = new Map(Object.entries<Asset>({
  "swagger-ui-bundle.js": {
    mediaType: "text/javascript; charset=utf-8",
    text: async () =>
      (await import("swagger-ui-dist/swagger-ui-bundle.js", { with: { type: "text" } })).default,
  },
  "swagger-ui.css": {
    mediaType: "text/css; charset=utf-8",
    text: async () =>
      (await import("swagger-ui-dist/swagger-ui.css", { with: { type: "text" } })).default,
  },
  "start.js": { mediaType: "text/javascript; charset=utf-8", text: () => START },
}));

// Routes for everything that is not an operation: docs, the OpenAPI document, redirects to them,
// and the 404 for the rest.

const SHOWN_PATH_LENGTH = 200;
/** Comparing takes time for every character. */
const COMPARED_PATH_LENGTH = 60;
export const READING = "GET, HEAD";

type LoadOperations = () => Promise<readonly Operation[]>;

export function addPages(app: HttpApp, operations: LoadOperations, config: Config): void {
  const documents = once(async () => {
    const loaded = await operations(); // first, because its schemas are theirs
    await pause(0); // what is loaded at once would hold up others
    const { openApiDocuments } = await importModules(() => import("./openapi/document.ts"));
    await pause(0);
    const { version, ignoreUnknownFields: ignoresUnknown } = config;
    return openApiDocuments(loaded, { version, ignoresUnknown });
  });
  const pages: Readonly<Record<string, HttpHandler>> = {
    "/docs": () => new Response(PAGE, { headers: HTML_HEADERS }),
    "/docs/:file": (c) => docsAsset(c.req.param("file") ?? ""),
    "/favicon.ico": () => favicon(),
    "/openapi.json": async (c) => c.json(await (await documents())(c.env.base ?? "")),
    "/": toDocs,
    "/api": toDocs,
    "/api/": toDocs,
    "/docs/": toDocs,
  };
  const refuse = refuseMethod(READING);
  for (const [path, show] of Object.entries(pages)) app.get(path, show).all(path, refuse);
}

/** The 404 of an app, which names the operation that may be meant. */
export function addNotFound(app: HttpApp, operations: LoadOperations): void {
  app.notFound(async (c) => {
    const known = new Map((await operations()).map((each) => [callName(each), each]));
    throw notFound(c, nearestAddress(c, known));
  });
}

/** The 404 for an unknown address. */
export function notFound(c: HttpContext, hint = ""): Refusal {
  const quoted = JSON.stringify(readPath(c.req.url).slice(0, SHOWN_PATH_LENGTH));
  const message = `There is nothing at ${quoted}: ${hint}"/docs" lists all operations`;
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
  return c.redirect(`${c.env.base ?? ""}/docs`);
}

/** @param allow the methods that a path takes, as the header has them */
export function refuseMethod(allow: string): HttpHandler {
  return ({ req }) => {
    const message = `This path takes ${allow}, not ${req.method}`;
    throw new Refusal("method_not_allowed", message, { allow });
  };
}
