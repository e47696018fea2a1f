/** A headless Chromium with pages of several origins that attack a service, and what they got. */

import { CHROMIUM } from "../../real_programs/support/browser_kinds.ts";
import { openHome } from "../../real_programs/support/home.ts";
import { startProcess } from "../../real_programs/support/processes.ts";

/** What a page got by each of its ways. */
export type Results = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Attackers extends AsyncDisposable {
  /** The port that the service is to take: the page `rebound` came from it. */
  readonly port: number;
  /** The origin of the page `allowed`. */
  readonly allowedOrigin: string;
  /** Resolves when all pages are open; nothing listens on the port any more. */
  ready(): Promise<void>;
  /** Lets the pages attack, and gives what each got. */
  attack(): Promise<ReadonlyMap<string, Results>>;
}

/** Names of pages, with how they are embedded: `sandbox` gives them the origin `null`. */
const PAGES = {
  "cross-site": "",
  "same-site": "",
  "null": "sandbox='allow-scripts allow-forms'",
  "rebound": "",
  "allowed": "",
} as const;

const SCRIPT = await Deno.readTextFile(new URL("./attack_page.js", import.meta.url));
const HTML = { "content-type": "text/html; charset=utf-8" };
const OPEN = { "access-control-allow-origin": "*" };
const LIMIT_MS = 60_000;

export async function openAttackers(): Promise<Attackers> {
  await using opening = new AsyncDisposableStack();
  const waiting = new Map<string, PromiseWithResolvers<string>>();
  const results = new Map<string, Results>();
  const changed = new EventTarget();
  const local = { port: 0, hostname: "127.0.0.1", onListen() {} };

  const control = Deno.serve(local, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const name = searchParams.get("by") ?? "";
    if (pathname === "/start") return new Response(startPage(), { headers: HTML });
    if (pathname === "/page") return page(name);
    if (pathname === "/results") results.set(name, await request.json());
    const service = Promise.withResolvers<string>();
    if (pathname === "/service") waiting.set(name, service);
    else service.resolve("");
    changed.dispatchEvent(new Event("change"));
    return new Response(await service.promise, { headers: OPEN });
  });
  opening.defer(() => control.shutdown());
  const address = `127.0.0.1:${control.addr.port}`;
  const first = Deno.serve(local, () => page("rebound"));
  opening.defer(() => first.shutdown());
  const { port } = first.addr;

  function page(name: string): Response {
    const call = `start(${JSON.stringify(name)}, "http://${address}")`;
    return new Response(`<body><script>${SCRIPT}\n${call}</script>`, { headers: HTML });
  }

  function startPage(): string {
    const hosts: Record<keyof typeof PAGES, string> = {
      "cross-site": `evil.test:${control.addr.port}`,
      "same-site": address,
      "null": `evil.test:${control.addr.port}`,
      "rebound": `rebound.test:${port}`,
      "allowed": `allowed.test:${control.addr.port}`,
    };
    return Object.entries(hosts).map(([name, host]) =>
      `<iframe ${PAGES[name as keyof typeof PAGES]} src="http://${host}/page?by=${name}"></iframe>`
    ).join("");
  }

  async function all(map: ReadonlyMap<string, unknown>, what: string): Promise<void> {
    const limit = AbortSignal.timeout(LIMIT_MS);
    while (map.size < Object.keys(PAGES).length) {
      const next = Promise.withResolvers<void>();
      changed.addEventListener("change", () => next.resolve(), { once: true });
      limit.addEventListener("abort", () => next.resolve(), { once: true });
      await next.promise;
      if (!limit.aborted) continue;
      throw new Error(`${what}: only ${[...map.keys()]}; ${await program.errors()}`);
    }
  }

  const home = opening.use(await openHome());
  const program = opening.use(startProcess(CHROMIUM.program(), {
    args: [
      ...["--headless=new", "--host-resolver-rules=MAP *.test 127.0.0.1"],
      ...CHROMIUM.args(home.path, "about:blank").filter((arg) => !arg.startsWith("--app")),
      `http://${address}/start`,
    ],
    env: home.env(":none"),
    log: `${home.path}/errors`,
  }));
  const opened = opening.move();
  return {
    port,
    allowedOrigin: `http://allowed.test:${control.addr.port}`,
    async ready() {
      await all(waiting, "Pages that are open");
      await first.shutdown();
    },
    async attack() {
      for (const [name, { resolve }] of waiting) {
        const host = name === "rebound" ? "rebound.test" : "127.0.0.1"; // its own origin, by now
        resolve(`http://${host}:${port}`);
      }
      await all(results, "Pages that have attacked");
      return results;
    },
    async [Symbol.asyncDispose]() {
      for (const { resolve } of waiting.values()) resolve("");
      await opened.disposeAsync();
    },
  };
}
