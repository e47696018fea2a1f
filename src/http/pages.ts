/** Everything that is not an operation: docs, the OpenAPI document, the redirects to them, and the 404 for the rest. */

import { type Context, Hono } from "hono";
import type { Operation } from "../features/operation.ts";
import { docsAsset, docsPage, favicon } from "./docs.ts";
import { openApiDocuments } from "./openapi.ts";
import { Refusal } from "./refusal.ts";

/** What has been read of the address before. */
export interface PageAddress {
  /** The path of the computer, `/desk-1`, or empty. */
  readonly base: string;
  /** The path below it. */
  readonly path: string;
}

type Env = { Bindings: PageAddress };

const SHOWN_PATH_LENGTH = 200;
const READING = "GET, HEAD";

/** Pages, found by the path below the computer's name. */
export function createPages(operations: readonly Operation[], version: string): Hono<Env> {
  const pages = new Hono<Env>({ getPath: (_request, options) => options?.env?.path ?? "/" });
  page(pages, "/docs", () => docsPage());
  page(pages, "/favicon.ico", () => favicon());
  page(pages, "/docs/:file", (c) => docsAsset(c.req.param("file") ?? ""));
  const documentFor = openApiDocuments(operations, version);
  page(pages, "/openapi.json", async (c) => c.json(await documentFor(c.env.base)));
  for (const path of ["/", "/api", "/api/", "/docs/"]) page(pages, path, toDocs);
  pages.notFound(({ env }) => {
    throw notFound(env.base + env.path);
  });
  pages.onError((error) => {
    throw error;
  });
  return pages;
}

function page(
  pages: Hono<Env>,
  path: string,
  show: (context: Context<Env>) => Response | Promise<Response>,
): void {
  pages.get(path, show);
  pages.all(path, ({ req }) => {
    throw new Refusal("method_not_allowed", `This path takes GET, not ${req.method}`, {
      allow: READING,
    });
  });
}

function toDocs(context: Context<Env>): Response {
  return context.redirect(`${context.env.base}/docs`);
}

function notFound(path: string): Refusal {
  const shown = JSON.stringify(path.slice(0, SHOWN_PATH_LENGTH));
  return new Refusal("not_found", `There is nothing at ${shown}: "/docs" lists all operations`);
}
