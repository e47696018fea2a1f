/** How requests reach the service. */

import { ComputerControlError, readError } from "./errors.ts";

/** Where the service is. */
export interface ConnectOptions {
  /**
   * Default: `COMPUTER_CONTROL_URL`, else `http://127.0.0.1:4242`. It may end with the name of the
   * computer: `http://127.0.0.1:4242/desk-1`.
   */
  readonly url?: string | undefined;
  /** What the service asks for. Default, where no `url` is given: `COMPUTER_CONTROL_TOKEN`. */
  readonly token?: string | undefined;
  /** Takes the place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  /** Ends the call: the service stops what it does and releases what it had pressed. */
  readonly signal?: AbortSignal | null | undefined;
  /**
   * Any text that no other call has, such as a UUID. A call that is repeated with its key within ten
   * minutes gets the first answer, and does nothing.
   */
  readonly idempotencyKey?: string | undefined;
}

export type Method = "GET" | "POST" | "DELETE";

/** The fields of an operation: those of its path, its query and its body in one object. */
export type Fields = Readonly<Record<string, unknown>>;

const DEFAULT_URL = "http://127.0.0.1:4242";

export class Connection {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof fetch;

  constructor({ url, token, fetch: ownFetch }: ConnectOptions = {}) {
    const address = url ?? readVariable("COMPUTER_CONTROL_URL") ?? DEFAULT_URL;
    const secret = token ??
      (url === undefined ? readVariable("COMPUTER_CONTROL_TOKEN") : undefined);
    this.#base = new URL(address).href.replace(/\/+$/, "");
    this.#headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    this.#fetch = ownFetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /**
   * The answer of an operation.
   * @throws ComputerControlError when the service refuses, fails or does not answer; the signal's
   * reason when the signal ends the call.
   */
  async request(
    method: Method,
    path: string,
    fields: object,
    { signal, idempotencyKey }: CallOptions = {},
  ): Promise<Response> {
    const rest = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest.get(name));
      rest.delete(name);
      return encodeURIComponent(value);
    });
    const hasBody = method === "POST";
    const query = hasBody ? "" : toQuery(rest);
    const headers = {
      ...this.#headers,
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    };
    const response = await this.#send(`${this.#base}${filled}${query}`, {
      method,
      headers,
      redirect: "error",
      signal: signal ?? null,
      ...(hasBody ? { body: JSON.stringify(Object.fromEntries(rest)) } : {}),
    });
    if (!response.ok) throw await readError(response);
    return response;
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(url, init);
    } catch (cause) {
      init.signal?.throwIfAborted();
      throw new ComputerControlError(
        "unreachable",
        `No answer came from ${this.#base}: is the service running?`,
        { cause },
      );
    }
  }
}

function toQuery(fields: ReadonlyMap<string, unknown>): string {
  if (fields.size === 0) return "";
  return `?${new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))}`;
}

interface Runtime {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** A variable of the environment, where there is one and it may be read. */
function readVariable(name: string): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[name] || undefined;
  } catch {
    return undefined; // Deno without the permission
  }
}
