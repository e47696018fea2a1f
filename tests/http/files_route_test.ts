/** `/v1/files/{path}`: bytes of any size, completely or not at all, by the rules of the file operations. */

import { dirname } from "node:path";
import { expect } from "expect";
import type { Config } from "../../src/config/config.ts";
import { connectionLimits, startServer } from "../../src/http/connections/server.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { Control } from "../../src/features/control/control.ts";
import { type TestApp, testApp, type TestAppOptions } from "../support/client.ts";
import { ANNA } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { lineReader } from "../support/lines.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

interface Opened extends AsyncDisposable {
  readonly app: TestApp;
  readonly home: string;
  readonly port: number;
  send(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Its status and text. */
  ask(method: string, path: string, init?: RequestInit): Promise<readonly [number, string]>;
}

async function open(config: Partial<Config> = {}, more: TestAppOptions = {}): Promise<Opened> {
  const folder = await testFolder();
  const [home, stateDir] = [`${folder.path}/home`, `${folder.path}/state`];
  await Deno.mkdir(home);
  const app = testApp({ ...more, config: { home, stateDir, ...config } });
  const limits = connectionLimits(DEFAULT_LIMITS, 1_024);
  const server = startServer({ hostname: "127.0.0.1", port: 0, limits }, app.fetch);
  const send = (method: string, path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${server.port}/v1/files/${path}`, { method, ...init });
  return {
    app,
    home,
    port: server.port,
    send,
    async ask(method, path, init) {
      const answer = await send(method, path, init);
      return [answer.status, await answer.text()];
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await app.session[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

const BAD:
  readonly (readonly [method: string, path: string, status: number, init?: RequestInit])[] = [
    ["GET", "", 422],
    ["GET", "nothing", 404],
    ["GET", "%ff", 422],
    ["GET", "a%00b", 422],
    ["GET", "~root/x", 422],
    ["GET", "~", 400],
    ["GET", "/dev/zero", 400],
    ["GET", "notes.txt/x", 400],
    ["GET", "notes.txt?desk=alice", 422],
    ["PUT", "~", 400, { body: "x" }],
    ["PUT", "notes.txt/x", 400, { body: "x" }],
    ["PUT", "/dev/null", 400, { body: "x" }],
    ["PUT", "x?mode=1", 422, { body: "x" }],
    ["PUT", "notes.txt", 501, { body: "x", headers: { "if-match": '"1"' } }],
    ["PUT", "notes.txt", 501, { body: "x", headers: { "content-range": "bytes 0-0/1" } }],
    ["PUT", "y".repeat(256), 422, { body: "x" }],
    ["DELETE", "nothing", 404],
    ["DELETE", "~", 403],
    ["DELETE", "~", 403],
    ["DELETE", "folder", 400],
    ["DELETE", "folder?recursive=maybe", 422],
    ["DELETE", "folder?recursiv=true", 422],
    ["POST", "notes.txt", 405, { body: "x" }],
    ["PATCH", "notes.txt", 405, { body: "x" }],
  ];

Deno.test("what cannot be is refused in words, and changes nothing", async () => {
  await using opened = await open();
  await Deno.writeTextFile(`${opened.home}/notes.txt`, "old");
  await Deno.mkdir(`${opened.home}/folder/inner`, { recursive: true });
  for (const [method, path, status, init] of BAD) {
    const [given, text] = await opened.ask(method, path, init);
    expect([method, path, given, text]).toEqual([method, path, status, expect.any(String)]);
    expect(Object.keys(JSON.parse(text))).toEqual(["detail", "code", "request_id"]);
  }
  expect(await namesIn(opened.home)).toEqual(["folder", "notes.txt"]);
  expect(await Deno.readTextFile(`${opened.home}/notes.txt`)).toBe("old");
});

const SPECIAL = "Grüße %41 漢字 😀.bin";

Deno.test("a file is put, sent and deleted, byte for byte, with the folders that it needs", async () => {
  await using opened = await open();
  const bytes = crypto.getRandomValues(new Uint8Array(50_000));
  const path = `new/${encodeURIComponent(SPECIAL)}`;
  expect(await opened.ask("PUT", path, { body: bytes })).toEqual([204, ""]);
  expect(await Deno.readFile(`${opened.home}/new/${SPECIAL}`)).toEqual(bytes);
  const answer = await opened.send("GET", path);
  expect(await answer.bytes()).toEqual(bytes);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-length": "50000",
    "content-type": "application/octet-stream",
    "x-content-type-options": "nosniff",
    "content-disposition": expect.stringContaining(encodeURIComponent(SPECIAL)),
  });
  const head = await opened.send("HEAD", path);
  expect([head.status, head.headers.get("content-length"), await head.text()])
    .toEqual([200, "50000", ""]);
  expect(await opened.ask("PUT", path, { body: "" })).toEqual([204, ""]);
  expect(await opened.ask("GET", path)).toEqual([200, ""]);
  expect(await opened.ask("GET", `/${encodeURIComponent(opened.home.slice(1))}/new`)).toEqual(
    [400, expect.stringContaining("it is a folder")],
  );
  expect(await opened.ask("DELETE", path)).toEqual([204, ""]);
  expect(await opened.ask("DELETE", "new?recursive=true")).toEqual([204, ""]);
  expect(await namesIn(opened.home)).toEqual([]);
});

Deno.test("absolute paths and ~ are those of the file operations", async () => {
  await using opened = await open();
  await opened.ask("PUT", "~/a.txt", { body: "a" });
  const absolute = `${opened.home}/a.txt`;
  expect(await opened.ask("GET", absolute)).toEqual([200, "a"]); // /v1/files//tmp/...
  expect(await opened.ask("GET", encodeURIComponent(absolute))).toEqual([200, "a"]);
});

Deno.test("a range, and a version that the client has, are sent as HTTP says", async () => {
  await using opened = await open();
  await opened.ask("PUT", "a", { body: "0123456789" });
  const part = async (range: string, more: Record<string, string> = {}) => {
    const answer = await opened.send("GET", "a", { headers: { range, ...more } });
    return [answer.status, answer.headers.get("content-range"), await answer.text()];
  };
  expect(await part("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
  expect(await part("bytes=-3")).toEqual([206, "bytes 7-9/10", "789"]);
  expect(await part("bytes=8-")).toEqual([206, "bytes 8-9/10", "89"]);
  expect(await part("bytes=4-2")).toEqual([200, null, "0123456789"]);
  const first = await opened.send("GET", "a");
  await first.body?.cancel();
  const tag = first.headers.get("etag")!;
  const same = await opened.send("GET", "a", { headers: { "if-none-match": tag } });
  expect([same.status, await same.text()]).toEqual([304, ""]);
  expect(await part("bytes=2-4", { "if-range": tag })).toEqual([206, "bytes 2-4/10", "234"]);
  await opened.ask("PUT", "a", { body: "abcdefghij" });
  expect(await part("bytes=2-4", { "if-range": tag })).toEqual([200, null, "abcdefghij"]);
});

Deno.test("a body that breaks off leaves the old file, or none, and no folder", async () => {
  await using opened = await open();
  await opened.ask("PUT", "old", { body: "old" });
  for (const path of ["old", "new/file"]) {
    using client = await Deno.connect({ hostname: "127.0.0.1", port: opened.port });
    const head =
      `PUT /v1/files/${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n`;
    await client.write(new TextEncoder().encode(head + "x".repeat(2_000)));
    await waitFor(async () => (await namesIn(opened.home)).length === 2, {
      what: "the beginning of the file",
    });
    client.close();
    await waitFor(async () => (await namesIn(opened.home)).join() === "old", {
      what: "nothing to be left",
    });
    expect(await opened.ask("GET", "old")).toEqual([200, "old"]);
  }
});

/** A PUT of which only the beginning has come. */
async function beginPut({ port, home }: Opened, path: string) {
  const before = await namesIn(dirname(`${home}/${path}`));
  const client = await Deno.connect({ hostname: "127.0.0.1", port });
  const head = `PUT /v1/files/${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2001\r\n\r\n`;
  await client.write(new TextEncoder().encode(head + "x".repeat(2_000)));
  const isBegun = async () => (await namesIn(dirname(`${home}/${path}`))).length > before.length;
  await waitFor(isBegun, { what: "the beginning of the file" });
  return {
    /** Sends the rest; the beginning of the answer. */
    async end() {
      await client.write(new TextEncoder().encode("y"));
      const answer = new Uint8Array(1_000);
      const size = await client.read(answer);
      return new TextDecoder().decode(answer.subarray(0, size ?? 0));
    },
    [Symbol.dispose]: () => client.close(),
  };
}

Deno.test("a body that comes slowly holds up nobody, and takes its place once all of it has come", async () => {
  await using opened = await open();
  const { home, app, ask } = opened;
  const inTime = { signal: AbortSignal.timeout(20_000) };
  const slow = `${"x".repeat(2_000)}y`;
  await ask("PUT", "old", { body: "first" });
  for (const path of ["old", "new"]) {
    using putting = await beginPut(opened, path);
    expect(await ask("PUT", path, { body: "meanwhile", ...inTime })).toEqual([204, ""]);
    const edit = { path: `${home}/${path}`, old_str: "mean", new_str: "other" };
    expect((await app.post("/api/editor/str-replace", edit)).status).toBe(204);
    expect(await ask("GET", path)).toEqual([200, "otherwhile"]);
    expect(await putting.end()).toContain("204");
    expect(await ask("GET", path)).toEqual([200, slow]);
  }
  await Deno.mkdir(`${home}/folder`);
  using putting = await beginPut(opened, "folder/file");
  expect(await ask("DELETE", "folder?recursive=true", inTime)).toEqual([204, ""]);
  expect(await putting.end()).toContain("404");
  expect(await namesIn(home)).toEqual(["new", "old"]);
});

Deno.test("of two that write a new file at once, both are done", async () => {
  await using opened = await open();
  const { home, app, ask } = opened;
  const path = `${home}/new`;
  const write = { path, content: "one", overwrite: true };
  const all = await Promise.all([
    ...Array.from({ length: 4 }, () => app.post("/api/filesystem/write", write)),
    ...Array.from({ length: 4 }, () => ask("PUT", "new", { body: "one" })),
  ]);
  expect(all.map((answer) => "status" in answer ? answer.status : answer[0]))
    .toEqual(Array(8).fill(204));
  expect(await namesIn(home)).toEqual(["new"]);
});

Deno.test("a body that is still coming is refused when a person takes over, and leaves nothing", async () => {
  await using opened = await open();
  using client = await Deno.connect({ hostname: "127.0.0.1", port: opened.port });
  const head = "PUT /v1/files/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n";
  await client.write(new TextEncoder().encode(head + "x".repeat(2_000)));
  await waitFor(async () => (await namesIn(opened.home)).length === 1, {
    what: "the beginning of the file",
  });
  await opened.app.session.use(Control).takeOver(ANNA);
  expect(await namesIn(opened.home)).toEqual([]);
  expect(await lineReader(client.readable).next()).toContain("423");
});

Deno.test("a file that is replaced keeps its mode, and one with two names is refused", async () => {
  await using opened = await open();
  const path = `${opened.home}/a`;
  await opened.ask("PUT", "a", { body: "one" });
  await Deno.chmod(path, 0o640);
  await opened.ask("PUT", "a", { body: "two" });
  expect((await Deno.stat(path)).mode! & 0o777).toBe(0o640);
  await Deno.symlink("a", `${opened.home}/link`);
  expect(await opened.ask("PUT", "link", { body: "three" })).toEqual([204, ""]);
  expect(await Deno.readTextFile(path)).toBe("three");
  await Deno.link(path, `${opened.home}/b`);
  const [status, text] = await opened.ask("PUT", "a", { body: "four" });
  expect([status, text]).toEqual([409, expect.stringContaining("filesystem/write")]);
  expect(await Deno.readTextFile(path)).toBe("three");
});

Deno.test({
  name: "a FIFO, or one that takes the place of a file, holds up nobody",
  ignore: unless(Deno.build.os !== "windows", "Windows has no FIFOs"),
  async fn() {
    await using opened = await open();
    const path = `${opened.home}/swapped`;
    await Deno.writeTextFile(path, "a file");
    const made = await new Deno.Command("mkfifo", { args: [`${opened.home}/fifo`] }).output();
    expect(made.success).toBe(true);
    for (const method of ["GET", "PUT"]) {
      const body = method === "PUT" ? { body: "x" } : {};
      expect((await opened.ask(method, "fifo", body))[0]).toBe(400);
    }
    let stopped = false;
    const swapping = (async () => {
      while (!stopped) {
        await Deno.rename(path, `${opened.home}/aside`);
        await Deno.rename(`${opened.home}/fifo`, path);
        await Deno.rename(path, `${opened.home}/fifo`);
        await Deno.rename(`${opened.home}/aside`, path);
      }
    })();
    const seen = new Set<number>();
    for (let round = 0; round < 60; round++) seen.add((await opened.ask("GET", "swapped"))[0]);
    stopped = true;
    await swapping;
    expect([...seen].filter((status) => ![200, 400, 404].includes(status))).toEqual([]);
    expect((await opened.ask("GET", "swapped"))[0]).toBe(200);
  },
});

Deno.test("flags and scopes of the file operations are those of files as bytes", async () => {
  const rows: readonly (readonly [Partial<Config>, string, string, number])[] = [
    [{ disabled: new Set(["filesystem"]) }, "GET", "--disable", 403],
    [{ disabled: new Set(["filesystem"]) }, "PUT", "--disable", 403],
    [{ readOnly: true }, "GET", "", 404],
    [{ readOnly: true }, "PUT", "--read-only", 403],
    [{ readOnly: true }, "DELETE", "--read-only", 403],
    [{ token: "s3cret" }, "GET", "token", 401],
    [{ token: "s3cret" }, "PUT", "token", 401],
  ];
  for (const [config, method, words, status] of rows) {
    await using opened = await open(config);
    const [given, text] = await opened.ask(method, "a", method === "PUT" ? { body: "x" } : {});
    expect([method, given, text]).toEqual([method, status, expect.stringContaining(words)]);
    expect(await namesIn(opened.home)).toEqual([]);
  }
});

Deno.test("300 MB go in and out without being in memory", async () => {
  await using opened = await open();
  const size = 300 * 1024 * 1024;
  const piece = crypto.getRandomValues(new Uint8Array(1024 * 1024).subarray(0, 65_536));
  let left = size;
  let most = 0;
  const watch = () => most = Math.max(most, Deno.memoryUsage().rss);
  const before = Deno.memoryUsage().rss;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      watch();
      controller.enqueue(piece.slice());
      left -= piece.length;
      if (left <= 0) controller.close();
    },
  }, { highWaterMark: 0 });
  const began = performance.now();
  expect(await opened.ask("PUT", "large", { body })).toEqual([204, ""]);
  const put = performance.now();
  expect((await Deno.stat(`${opened.home}/large`)).size).toBe(size);
  let got = 0;
  for await (const chunk of (await opened.send("GET", "large")).body!) {
    got += chunk.length;
    watch();
  }
  const ended = performance.now();
  expect(got).toBe(size);
  const mib = Math.round((most - before) / 1024 / 1024);
  console.log(`put ${Math.round(put - began)} ms, got ${Math.round(ended - put)} ms, ${mib} MiB`);
  expect(mib).toBeLessThan(150);
});
