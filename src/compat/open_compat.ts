/** Opens the interface of another project: an app with its routes, loaded by the first request. */

import { Hono } from "hono";
import type { CompatName } from "../config/flag_values.ts";
import { importModules } from "../core/errors.ts";
import { once } from "../core/shared_run.ts";
import {
  type AnswerOperation,
  type CompatApp,
  type CompatEnv,
  invalid,
  OperationFailure,
  operationsFor,
  readFailure,
  type ServiceAccess,
  type Table,
  withFailures,
} from "./compat.ts";

const TABLES: Readonly<Record<CompatName, () => Promise<Table>>> = {
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
  /** The token that it has sent, where one was asked for. */
  readonly token?: string | undefined;
}

export interface CompatInterface {
  /** Answers a request that has passed all checks. */
  answer(request: Request, client: CompatClient): Promise<Response>;
  /** Words the refusal of a request, which has the service's own form, as the project's server. */
  fail(request: Request, refusal: Response): Promise<Response>;
}

export function openCompat(
  name: CompatName,
  service: Omit<ServiceAccess, "token">,
): CompatInterface {
  const load = once(() => importModules(TABLES[name]));
  const open = once(async () => createApp(name, await load()));
  return {
    async answer(request, client) {
      const app = await open();
      const operations = operationsFor(request, client.answer);
      const { token } = client; // what its scripts do has its rights, and no more
      return await app.fetch(request, {
        operations,
        readJson: () => readObject(client),
        service: { ...service, token },
      });
    },
    fail: async (request, refusal) => (await load()).fail(await readFailure(refusal), request),
  };
}

function createApp(name: CompatName, { addRoutes, fail }: Table): CompatApp {
  const app: CompatApp = new Hono<CompatEnv>();
  app.onError((error, c) => {
    if (!(error instanceof OperationFailure)) throw error;
    return fail(error, c.req.raw);
  });
  app.notFound(({ req }) => {
    const quoted = JSON.stringify(req.path.slice(0, SHOWN_PATH_LENGTH));
    const message = `There is nothing for ${req.method} at ${quoted} in the interface "${name}"`;
    return fail(new OperationFailure(404, "not_found", message), req.raw);
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
  throw invalid("The body should be a JSON object");
}
