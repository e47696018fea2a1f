/**
 * `/console`: the files of the page, the tickets that open its socket, and the socket. The console
 * itself is loaded by the first request.
 */

import { importModules, InputError } from "../core/errors.ts";
import { once } from "../core/shared_run.ts";
import { type Actor, ANYONE } from "../features/actor.ts";
import type { OperationSource } from "../features/call/callables.ts";
import type { Operation } from "../features/operation.ts";
import { readQuery } from "./address.ts";
import { jsonResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import type { ServerSocket } from "./connections/server_socket.ts";
import { openWebSocket } from "./connections/web_sockets.ts";
import type { HttpApp, HttpHandler, Incoming, Shared } from "./context.ts";
import { PAGE_HEADERS, READING, refuseMethod } from "./docs.ts";
import { CONSOLE_TARGET, SOCKET_PATH, TICKET_PATH } from "./guard.ts";
import { isFromOwnPage, Refusal } from "./origins.ts";
import type { Tickets } from "./tokens/tickets.ts";

/** By it the requests of an open page are those of the person before it. */
const PAGE_HEADER = "x-console-page";

const MAX_BODY_BYTES = 8_192;
const PAGE_KEY = /^[\w-]{16,64}$/;

/** What an open console is to this layer. */
export interface ConsoleEndpoint {
  /** Who is before a page, by the token of the page and a key that the page has made up. */
  personOf(actor: Actor, page: string): Actor;
  /** @throws ServiceError `forbidden` when no such page is open */
  requirePerson(actor: Actor, page: string): Actor;
  /** @throws ServiceError `unavailable` when too many pages are open */
  checkRoom(person: Actor): void;
  connect(socket: ServerSocket, person: Actor): void;
}

/** What is loaded only when somebody asks for it. */
export interface ConsoleModules {
  open(source: OperationSource): Promise<ConsoleEndpoint>;
  /** A file of the page by its name; the page itself is "". */
  readFile(
    name: string,
  ): Promise<{ readonly mediaType: string; readonly text: string } | undefined>;
}

interface ConsoleRouteParts {
  readonly modules: ConsoleModules;
  readonly operations: () => Promise<readonly Operation[]>;
  readonly shared: Shared;
  readonly tickets: Tickets;
}

/** The routes of the console, and who sends a request. */
export class ConsoleRoute {
  #endpoint: ConsoleEndpoint | undefined;
  readonly #open = once(async () => {
    const { modules, operations, shared } = this.parts;
    const loaded = await operations();
    return this.#endpoint = await importModules(() =>
      modules.open({ services: shared, operations: loaded })
    );
  });

  constructor(private readonly parts: ConsoleRouteParts) {}

  /**
   * Makes a request of an open page one of the person before it.
   * @throws ServiceError `forbidden` when the page it names is not open
   */
  recognise({ headers }: Request, incoming: Incoming): void {
    const page = this.#endpoint && headers.get(PAGE_HEADER);
    if (typeof page !== "string") return;
    incoming.actor = this.#endpoint!.requirePerson(incoming.actor ?? ANYONE, page);
  }

  addTo(app: HttpApp): void {
    const file: HttpHandler = async ({ req }) => {
      const { modules } = this.parts;
      const found = await importModules(() => modules.readFile(req.param("file") ?? ""));
      if (found === undefined) throw new Refusal("not_found", "The console has no such file");
      const headers = { "content-type": found.mediaType, "cache-control": "no-cache" };
      return new Response(found.text, { headers: { ...PAGE_HEADERS, ...headers } });
    };
    app.get(SOCKET_PATH, async ({ req, env }) => await this.#connect(req.raw, env));
    app.post(TICKET_PATH, async ({ req, env }) => await this.#giveTicket(req.raw, env));
    app.all(TICKET_PATH, refuseMethod("POST"));
    for (const path of ["/console", "/console/:file"]) {
      app.get(path, file).all(path, refuseMethod(READING));
    }
    app.get("/console/", ({ env, redirect }) => redirect(`${env.base ?? ""}/console`));
  }

  async #giveTicket(request: Request, { actor = ANYONE, caller }: Incoming): Promise<Response> {
    if (!isFromOwnPage(request.headers, request.headers.get("host") ?? "")) {
      throw new Refusal("forbidden", "Only the console's own page gets a ticket");
    }
    if (actor.desk !== undefined) {
      throw new Refusal(
        "forbidden",
        `The console is not for a token of one desk ("${actor.desk}")`,
      );
    }
    const { page } = await readJsonBody(request, MAX_BODY_BYTES, caller) as { page?: unknown };
    if (typeof page !== "string" || !PAGE_KEY.test(page)) {
      const msg = "Input should be 16 to 64 letters, digits, _ or -";
      throw new InputError([{ loc: ["body", "page"], msg, type: "value_error" }]);
    }
    const endpoint = await this.#open();
    const person = endpoint.personOf(actor, page);
    endpoint.checkRoom(person);
    const ticket = this.parts.tickets.issue(person, CONSOLE_TARGET);
    return jsonResponse({ ticket }, 200, { "cache-control": "no-store" });
  }

  async #connect(request: Request, { actor }: Incoming): Promise<Response> {
    const target = new URLSearchParams(readQuery(request.url)).get("target");
    if (target !== null && target !== CONSOLE_TARGET) {
      throw new Refusal("not_found", "There is no such socket");
    }
    if (actor === undefined) throw new TypeError("A socket was opened without a ticket");
    const endpoint = await this.#open();
    endpoint.checkRoom(actor);
    const { socket, response } = openWebSocket(request);
    endpoint.connect(socket, actor);
    return response;
  }
}
