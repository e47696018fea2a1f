/** Runs inside the network of a container: lets Chromium show a form, types into it through the service, and says what the page got. */

const TEXT = "Grüße, 漢字 😀";
/** Of a computer that has much else to do. */
const PATIENCE_MS = 180_000;
const PAGE = `<!doctype html><meta charset="utf-8"><title>form</title>
<style>body { margin: 0 } textarea { width: 100vw; height: 95vh; font-size: 40px }</style>
<textarea autofocus></textarea>
<script>
const field = document.querySelector("textarea");
field.addEventListener("input", () => fetch("/typed", { method: "POST", body: field.value }));
field.addEventListener("click", () => fetch("/clicked", { method: "POST" }));
addEventListener("load", () => fetch("/loaded", { method: "POST" }));
</script>`;

if (import.meta.main) {
  const [service, token, picture] = Deno.args;
  await tryBrowser(service!, token!, picture!).catch((error) => {
    console.error(error.message);
    Deno.exit(1);
  });
}

/**
 * @param picture the file that gets a screenshot of the result
 * @throws Error when the page did not get the text
 */
async function tryBrowser(service: string, token: string, picture: string): Promise<void> {
  const page = servePage();
  const address = `http://127.0.0.1:${page.server.addr.port}/`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call = async (path: string, body: unknown) => {
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
  await call("/api/mouse/left-click", { x: 640, y: 450 });
  await page.until("clicked", "");
  await (await call("/api/keyboard/type", { text: TEXT })).body?.cancel();
  await page.until("typed", TEXT);
  const shot = await fetch(`${service}/api/display/screenshot`, { headers });
  await Deno.writeFile(picture, new Uint8Array(await shot.arrayBuffer()));
  await page.server.shutdown();
  console.log(`The page in Chromium got ${JSON.stringify(TEXT)}`);
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

interface Page {
  readonly server: Deno.HttpServer<Deno.NetAddr>;
  /** Waits until the page has said this. */
  until(what: string, text: string): Promise<void>;
}

function servePage(): Page {
  const said: string[] = [];
  const waiting = new Set<() => void>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    if (request.method === "GET") {
      return new Response(PAGE, { headers: { "content-type": "text/html" } });
    }
    said.push(`${new URL(request.url).pathname.slice(1)} ${await request.text()}`);
    for (const each of waiting) each();
    return new Response(null, { status: 204 });
  });
  return {
    server,
    async until(what, text) {
      const wanted = `${what} ${text}`;
      const late = AbortSignal.timeout(PATIENCE_MS);
      while (!said.includes(wanted)) {
        await new Promise<void>((resolve, reject) => {
          waiting.add(resolve);
          late.addEventListener("abort", () => {
            reject(new Error(`The page did not say "${wanted}"; it said: ${said.join(" | ")}`));
          });
        });
      }
    },
  };
}
