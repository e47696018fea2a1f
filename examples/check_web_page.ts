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
<style>
body { margin: 0; height: 100vh; background: rgb(0, 0, 200) }
input { width: 100%; height: 200px; font-size: 30px; border: 0; outline: 0 }
input:focus { background: rgb(255, 240, 150) }
</style>
<form><input placeholder="Largest city of Switzerland"></form>
<script>
document.forms[0].onsubmit = (event) => {
  event.preventDefault();
  const isRight = document.querySelector("input").value === "Zürich";
  document.body.style.background = isRight ? "rgb(0, 160, 0)" : "rgb(200, 0, 0)";
};
</script>`;

const BLUE = [0, 0, 200];
const GREEN = [0, 160, 0];
const RED = [200, 0, 0];
const YELLOW = [255, 240, 150];
/** A place of the page that shows its background, and one in the field, beside its text. */
const BACKGROUND = { x: 400, y: 450 };
const FIELD = { x: 700, y: 190 };
/** The most that a slow machine may take for a step. */
const PATIENCE_MS = 60_000;
/** Pause before the next look, or the next click. */
const LOOK_MS = 1_000;

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

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Whether the place gets this colour within the time. */
async function turns(place: Place, rgb: readonly number[], timeoutMs: number): Promise<boolean> {
  const until = { pixel: { ...place, rgb, tolerance: 3 } };
  const answer = await post<{ status: string }>("/api/display/wait", {
    until,
    timeout_ms: timeoutMs,
  });
  return answer.status === "found";
}

/**
 * Clicks into the field until it shows that it has the keyboard: a browser that is still loading a
 * page drops the input that comes after the first picture of it.
 */
async function enterField(): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  do {
    await post("/api/mouse/left-click", FIELD);
    if (await turns(FIELD, YELLOW, LOOK_MS)) return;
  } while (performance.now() < end);
  throw new Error("The field does not take the keyboard");
}

/** Whether the page turned green; red is a wrong answer. */
async function isGreen(): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  do {
    if (await turns(BACKGROUND, GREEN, LOOK_MS)) return true;
    if (await turns(BACKGROUND, RED, 0)) return false;
  } while (performance.now() < end);
  throw new Error("The page does not answer");
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
    if (!await turns(BACKGROUND, BLUE, PATIENCE_MS)) throw new Error("The page does not open");
    await enterField();
    await post("/api/keyboard/type", { text: `${city}\n` });
    return await isGreen();
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
