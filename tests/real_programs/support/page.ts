/** A web page that reports every input event it gets to the test, over a WebSocket of the test's own server. */

import { waitFor } from "../../support/wait.ts";

/** What the page saw of one event; `value` and `selection` are read when the event came. */
export interface PageEvent {
  /** Counts from 0 in the order of arrival. */
  readonly order: number;
  readonly type: string;
  readonly isTrusted: boolean;
  /** The `id` of the element, or its tag. */
  readonly target: string;
  readonly key?: string;
  readonly code?: string;
  readonly keyCode?: number;
  readonly repeat?: boolean;
  /** `ctrl`, `shift`, `alt`, `meta`. */
  readonly modifiers?: readonly string[];
  readonly detail?: number;
  readonly button?: number;
  readonly buttons?: number;
  readonly deltaX?: number;
  readonly deltaY?: number;
  readonly deltaMode?: number;
  readonly clientX?: number;
  readonly clientY?: number;
  /** Pixels of the screen. */
  readonly screenX?: number;
  readonly screenY?: number;
  readonly data?: string | null;
  readonly value?: string;
  readonly selection?: string;
  readonly scrollTop?: number;
}

export interface PageOptions {
  /** HTML of the body. Default: a text area `text` that fills the page and has the focus. */
  readonly body?: string;
}

export interface PageServer extends AsyncDisposable {
  readonly address: string;
  /** Another page for the next load. */
  serve(page: PageOptions): void;
  /** Resolves when the page served last has loaded. */
  loaded(): Promise<void>;
  events(type?: string): PageEvent[];
  clear(): void;
  /** Runs an expression in the page and gives its JSON. */
  evaluate<T>(expression: string): Promise<T>;
}

const DEFAULT_BODY = `<textarea id="text" autofocus style="width: 100%; height: 90vh"></textarea>`;
const SCRIPT = await Deno.readTextFile(new URL("./page_script.js", import.meta.url));

export function servePages(first: PageOptions = {}): PageServer {
  let page = first;
  let generation = 0;
  let socket: { readonly link: WebSocket; readonly generation: number } | undefined;
  let log: PageEvent[] = [];
  const answers = new Map<number, (value: unknown) => void>();
  const sockets = new Set<WebSocket>();
  let asked = 0;

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/events") {
      const html = pathname === "/" ? document(page, generation) : "";
      return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
    }
    const { socket: link, response } = Deno.upgradeWebSocket(request);
    sockets.add(link);
    link.onclose = () => sockets.delete(link);
    link.onmessage = ({ data }) => {
      const said = JSON.parse(data);
      if (said.ready !== undefined) socket = { link, generation: said.ready };
      else if (said.answer !== undefined) answers.get(said.answer)?.(said.value);
      else if (socket?.link === link) log.push({ order: log.length, ...said });
    };
    return response;
  });

  return {
    address: `http://127.0.0.1:${server.addr.port}/`,
    serve(next) {
      page = next;
      generation++;
      log = [];
    },
    async loaded() {
      await waitFor(() => socket?.generation === generation, {
        what: "the page",
        timeoutMs: 60_000,
      });
    },
    events: (type) => log.filter((event) => type === undefined || event.type === type),
    clear() {
      log = [];
    },
    async evaluate<T>(expression: string) {
      const number = asked++;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      answers.set(number, resolve);
      socket!.link.send(JSON.stringify({ ask: number, expression }));
      const value = await promise as { error?: string; result?: T };
      answers.delete(number);
      if (value.error !== undefined) throw new Error(`The page threw: ${value.error}`);
      return value.result as T;
    },
    async [Symbol.asyncDispose]() {
      for (const link of sockets) link.close();
      await server.shutdown();
    },
  };
}

function document({ body = DEFAULT_BODY }: PageOptions, generation: number): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title>page under test</title>` +
    `<style>body { margin: 0; font: 20px sans-serif }</style></head><body>${body}` +
    `<script>const GENERATION = ${generation};\n${SCRIPT}</script></body></html>`;
}
