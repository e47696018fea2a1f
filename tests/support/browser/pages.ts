/** A web server with the pages of the browser tests. */

export interface Pages extends AsyncDisposable {
  /** `http://127.0.0.1:1234` */
  readonly origin: string;
  /** Adds a page, or a function that answers. */
  serve(path: string, page: string | (() => Response | Promise<Response>)): string;
  /** What pages have reported by `report(...)`, in order. */
  readonly reports: string[];
  /** Forgets what was reported, and what pages that are loaded already still report. */
  startRound(): void;
}

/** Reports travel beside each other, and are numbered; with the number of the round of the page. */
const scriptOf = (round: number) =>
  `<script>
let reported = 0;
function report(text) {
  navigator.sendBeacon("/report?${round}-" + performance.timeOrigin + "&" + reported++, text);
}
</script>`;

export function servePages(): Pages {
  const pages = new Map<string, string | (() => Response | Promise<Response>)>();
  const reports: string[] = [];
  /** By page: the number of the next report, and those that have arrived. */
  const arriving = new Map<string, { next: number; readonly texts: Map<number, string> }>();
  let round = 0;
  const closing = new AbortController();
  const options = { port: 0, hostname: "127.0.0.1", onListen() {}, signal: closing.signal };
  const server = Deno.serve(options, async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/report") {
      const text = await request.text();
      const [page, number] = search.slice(1).split("&");
      if (Number.parseInt(page!) !== round) return new Response();
      const early = arriving.get(page!) ?? { next: 0, texts: new Map<number, string>() };
      arriving.set(page!, early);
      early.texts.set(Number(number), text);
      for (; early.texts.has(early.next); early.next++) reports.push(early.texts.get(early.next)!);
      return new Response();
    }
    const page = pages.get(pathname);
    if (typeof page === "function") return await page();
    if (page === undefined) return html("<title>None</title>Nothing here", { round, status: 404 });
    return html(page, { round });
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  return {
    origin,
    reports,
    serve(path, page) {
      pages.set(path, page);
      return origin + path;
    },
    startRound() {
      round++;
      reports.length = 0;
    },
    async [Symbol.asyncDispose]() {
      closing.abort(); // also what is never answered
      await server.finished;
    },
  };
}

function html(body: string, { round, status = 200 }: { round: number; status?: number }): Response {
  const text = `<!doctype html><meta charset="utf-8">${scriptOf(round)}${body}`;
  return new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8" } });
}
