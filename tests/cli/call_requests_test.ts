/** call: the one request that it sends, and what it refuses before it sends any. */

import { expect } from "expect";
import { type EndedCommand, runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";

const DONE = { code: 0, stdout: "", stderr: "" };

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** A service that does nothing and remembers what it was sent. */
function startListener() {
  const sent: Sent[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    const body = text === "" ? undefined : JSON.parse(text);
    sent.push({ method: request.method, path: pathname + search, body });
    return new Response(null, { status: 204 });
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  return { sent, url, [Symbol.asyncDispose]: () => server.shutdown() };
}

const requests: [string[], Sent][] = [
  [
    ["mouse.move", "--x", "-5", "--y=7", "--duration_ms", "3"],
    { method: "POST", path: "/api/mouse/move", body: { x: -5, y: 7, duration_ms: 3 } },
  ],
  [
    ["mouse.move", "--json", '{"x": 1, "y": 2}', "--y", "3"],
    { method: "POST", path: "/api/mouse/move", body: { x: 1, y: 3 } },
  ],
  [
    ["display.screenshot", "--format", "webp", "--cursor", "false", "--output", "-"],
    { method: "GET", path: "/api/display/screenshot?cursor=false&format=webp", body: undefined },
  ],
  [
    ["bash.process", "--pid", "12"],
    { method: "DELETE", path: "/api/bash/process/12", body: undefined },
  ],
  [
    ["bash.command", "--command", "true", "--env", '{"A": "1"}', "--timeout", "0.5"],
    {
      ...{ method: "POST", path: "/api/bash/command" },
      body: { command: "true", timeout: 0.5, env: { A: "1" } },
    },
  ],
  [
    ["mouse.drag", "--x", "1", "--y", "2", "--path", '{"x": 3, "y": 4}', "--path", '{"x":5,"y":6}'],
    {
      ...{ method: "POST", path: "/api/mouse/drag" },
      body: { x: 1, y: 2, path: [{ x: 3, y: 4 }, { x: 5, y: 6 }] },
    },
  ],
  [["releaseAll"], { method: "POST", path: "/api/system/release-all", body: {} }],
];

Deno.test("call takes its options before the operation too", async () => {
  await using listener = startListener();
  const args = ["--url", listener.url, "mouse.move", "--x", "1", "--y", "2"];
  expect(await runCommand(["call", ...args])).toEqual(DONE);
  expect(listener.sent).toMatchObject([{ path: "/api/mouse/move", body: { x: 1, y: 2 } }]);
});

for (const [args, expected] of requests) {
  Deno.test(`call ${args.join(" ")} sends one request`, async () => {
    await using listener = startListener();
    expect(await runCommand(["call", ...args, "--url", listener.url])).toEqual(DONE);
    expect(listener.sent).toEqual([expected]);
  });
}

const wrong: [string[], RegExp][] = [
  [[], /Which operation\?/],
  [["screenshot"], /no operation "screenshot": did you mean "display.screenshot"\?/],
  [["mouse/mov"], /no operation "mouse\/mov": did you mean "mouse.move"\?/],
  [["mouse.mov"], /no operation "mouse.mov": did you mean "mouse.move"\?/],
  [["mouse.move", "--x", "ten", "--y", "1"], /--x: .*integer.*takes <integer>/],
  [["mouse.move", "--x", "1.5", "--y", "1"], /--x: .*takes <integer>/],
  [["mouse.move", "--x", "1"], /--y is missing \(it takes <integer>\)/],
  [["mouse.move", "--x", "--y", "1"], /--x needs a value: --x <integer>/],
  [["mouse.move", "--x", "1", "--y", "1", "--z", "1"], /no field "--z".*it takes --x, --y/],
  [["mouse.move", "1", "2"], /"1" does not belong to a flag/],
  [["mouse.move", "--json", "[1]"], /--json: must be an object/],
  [["mouse.move", "--json", "{"], /--json: not valid JSON/],
  [["mouse.move", "--json", '{"x":1,"y":1,"z":1}'], /"z": Unknown field: .*"x", "y"/],
  [["mouse.left-click", "--click-count", "4"], /--click-count: .*less than or equal to 3/],
  [["mouse.down", "--button", "lefft"], /--button: .*left\|middle\|right/],
  [["display.wait", "--until", "chang"], /--until: .*takes change\|stable\|<json>/],
  [["display.wait", "--until", '{"pixel": {"x": 1}}'], /--until\.\w+.* is missing/],
  [["mouse.move", "--x", "1", "--y", "99999999999999999"], /--y: .*2\^53|--y: .*large|--y: .*9007/],
  [["keyboard.hotkey", "--keys", "[1]"], /--keys/],
  [["filesystem.delete", "--path", "/tmp/x", "--recursive=perhaps"], /--recursive/],
  [["display.screenshot", "--output", "/no/such/folder/a.png"], /"\/no\/such\/folder\/a.png"/],
  [["mouse.position", "--url", "localhost:4242"], /must be the address of a service such as/],
];

for (const [args, message] of wrong) {
  Deno.test(`call ${args.join(" ")} is refused before anything is sent`, async () => {
    await using listener = startListener();
    const url = args.includes("--url") ? [] : ["--url", listener.url];
    const { code, stdout, stderr } = await runCommand(["call", ...args, ...url]);
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: expect.stringMatching(message),
    });
    expect(listener.sent).toEqual([]);
  });
}

Deno.test("call reads the fields from standard input", async () => {
  await using listener = startListener();
  const { code } = await withInput(new TextEncoder().encode('{"text": "Grüße"}'), [
    ...["call", "keyboard.type", "--json", "-", "--url", listener.url],
  ]);
  expect([code, listener.sent[0]?.body]).toEqual([0, { text: "Grüße" }]);
});

Deno.test("call refuses standard input that is no text", async () => {
  await using listener = startListener();
  const bytes = Uint8Array.of(...new TextEncoder().encode('{"text":"'), 0xff, 0x22, 0x7d);
  const args = ["call", "keyboard.type", "--json", "-", "--url", listener.url];
  const { code, stderr } = await withInput(bytes, args);
  expect([code, stderr, listener.sent]).toEqual([2, expect.stringContaining("not UTF-8"), []]);
});

Deno.test("call --help lists all operations, and the fields of one", async () => {
  const all = await runCommand(["call", "--help"]);
  for (const name of ["mouse.left-click", "bash.process.output", "display.screenshot"]) {
    expect(all.stdout).toMatch(new RegExp(`^  ${name} +[A-Z]`, "m"));
  }
  const one = await runCommand(["call", "mouse.left-click", "--help"]);
  expect([all.code, one.code]).toEqual([0, 0]);
  for (
    const field of ["--x <integer>", "--modifiers <text>... (default: [])", "--output <file|->"]
  ) {
    expect(one.stdout).toContain(`\n  ${field}\n`);
  }
  expect(one.stdout).toContain("--click-count <integer> (default: 1)");
});

async function withInput(
  input: Uint8Array<ArrayBuffer>,
  args: readonly string[],
): Promise<EndedCommand> {
  await using folder = await testFolder();
  await Deno.writeFile(`${folder.path}/input`, input);
  const through = ["sh", "-c", 'exec "$@" < "$0"', `${folder.path}/input`];
  return await runCommand(args, {}, Deno.execPath(), through);
}
