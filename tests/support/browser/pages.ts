/** A web server with the pages of the browser tests. */

export interface Pages extends AsyncDisposable {
  /** `http://127.0.0.1:1234` */
  readonly origin: string;
  /** Adds a page, or a function that answers. */
  serve(path: string, page: string | (() => Response | Promise<Response>)): string;
  /** What pages have reported by `report(...)`, in order. */
  readonly reports: string[];
}

const SCRIPT = `<script>
function report(text) { navigator.sendBeacon("/report", text); }
</script>`;

export function servePages(): Pages {
  const pages = new Map<string, string | (() => Response | Promise<Response>)>();
  const reports: string[] = [];
  const closing = new AbortController();
  const options = { port: 0, hostname: "127.0.0.1", onListen() {}, signal: closing.signal };
  const server = Deno.serve(options, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/report") {
      reports.push(await request.text());
      return new Response();
    }
    const page = pages.get(pathname);
    if (typeof page === "function") return await page();
    if (page === undefined) return html("<title>None</title>Nothing here", 404);
    return html(page);
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  return {
    origin,
    reports,
    serve(path, page) {
      pages.set(path, page);
      return origin + path;
    },
    async [Symbol.asyncDispose]() {
      closing.abort(); // also what is never answered
      await server.finished;
    },
  };
}

function html(body: string, status = 200): Response {
  const text = `<!doctype html><meta charset="utf-8">${SCRIPT}${body}`;
  return new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8" } });
}
