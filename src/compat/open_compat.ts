/** Opens the interface of another project: an app with its routes, loaded by the first request. */

import { Hono } from "hono";
import type { CompatName } from "../config/flag_values.ts";
import { importModules } from "../core/errors.ts";
import { once } from "../core/shared_run.ts";
import {
  type AnswerOperation,
  type CompatApp,
  type CompatEnv,
  OperationFailure,
  operationsFor,
  type ServiceAccess,
  withFailures,
} from "./compat.ts";

type Table = () => Promise<{ readonly addRoutes: (app: CompatApp) => void }>;

const TABLES: Readonly<Record<CompatName, Table>> = {
  osworld: () => import("./osworld.ts"),
  cua: () => import("./cua.ts"),
  "agent-sandbox": () => import("./agent_sandbox.ts"),
};

const SHOWN_PATH_LENGTH = 200;

/** What a route may use of the service, for the client of its request. */
export interface CompatClient {
  readonly answer: AnswerOperation;
  /** The value of the JSON body. @throws ServiceError */
  readJson(): Promise<unknown>;
}

/** Answers the requests to an interface, which have passed all checks. */
export type AnswerCompat = (request: Request, client: CompatClient) => Promise<Response>;

export function openCompat(name: CompatName, service: ServiceAccess): AnswerCompat {
  const open = once(async () => createApp(name, (await importModules(TABLES[name])).addRoutes));
  return async (request, client) => {
    const app = await open();
    const operations = operationsFor(request, client.answer);
    const readJson = () => readObject(client);
    return await app.fetch(request, { operations, readJson, service });
  };
}

/** The table may replace the forms of errors by those of its project. */
function createApp(name: CompatName, addRoutes: (app: CompatApp) => void): CompatApp {
  const app: CompatApp = new Hono<CompatEnv>();
  app.onError((error, c) => {
    if (!(error instanceof OperationFailure)) throw error;
    return c.json({ detail: error.message, code: error.code }, error.status as 400);
  });
  app.notFound((c) => {
    const quoted = JSON.stringify(c.req.path.slice(0, SHOWN_PATH_LENGTH));
    const detail = `There is nothing for ${c.req.method} at ${quoted} in the interface "${name}"`;
    return c.json({ detail, code: "not_found" }, 404);
  });
  // Hono asks by GET, and drops the body of the answer
  app.get("*", async (c, next) => {
    await next();
    if (c.req.method === "HEAD") await c.res.body?.cancel();
  });
  addRoutes(app);
  return app;
}

async function readObject(client: CompatClient): Promise<Record<string, unknown>> {
  const value = await withFailures(() => client.readJson());
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new OperationFailure(422, "invalid", "The body should be a JSON object");
}
