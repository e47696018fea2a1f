/** call: the one request that it sends, and what it refuses before it sends any. */

import { expect } from "expect";
import { type EndedCommand, runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { testIf } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

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

Deno.test("behind the operation a flag is its field's, also where call has an option of that name", async () => {
  await using listener = startListener();
  await using page = startListener();
  const { url } = page;
  const calls: readonly (readonly [string[], object])[] = [
    [["desk.create", "--name", "bob"], { name: "bob" }],
    [["browser.navigate", "--url", url], { url }],
    [["browser.open", `--url=${url}`], { url }],
    [["agents.openai", "--output", "[]"], { output: [] }],
  ];
  for (const [args, body] of calls) {
    expect(await runCommand(["call", "--url", listener.url, ...args])).toEqual(DONE);
    expect([args, listener.sent.at(-1)?.body]).toEqual([args, body]);
  }
  expect(page.sent).toEqual([]);
  const { code, stderr } = await runCommand(["call", "--name", "desk-1", "desk.create"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--name is missing")]);
  const { stdout } = await runCommand(["call", "desk.create", "--help"]);
  expect(stdout).toContain("\n  --name <text> (required)\n");
  expect(stdout).toContain("\n  --name <name> (before the operation)\n");
});

/** A service whose answer breaks off, or comes in full after `release`. */
function startSlowService({ isCut }: { readonly isCut: boolean }) {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const released = Promise.withResolvers<void>();
  const serving = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(4096));
      const head = "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 8\r\n\r\n";
      await connection.write(new TextEncoder().encode(`${head}half`));
      if (!isCut) await released.promise;
      if (!isCut) await connection.write(new TextEncoder().encode("full")).catch(() => {});
      connection.close();
    }
  })();
  const { port } = listener.addr as Deno.NetAddr;
  return {
    url: `http://127.0.0.1:${port}`,
    release: () => released.resolve(),
    async [Symbol.asyncDispose]() {
      released.resolve();
      listener.close();
      await serving;
    },
  };
}

async function list(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

/** Waits until the first half of the answer is in a file of the folder. */
async function halfWritten(folder: string): Promise<void> {
  const isThere = async () => {
    const texts = (await list(folder)).map((name) => Deno.readTextFile(`${folder}/${name}`));
    return (await Promise.all(texts)).includes("half");
  };
  await waitFor(isThere, { what: "half of the answer" });
}

const SCREENSHOT = ["call", "display.screenshot", "--output"];
const onPosix = testIf(Deno.build.os !== "windows", "files have modes and links on POSIX");

Deno.test("an answer that breaks off leaves the file of --output as it was, or none", async () => {
  await using folder = await testFolder();
  await using service = startSlowService({ isCut: true });
  const [kept, missing] = ["kept.png", "new.png"].map((name) => `${folder.path}/${name}`);
  await Deno.writeTextFile(kept!, "old");
  for (const path of [kept!, missing!]) {
    const { code, stdout, stderr } = await runCommand([...SCREENSHOT, path, "--url", service.url]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^computer-control: The answer broke off: /);
  }
  expect(await Deno.readTextFile(kept!)).toBe("old");
  expect(await list(folder.path)).toEqual(["kept.png"]);
});

onPosix(
  "the file of --output keeps its mode, its links and what it had until all has come",
  async () => {
    await using folder = await testFolder();
    const [path, hard, link] = ["a.png", "b.png", "c.png"].map((name) => `${folder.path}/${name}`);
    for (const output of [path!, link!, hard!]) {
      await Deno.writeTextFile(path!, "old");
      await Deno.chmod(path!, 0o640);
      if (output === link) await Deno.symlink(path!, link);
      if (output === hard) await Deno.link(path!, hard);
      await using service = startSlowService({ isCut: false });
      const running = runCommand([...SCREENSHOT, output, "--url", service.url]);
      await halfWritten(folder.path);
      expect(await Deno.readTextFile(path!)).toBe("old");
      service.release();
      expect(await running).toMatchObject({ code: 0, stderr: "" });
      expect(await Deno.readTextFile(path!)).toBe("halffull");
      expect((await Deno.stat(path!)).mode! & 0o777).toBe(0o640);
    }
    expect((await Deno.lstat(link!)).isSymlink).toBe(true);
    expect((await Deno.stat(hard!)).ino).toBe((await Deno.stat(path!)).ino);
    expect(await list(folder.path)).toEqual(["a.png", "b.png", "c.png"]);
  },
);

onPosix(
  "a link to a file that is not there yet, and a device, are written by --output",
  async () => {
    await using folder = await testFolder();
    await Deno.symlink(`${folder.path}/made.png`, `${folder.path}/link.png`);
    for (const path of [`${folder.path}/link.png`, "/dev/null"]) {
      await using service = startSlowService({ isCut: false });
      service.release();
      const done = await runCommand([...SCREENSHOT, path, "--url", service.url]);
      expect([path, done.code, done.stderr]).toEqual([path, 0, ""]);
    }
    expect(await Deno.readTextFile(`${folder.path}/made.png`)).toBe("halffull");
    expect((await Deno.stat("/dev/null")).isCharDevice).toBe(true);
  },
);

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGQUIT", 131]] as const) {
  onPosix(`${signal} while an answer comes leaves the file of --output as it was`, async () => {
    await using folder = await testFolder();
    await using service = startSlowService({ isCut: false });
    const path = `${folder.path}/kept.png`;
    await Deno.writeTextFile(path, "old");
    const main = new URL("../../main.ts", import.meta.url).href;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", main, ...SCREENSHOT, path, "--url", service.url],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    await halfWritten(folder.path);
    child.kill(signal);
    expect(await child.status).toMatchObject({ code, signal: null });
    expect(await Deno.readTextFile(path)).toBe("old");
    expect(await list(folder.path)).toEqual(["kept.png"]);
  });
}

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
