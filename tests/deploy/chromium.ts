/** Lets Chromium on a desktop show a form, and types into it through the service. */

const TEXT = "Grüße, 漢字 😀";
/** Of a computer that has much else to do. */
const PATIENCE_MS = 180_000;
/** Without word of a click for so long, the next one is made. */
const NEXT_CLICK_MS = 1_000;
const PAGE = `<!doctype html><meta charset="utf-8"><title>form</title>
<style>body { margin: 0 } textarea { width: 100vw; height: 95vh; font-size: 40px; caret-color: transparent }</style>
<textarea autofocus></textarea>
<script>
const field = document.querySelector("textarea");
field.addEventListener("input", () => fetch("/typed", { method: "POST", body: field.value }));
field.addEventListener("click", () => fetch("/clicked", { method: "POST" }));
addEventListener("load", () => fetch("/loaded", { method: "POST" }));
</script>`;

/**
 * Types a text of three scripts and an emoji into a page; gives the text and a picture of the screen then.
 * @throws Error when the page did not get the text
 */
export async function typeIntoChromium(
  service: string,
  token: string,
): Promise<{ readonly text: string; readonly picture: Uint8Array }> {
  const page = servePage();
  const address = `http://127.0.0.1:${page.server.addr.port}/`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call: Call = async (path, body) => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(service + path, init);
    if (response.ok) return response;
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  };
  await untilReady(`${service}/readyz`, headers);
  const command = `chromium --start-maximized --user-data-dir=$(mktemp -d) ${address}`;
  await (await call("/api/bash/command", { command, timeout: 0 })).body?.cancel();
  await page.until("loaded", "");
  // the page can be loaded before its window is shown
  const white = { pixel: { x: 640, y: 450, rgb: [255, 255, 255] } };
  const shown = await call("/api/display/wait", { until: white, timeout_ms: PATIENCE_MS });
  if ((await shown.json()).status !== "found") throw new Error("Chromium shows no page");
  await clickUntilTaken(page, call);
  await (await call("/api/keyboard/type", { text: TEXT })).body?.cancel();
  await page.until("typed", TEXT);
  // the page knows its text before it is painted
  await (await call("/api/display/wait", { until: "stable" })).body?.cancel();
  const shot = await fetch(`${service}/api/display/screenshot`, { headers });
  const picture = new Uint8Array(await shot.arrayBuffer());
  await page.server.shutdown();
  return { text: TEXT, picture };
}

/** A service that is alive may still be starting its display. */
async function untilReady(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  for (const late = AbortSignal.timeout(PATIENCE_MS); !late.aborted;) {
    const response = await fetch(url, { headers, signal: late });
    await response.body?.cancel();
    if (response.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not become ready`);
}

/** Before its first picture a page is white too, and Chromium drops clicks until it has painted that. */
async function clickUntilTaken(page: Page, call: Call): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
    await (await call("/api/mouse/left-click", { x: 640, y: 450 })).body?.cancel();
    if (await page.says("clicked", "", NEXT_CLICK_MS)) return;
  }
  throw new Error(`The page takes no click in ${PATIENCE_MS / 1000} s`);
}

type Call = (path: string, body: unknown) => Promise<Response>;

interface Page {
  readonly server: Deno.HttpServer<Deno.NetAddr>;
  /** Whether the page has said this, or does in that time. */
  says(what: string, text: string, withinMs: number): Promise<boolean>;
  /** @throws Error when the page does not say this. */
  until(what: string, text: string): Promise<void>;
}

function servePage(): Page {
  const said: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    if (request.method === "GET") {
      return new Response(PAGE, { headers: { "content-type": "text/html" } });
    }
    said.push(`${new URL(request.url).pathname.slice(1)} ${await request.text()}`);
    return new Response(null, { status: 204 });
  });
  const says = async (what: string, text: string, withinMs: number) => {
    for (const end = performance.now() + withinMs; !said.includes(`${what} ${text}`);) {
      if (performance.now() > end) return false;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return true;
  };
  return {
    server,
    says,
    async until(what, text) {
      if (await says(what, text, PATIENCE_MS)) return;
      throw new Error(`The page did not say "${what} ${text}"; it said: ${said.join(" | ")}`);
    },
  };
}
