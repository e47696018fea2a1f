/**
 * A test of a web page in a real browser, with no driver in it: opens the page in Chromium, types as a
 * person does, and looks at the screen for the answer.
 *
 *     deno run -A examples/check_web_page.ts            (or node, from 22.18)
 *     deno run -A examples/check_web_page.ts Bern       fails: the page wants another city
 *
 * COMPUTER_CONTROL_URL and COMPUTER_CONTROL_TOKEN say where the service is and what it asks for.
 */

import { createServer } from "node:http";
import process from "node:process";

const SERVICE = process.env["COMPUTER_CONTROL_URL"] ?? "http://127.0.0.1:4242";
const TOKEN = process.env["COMPUTER_CONTROL_TOKEN"];

/** The page under test: blue when it waits, green for the right answer, red for a wrong one. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>Quiz</title>
<style>body { margin: 0; height: 100vh; background: rgb(0, 0, 200) } input { font-size: 30px }</style>
<form><input autofocus placeholder="Largest city of Switzerland"></form>
<script>
document.forms[0].onsubmit = (event) => {
  event.preventDefault();
  const isRight = document.querySelector("input").value === "Zürich";
  document.body.style.background = isRight ? "rgb(0, 160, 0)" : "rgb(200, 0, 0)";
};
</script>`;

const WAITING = [0, 0, 200];
const RIGHT = [0, 160, 0];
/** A place of the page that shows its background. */
const SPOT = { x: 400, y: 400 };

async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(SERVICE + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(TOKEN === undefined ? {} : { authorization: `Bearer ${TOKEN}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** Whether the place gets this colour within the time. */
async function turns(rgb: readonly number[], timeoutMs: number): Promise<boolean> {
  const until = { pixel: { ...SPOT, rgb, tolerance: 3 } };
  const answer = await post<{ status: string }>("/api/display/wait", {
    until,
    timeout_ms: timeoutMs,
  });
  return answer.status === "found";
}

async function check(page: string, city: string): Promise<boolean> {
  const flags = [
    ...["--no-first-run", "--no-default-browser-check", "--window-position=0,0"],
    ...["--window-size=800,600", "--user-data-dir=$(mktemp -d)", `--app=${page}`],
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), // root has no sandbox in Chromium
  ];
  const command = `exec chromium ${flags.join(" ")}`;
  const { process_id } = await post<{ process_id: number }>("/api/bash/command", {
    command,
    timeout: 0,
  });
  try {
    if (!await turns(WAITING, 60_000)) throw new Error("The page does not open");
    await post("/api/mouse/left-click", SPOT); // the window has the keyboard now
    await post("/api/keyboard/key", { key: "tab" }); // into the field
    await post("/api/keyboard/type", { text: `${city}\n` });
    return await turns(RIGHT, 5_000);
  } finally {
    const headers: Record<string, string> = TOKEN === undefined
      ? {}
      : { authorization: `Bearer ${TOKEN}` };
    await fetch(`${SERVICE}/api/bash/process/${process_id}`, { method: "DELETE", headers });
  }
}

const server = createServer((_request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(PAGE);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as { port: number };
try {
  const isRight = await check(`http://127.0.0.1:${port}/`, process.argv[2] ?? "Zürich");
  console.log(isRight ? "ok: the page turned green" : "failed: the page did not turn green");
  process.exitCode = isRight ? 0 : 1;
} finally {
  server.close();
  server.closeAllConnections();
}
