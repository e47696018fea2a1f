/** `deno task soak`: a million requests of all kinds, and what the service has more at the end than after the first tenth. */

import { startXvfb } from "../tests/support/xvfb.ts";
import { childrenOf, countOpenFiles, zombiesOf } from "../tests/support/processes.ts";
import { stallsOf } from "../tests/support/watchdog.ts";
import { startServer } from "./process.ts";

const REQUESTS = Number(Deno.args[0] ?? 1_000_000);
/** What is built up once (caches, compiled code) is there after this many. */
const WARM = REQUESTS / 10;
const CONNECTIONS = 16;
const SECONDS_PER_RUN = 10;
/** The service gets this long to let go of what it needed last. */
const REST_MS = 3_000;
const MOST_GROWTH = 1.05;

interface Ask {
  /** How often, of all together. */
  readonly weight: number;
  readonly path: string;
  /** A GET without. */
  readonly body?: unknown;
}

interface State {
  readonly megabytes: number;
  readonly openFiles: number;
  readonly children: number;
  readonly zombies: number;
}

if (import.meta.main) Deno.exit(await soak());

/** Returns the exit code. */
async function soak(): Promise<number> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/text`, "one line\n".repeat(1_000));
    await using xvfb = await startXvfb();
    await using service = await startServer("../tests/support/watched_service.ts", [
      ...[
        "--port",
        "0",
        "--display",
        `1=${xvfb.display}`,
        "--state-dir",
        `${folder}/state`,
      ],
    ]);
    await prepare(service.port);
    const asks = mix(folder);
    const startedAt = performance.now();
    let sent = 0;
    let failed = 0;
    const samples: { readonly sent: number; readonly megabytes: number }[] = [];
    let warm: State | undefined;
    while (sent < REQUESTS) {
      const run = await load(service.port, asks);
      sent += run.requests;
      failed += run.failed;
      samples.push({ sent, megabytes: memoryOf(service.pid) });
      if (warm === undefined && sent >= WARM) warm = look(service.pid);
      console.log(`${sent} requests, ${failed} failed, ${samples.at(-1)!.megabytes} MB`);
    }
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const end = look(service.pid);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`${sent} requests in ${seconds} s, ${failed} failed`);
    console.log("after a tenth:", warm, "at the end:", end);
    const between = (from: number, to: number) =>
      mean(
        samples.filter((one) => one.sent >= from * sent && one.sent <= to * sent)
          .map(({ megabytes }) => megabytes),
      );
    const growth = between(0.8, 1) / between(0.1, 0.3);
    console.log(
      `memory: ${growth.toFixed(3)} times that after the first tenth (goal ${MOST_GROWTH})`,
    );
    const stalls = stallsOf(service.errors);
    console.log(`main thread held up ${stalls.length} times`);
    const isFlat = growth < MOST_GROWTH && end.zombies === 0 &&
      end.openFiles <= warm!.openFiles && end.children <= warm!.children;
    return failed === 0 && isFlat && stalls.length === 0 ? 0 : 1;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function mix(folder: string): readonly Ask[] {
  return [
    { weight: 40, path: "/api/mouse/move", body: { x: 100, y: 200 } },
    { weight: 10, path: "/api/mouse/position" },
    { weight: 10, path: "/api/display/pixel_color", body: { x: 5, y: 5 } },
    { weight: 4, path: "/api/keyboard/key", body: { key: "shift" } },
    { weight: 4, path: "/api/keyboard/held" },
    { weight: 2, path: "/api/keyboard/type", body: { text: "aé漢", typing_delay: 0 } },
    { weight: 2, path: "/api/mouse/scroll", body: { clicks: 1 } },
    { weight: 2, path: "/api/display/screenshot?width=200&height=200" },
    { weight: 1, path: "/api/display/screenshot?format=jpeg&max_width=640" },
    {
      weight: 1,
      path: "/api/display/wait",
      body: { until: "stable", stable_ms: 0, timeout_ms: 1 },
    },
    { weight: 8, path: `/api/filesystem/info/${encodeURIComponent(`${folder}/text`)}` },
    { weight: 4, path: "/api/filesystem/read", body: { path: `${folder}/text` } },
    { weight: 2, path: "/api/filesystem/list", body: { path: folder } },
    { weight: 1, path: "/api/filesystem/tree", body: { path: folder } },
    {
      weight: 1,
      path: "/api/filesystem/write",
      body: { path: `${folder}/new`, content: "x".repeat(5_000), overwrite: true },
    },
    { weight: 2, path: "/api/editor/view", body: { path: `${folder}/text`, view_range: [1, 20] } },
    {
      weight: 1,
      path: "/api/editor/str-replace",
      body: { path: `${folder}/text`, old_str: "line", new_str: "line" },
    },
    {
      weight: 3,
      path: "/api/keychain/authenticate",
      body: { service: "site", authElements: [{ type: "password", value: "tiger99" }] },
    },
    { weight: 1, path: "/api/bash/command", body: { command: "echo hello" } },
    { weight: 2, path: "/api/mouse/move", body: { x: "no number" } },
    { weight: 1, path: "/api/nothing" },
    { weight: 2, path: "/api/system/info" },
    { weight: 2, path: "/healthz" },
  ];
}

async function prepare(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/keychain/set-item`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ service: "site", item: { password: "tiger99" } }),
  });
  if (!response.ok) throw new Error(`set-item: ${response.status} ${await response.text()}`);
}

/** Sends for a while, all kinds mixed by their weights; an answer of 500 and more is a failure. */
async function load(port: number, asks: readonly Ask[]) {
  const script = await Deno.makeTempFile({ suffix: ".lua" });
  try {
    await Deno.writeTextFile(script, luaScript(asks));
    const { stdout, stderr, success } = await new Deno.Command("wrk", {
      args: [
        ...["-t1", `-c${CONNECTIONS}`, `-d${SECONDS_PER_RUN}s`, "--timeout", "30s", "-s", script],
        `http://127.0.0.1:${port}`,
      ],
    }).output();
    const text = new TextDecoder().decode(stdout);
    if (!success) throw new Error(`wrk failed: ${new TextDecoder().decode(stderr)}`);
    return JSON.parse(text.slice(text.lastIndexOf("{"))) as { requests: number; failed: number };
  } finally {
    await Deno.remove(script);
  }
}

function luaScript(asks: readonly Ask[]): string {
  const requests = asks.flatMap(({ weight, path, body }) => {
    const call = body === undefined
      ? `wrk.format("GET", ${JSON.stringify(path)})`
      : `wrk.format("POST", ${JSON.stringify(path)}, json, ${
        JSON.stringify(JSON.stringify(body)).replaceAll("\\u", "\\\\u")
      })`;
    return Array.from({ length: weight }, () => call);
  });
  return `
local json = { ["Content-Type"] = "application/json" }
local requests = {}
local threads = {}
function setup(thread) table.insert(threads, thread) end
function init()
  failed = 0
  requests = { ${requests.join(",\n")} }
  math.randomseed(os.time())
end
function request() return requests[math.random(#requests)] end
function response(status) if status >= 500 then failed = failed + 1 end end
function done(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.timeout
  for _, thread in ipairs(threads) do failed = failed + thread:get("failed") end
  io.write(string.format('{"requests":%d,"failed":%d}', summary.requests, failed))
end
`;
}

function look(pid: number): State {
  return {
    megabytes: memoryOf(pid),
    openFiles: countOpenFiles(pid),
    children: childrenOf(pid).length,
    zombies: zombiesOf(pid).length,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function memoryOf(pid: number): number {
  const [, kilobytes] = Deno.readTextFileSync(`/proc/${pid}/status`).match(/^VmRSS:\s+(\d+)/m)!;
  return Math.round(Number(kilobytes) / 1024);
}
