/**
 * Requests to the interfaces inside the process: refused ones, those with odd values, and what the
 * routes ask of the operations, on this system and on others.
 */

import { expect } from "expect";
import type { ServiceAccess } from "../../src/compat/compat.ts";
import { openCompat } from "../../src/compat/open_compat.ts";
import type { CompatName } from "../../src/config/flag_values.ts";
import { received, testApp, type TestAppOptions } from "../support/client.ts";
import { TEST_SERVICE } from "../support/compat_service.ts";

type Init = Readonly<{ body?: string; method?: string; headers?: Record<string, string> }>;

/** An interface behind the checks of a service on a fake platform. */
function openOnApp(name: CompatName, config: TestAppOptions["config"] = {}) {
  const app = testApp({ config });
  const { answer, fail } = openCompat(name, TEST_SERVICE);
  const handle = app.answerBy(answer, fail);
  return {
    logged: app.logged,
    async ask(path: string, { body, method = body === undefined ? "GET" : "POST", headers }: Init) {
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: { host: "localhost", ...headers },
        body: body ?? null,
      });
      return await received(await handle(request));
    },
  };
}

// deno-lint-ignore no-explicit-any -- each operation has its own answer
type Operation = (body: any) => unknown;

/** An interface whose operations are these functions: what it asks of them is noted. */
function openOnOperations(
  name: CompatName,
  operations: Readonly<Record<string, Operation>>,
  service: Partial<ServiceAccess> = {},
) {
  const asked: [path: string, body: unknown][] = [];
  const { answer } = openCompat(name, { ...TEST_SERVICE, ...service });

  async function operate(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const body = text === "" ? undefined : JSON.parse(text);
    asked.push([pathname, body]);
    const result = await operations[pathname]?.(body);
    if (result !== undefined) return Response.json(result);
    const isKnown = Object.hasOwn(operations, pathname);
    return isKnown
      ? new Response(null, { status: 204 })
      : Response.json({ code: "not_found", detail: "none" }, { status: 404 });
  }

  async function ask(path: string, body?: object, method = "POST") {
    const request = new Request(`http://localhost${path}`, { method });
    const client = { answer: operate, readJson: () => Promise.resolve(body) };
    return await received(await answer(request, client));
  }

  return { asked, ask };
}

const message = expect.any(String);

/** The path of each interface, and how its clients read a refusal there. */
const FORMS: readonly (readonly [CompatName, string, string, object])[] = [
  ["cua", "POST", "/cmd", { success: false, error: message }],
  ["osworld", "POST", "/run_python", { status: "error", message, error: message }],
  ["agent-sandbox", "POST", "/execute", { message }],
  ["agent-sandbox", "GET", "/v1/files/a", { code: "PERMISSION_DENIED", message }],
];

for (const [name, method, path, form] of FORMS) {
  Deno.test(`a refusal at ${method} ${path} has the form of ${name}`, async () => {
    const { ask } = openOnApp(name, { token: "a-token" });
    for (const headers of [{}, { authorization: "Bearer other" }, { host: "evil.example" }]) {
      const { status, text } = await ask(path, { method, headers });
      expect(status).toBe("host" in headers ? 403 : 401);
      expect(JSON.parse(text.replace(/^data: /, ""))).toEqual(form);
      expect(text.startsWith("data: ")).toBe(name === "cua");
    }
  });
}

/** JSON of an object that becomes no text and no number. */
const ODD = '{"toString": 1, "valueOf": 1}';

const ODD_BODIES: readonly (readonly [CompatName, string, string])[] = [
  ["cua", "/cmd", `{"command": ${ODD}}`],
  ["cua", "/cmd", `{"command": "scroll_down", "params": {"clicks": ${ODD}}}`],
  ["cua", "/cmd", `{"command": "drag", "params": {"path": [${ODD}, [${ODD}, 1]]}}`],
  ["cua", "/cmd", `{"command": "read_bytes", "params": {"path": "a", "length": ${ODD}}}`],
  ["cua", "/cmd", `{"command": "file_exists", "params": {"path": ${ODD}}}`],
  ["osworld", "/execute", `{"command": ${ODD}}`],
  ["osworld", "/execute", `{"command": ["true"], "timeout": ${ODD}}`],
  ["osworld", "/setup/launch", `{"command": [${ODD}]}`],
  ["osworld", "/run_bash_script", `{"script": "true", "timeout": ${ODD}}`],
  ["osworld", "/setup/open_file", `{"path": ${ODD}}`],
  ["osworld", "/setup/execute_with_verification", `{"command": "true", "max_wait_time": ${ODD}}`],
  ["agent-sandbox", "/execute", `{"command": ${ODD}}`],
  ["agent-sandbox", "/execute", `{"command": "true", "timeout_seconds": ${ODD}}`],
];

for (const [name, path, body] of ODD_BODIES) {
  Deno.test(`${name} refuses ${body} at ${path}`, async () => {
    const { ask, logged } = openOnApp(name);
    const { status, text } = await ask(path, { body });
    const isRefused = name === "cua" ? text.includes('"success":false') : status >= 400;
    expect([isRefused, status < 500, logged]).toEqual([true, true, []]);
  });
}

Deno.test("half a character in a path is no crash", async () => {
  const body = JSON.stringify({ path: "~/\ud800x" });
  const { ask, logged } = openOnApp("osworld");
  expect((await ask("/setup/change_wallpaper", { body })).status).toBe(404);
  const cua = openOnApp("cua");
  const command = JSON.stringify({ command: "file_exists", params: { path: "~/\ud800x" } });
  const { text } = await cua.ask("/cmd", { body: command });
  expect(JSON.parse(text.slice("data: ".length))).toEqual({ success: true, exists: false });
  expect([logged, cua.logged]).toEqual([[], []]);
});

Deno.test("on Windows no path has another separator, a drive or a stream", async () => {
  const paths = ["a%5C..%5C..%5Cx", "%5Cx", "C%3A%2Fx", "c%3Ax", "a%3Astream"];
  for (const system of ["windows", "linux"] as const) {
    const { ask, asked } = openOnOperations("agent-sandbox", {}, { system });
    for (const path of paths) {
      for (const prefix of ["/exists/", "/v1/files/"]) {
        const { status } = await ask(prefix + path, undefined, "GET");
        const known = prefix === "/exists/" ? 200 : 404;
        expect([system, path, status]).toEqual([system, path, system === "windows" ? 403 : known]);
      }
    }
    expect(asked.length > 0).toBe(system === "linux");
  }
});

/** A command that still runs when the request may wait no longer. */
const RUNNING = { output: "begun\n", exit_code: null, process_id: 7, truncated: false };
const LATE: Readonly<Record<string, Operation>> = {
  "/api/bash/command": () => RUNNING,
  "/api/bash/process/7": () => undefined,
};

Deno.test("a command is given what one request may wait at most, and ended after that", async () => {
  const late = async (name: CompatName, path: string, body: object, timeout: number) => {
    const { ask, asked } = openOnOperations(name, LATE);
    const answer = await ask(path, body);
    expect(asked.map(([path]) => path)).toEqual(Object.keys(LATE));
    expect(asked[0]![1]).toMatchObject({ timeout });
    return answer;
  };
  const command = "sleep 90";
  const cua = await late("cua", "/cmd", { command: "run_command", params: { command } }, 50);
  expect(cua.text).toContain('"error":"Command timed out after 50s"');
  const wanted = { command, timeout_seconds: 90 };
  const runtime = await late("agent-sandbox", "/execute", wanted, 50);
  expect([runtime.status, runtime.json]).toEqual([200, {
    stdout: "begun\n",
    stderr: "Command timed out after 50 seconds",
    exit_code: 124,
    timed_out: true,
  }]);
  const osworld = await late("osworld", "/setup/launch", { command }, 15);
  expect([osworld.status, osworld.json.message])
    .toEqual([500, "Command timed out after 15 seconds"]);
});

Deno.test("open_file waits shortly for a window of its own, and then for one with the name", async () => {
  const windows = [[], [{ id: "w1", title: "report - Editor" }]];
  const { ask, asked } = openOnOperations("osworld", {
    "/api/filesystem/info/~%2Freport.odt": () => ({ type: "file", path: "/home/a/report.odt" }),
    "/api/window/open": () => ({ window: null }),
    "/api/window/list": () => windows.shift(),
    "/api/window/focus": () => undefined,
  });
  expect((await ask("/setup/open_file", { path: "$HOME/report.odt" })).status).toBe(200);
  expect(asked.slice(1)).toEqual([
    ["/api/window/open", { path: "~/report.odt", timeout_ms: 3_000 }],
    ["/api/window/list", undefined],
    ["/api/window/list", undefined],
    ["/api/window/focus", { id: "w1" }],
  ]);
});

Deno.test("of two recordings that are started at once, one is", async () => {
  const started: string[] = [];
  const { ask } = openOnOperations("osworld", {
    "/api/recording/start": async () => {
      await Promise.resolve();
      started.push(`r${started.length}`);
      return { id: started.at(-1) };
    },
    "/api/recording/list": () => [{ state: "recording" }],
  });
  const both = await Promise.all([ask("/start_recording"), ask("/start_recording")]);
  expect([both.map(({ status }) => status), started]).toEqual([[200, 400], ["r0"]]);
});

Deno.test("a form of very many parts is refused", async () => {
  const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n';
  const { ask } = openOnApp("osworld");
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const many = await ask("/file", { body: `${part.repeat(101)}--x--\r\n`, headers });
  expect([many.status, many.json.message]).toEqual([400, "The body has more than 100 parts"]);
});
