/**
 * The interface of agent-sandbox: by its official client, and by plain requests, with real commands
 * and files.
 */

import { expect } from "expect";
import { type CompatService, startCompat } from "../support/compat_service.ts";
import { pythonWith } from "../support/python_packages.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const TOKEN = "a-token-of-some-length-for-this-test";
/** With a blank, a quote, a percent sign and what is not ASCII. */
const NAME = "Ordner/ü b'c 100%.bin";
const ENCODED = encodeURIComponent(NAME);

const python = await pythonWith(["k8s-agent-sandbox==1.0.8"]);
const ignore = unless(
  typeof python !== "string",
  `k8s-agent-sandbox cannot be installed: ${python}`,
);

// deno-lint-ignore no-explicit-any -- each route has its own answer
type Answer = [status: number, body: any];

async function ask(
  { address }: CompatService,
  path: string,
  init?: RequestInit,
): Promise<Answer> {
  const response = await fetch(address + path, init);
  const text = await response.text();
  return [response.status, text === "" ? undefined : JSON.parse(text)];
}

async function execute(service: CompatService, body: unknown): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  return await ask(service, "/execute", { method: "POST", headers, body: sent });
}

async function upload(
  service: CompatService,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const form = new FormData();
  form.append("note", "a field that is no file");
  form.append("file", new File([bytes], name));
  return await ask(service, "/upload", { method: "POST", body: form });
}

async function download(service: CompatService, path: string): Promise<Uint8Array> {
  const response = await fetch(service.address + path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/octet-stream");
  return new Uint8Array(await response.arrayBuffer());
}

/** Larger than what one operation reads, and no repetition of a part. */
function manyBytes(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2_500_001);
  for (let at = 0; at < bytes.length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return bytes;
}

const FILES = {
  read: true,
  text: "Grüße\n",
  list: [["text", 8, "file", true], ["ünd 'so' 100%.bin", 1_024, "file", true]],
  "in the home": true,
  received: 6_275_000,
  large: true,
  exists: [true, true, false],
  missing: 404,
  outside: 403,
};
const COMMANDS = { ran: ["out\n", "err\n", 3, false], late: [124, true] };

Deno.test({
  name: "the official client of agent-sandbox runs commands and moves files, by both interfaces",
  ignore,
  async fn() {
    await using service = await startCompat("agent-sandbox");
    expect(await callByClient(service, "")).toEqual({
      ...COMMANDS,
      runtime: FILES,
      sandboxd: FILES,
      "not empty": 409,
      deleted: true,
    });
  },
});

Deno.test({
  name: "the official client of agent-sandbox sends the token as an extra header",
  ignore,
  async fn() {
    const env = { COMPUTER_CONTROL_TOKEN: TOKEN };
    await using service = await startCompat("agent-sandbox", [], env);
    expect(await callByClient(service, TOKEN)).toEqual({ ...COMMANDS, runtime: FILES });
    expect((await ask(service, "/"))[0]).toBe(401);
  },
});

async function callByClient({ host, home }: CompatService, token: string): Promise<unknown> {
  if (typeof python === "string") throw new Error(python);
  const script = new URL("./agent_sandbox_client.py", import.meta.url);
  return JSON.parse(await python.run(script, [host, "8888", home, token]));
}

Deno.test("a command is split into words and run without a shell", async (t) => {
  await using service = await startCompat("agent-sandbox");
  const print = async (command: string) => {
    const [status, body] = await execute(service, { command });
    expect([status, body.exit_code, body.stderr]).toEqual([200, 0, ""]);
    return body.stdout;
  };

  await t.step("health", async () => {
    expect(await ask(service, "/"))
      .toEqual([200, { status: "ok", message: "Sandbox Runtime is active." }]);
  });

  await t.step("what means something to a shell is a word", async () => {
    expect(await print(`printf '%s,' a 'b  c' "d\\"e" f\\ g $HOME *.x '' | cat > y; 'it'"'"s`))
      .toBe(`a,b  c,d"e,f g,$HOME,*.x,,|,cat,>,y;,it's,`);
    expect(await print("pwd")).toBe(`${service.home}\n`);
    expect(await print("echo Grüße 漢字")).toBe("Grüße 漢字\n");
  });

  await t.step("output, errors and the code are apart", async () => {
    expect(await execute(service, { command: "sh -c 'echo out; echo err >&2; exit 3'" }))
      .toEqual([200, { stdout: "out\n", stderr: "err\n", exit_code: 3 }]);
    const [status, missing] = await execute(service, { command: "no-such-program x" });
    expect([status, missing.stdout, missing.exit_code]).toEqual([200, "", 127]);
    expect(missing.stderr).toMatch(/no-such-program/);
  });

  await t.step("what cannot be split has failed", async () => {
    const reasons = {
      "echo 'a": "No closing quotation",
      "echo a\\": "No escaped character",
      " \n": "it is empty",
    };
    for (const [line, reason] of Object.entries(reasons)) {
      expect(await execute(service, { command: line })).toEqual([200, {
        stdout: "",
        stderr: `Failed to execute command: ${reason}`,
        exit_code: 1,
      }]);
    }
    const [, long] = await execute(service, { command: "x".repeat(200_000) });
    expect(long.stderr).toMatch(/more than 131072 characters/);
  });

  await t.step("one whose time is up is ended with what it has started", async () => {
    const command = `sh -c 'echo begun; sleep 3600 & echo $! > pid; wait'`;
    expect(await execute(service, { command, timeout_seconds: 5 })).toEqual([200, {
      stdout: "begun\n",
      stderr: "Command timed out after 5 seconds",
      exit_code: 124,
      timed_out: true,
    }]);
    const pid = (await Deno.readTextFile(`${service.home}/pid`)).trim();
    await waitFor(() => Deno.stat(`/proc/${pid}`).then(() => false, () => true), {
      what: "the end of the command",
    });
  });

  await t.step("bodies that are no command", async () => {
    const bodies = ["", "{", "[]", {}, { command: 7 }, { command: null }];
    for (const body of bodies) {
      expect(await execute(service, body)).toEqual([422, { message: expect.any(String) }]);
    }
    for (const timeout_seconds of ["1", 0, -1]) {
      expect(await execute(service, { command: "true", timeout_seconds }))
        .toEqual([422, { message: "timeout_seconds should be a number greater than 0" }]);
    }
  });
});

Deno.test("files go up and down as bytes, below the home", async (t) => {
  await using service = await startCompat("agent-sandbox");
  const bytes = manyBytes();

  await t.step("a name with folders, blanks and what is not ASCII", async () => {
    expect(await upload(service, NAME, bytes))
      .toEqual([200, { message: `File '${NAME}' uploaded successfully.` }]);
    expect(await Deno.readFile(`${service.home}/${NAME}`)).toEqual(bytes);
    expect(await download(service, `/download/${ENCODED}`)).toEqual(bytes);
    expect(await download(service, `/download/%2F${ENCODED}`)).toEqual(bytes);
    expect(await ask(service, `/exists/${ENCODED}`)).toEqual([200, { path: NAME, exists: true }]);
    const [, [entry]] = await ask(service, "/list/Ordner");
    const { mtime } = await Deno.stat(`${service.home}/${NAME}`);
    expect(entry).toEqual({
      name: "ü b'c 100%.bin",
      size: bytes.length,
      type: "file",
      mod_time: mtime!.getTime() / 1_000,
    });
  });

  await t.step("its length is known before it comes", async () => {
    const { headers, body } = await fetch(`${service.address}/download/${ENCODED}`);
    await body?.cancel();
    expect(headers.get("content-length")).toBe(String(bytes.length));
    expect(headers.get("content-disposition"))
      .toBe("attachment; filename*=utf-8''%C3%BC%20b%27c%20100%25.bin");
  });

  await t.step("an upload replaces, and may be empty", async () => {
    expect((await upload(service, NAME, new Uint8Array()))[0]).toBe(200);
    expect(await download(service, `/download/${ENCODED}`)).toEqual(new Uint8Array());
    expect((await upload(service, `quo"ted`, new Uint8Array([1])))[0]).toBe(200);
    expect(await download(service, "/download/quo%22ted")).toEqual(new Uint8Array([1]));
  });

  await t.step("a file that the kernel generates has no length before its end", async () => {
    await Deno.symlink("/proc/version", `${service.home}/version`);
    expect(await download(service, "/download/version")).toEqual(
      await Deno.readFile("/proc/version"),
    );
  });

  await t.step("the home itself is listed, with what is hidden", async () => {
    await Deno.writeTextFile(`${service.home}/.hidden`, "a");
    for (const path of ["/list/", "/list/.", "/list/%2F", "/list/Ordner%2F.."]) {
      const [status, entries] = await ask(service, path);
      const names = entries.map(({ name }: { name: string }) => name);
      expect([path, status, names.includes(".hidden"), names.includes("Ordner")])
        .toEqual([path, 200, true, true]);
    }
  });

  await t.step("nothing leads out of it", async () => {
    const denied = [403, { message: expect.stringMatching(/^Access denied/) }];
    for (const path of ["..%2Fx", "a%2F..%2F..%2Fx", "%2F..%2Fx"]) {
      expect(await ask(service, `/download/${path}`)).toEqual(denied);
      expect(await ask(service, `/list/${path}`)).toEqual(denied);
      expect(await ask(service, `/exists/${path}`)).toEqual(denied);
    }
    expect(await upload(service, "../x", new Uint8Array([1]))).toEqual(denied);
    const [, etc] = await ask(service, "/exists/%2Fetc%2Fpasswd");
    expect(etc.exists).toBe(false); // it is ~/etc/passwd
  });

  await t.step("what is not there, or is something else", async () => {
    const missing = [404, { message: expect.any(String) }];
    expect(await ask(service, "/download/none")).toEqual(missing);
    expect(await ask(service, "/download/Ordner")).toEqual(missing);
    expect(await ask(service, "/list/none")).toEqual(missing);
    expect(await ask(service, `/list/${ENCODED}`)).toEqual(missing);
    expect(await ask(service, `/exists/${ENCODED}%2Fx`))
      .toEqual([200, { path: `${NAME}/x`, exists: false }]);
    expect(await ask(service, "/download/%FF")).toEqual([422, { message: expect.any(String) }]);
    const nul = await ask(service, "/download/a%00b");
    expect(nul).toEqual([422, { message: expect.stringMatching(/NUL/) }]);
    expect((await upload(service, "Ordner", new Uint8Array([1])))[0]).toBe(400);
  });

  await t.step("bodies that are no upload", async () => {
    const send = (body: BodyInit, type: string) =>
      ask(service, "/upload", { method: "POST", body, headers: { "content-type": type } });
    const boundary = "multipart/form-data; boundary=x";
    const refused = [422, { message: expect.any(String) }];
    expect(await send("{}", "application/json")).toEqual(refused);
    expect(await send("--x--\r\n", "multipart/form-data")).toEqual(refused);
    expect(await send("", boundary)).toEqual(refused);
    expect(await send("--x--\r\n", boundary)).toEqual(refused);
    expect(await send("--x\r\nno end", boundary)).toEqual(refused);
    const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="cut"\r\n\r\nab`;
    expect(await send(part, boundary)).toEqual(refused);
    expect(await ask(service, "/exists/cut")).toEqual([200, { path: "cut", exists: false }]);
  });

  await t.step("more than the service takes is refused", async () => {
    const [status] = await upload(service, "large", new Uint8Array(17 * 1024 * 1024));
    expect(status).toBe(413);
    expect(await Deno.stat(`${service.home}/large`).catch(({ name }) => name)).toBe("NotFound");
  });

  await t.step("nearly as much as the service takes arrives", async () => {
    const large = new Uint8Array(16 * 1024 * 1024 - 10_000).fill(7);
    expect((await upload(service, "large", large))[0]).toBe(200);
    expect(await Deno.readFile(`${service.home}/large`)).toEqual(large);
  });
});

Deno.test("the files of sandboxd, with its codes", async (t) => {
  await using service = await startCompat("agent-sandbox");
  const bytes = manyBytes();
  const url = `/v1/files/${ENCODED}`;
  const failed = (status: number, code: string) => [status, { code, message: expect.any(String) }];
  const put = (path: string, body: BodyInit) => ask(service, path, { method: "PUT", body });
  const remove = (path: string) => ask(service, path, { method: "DELETE" });

  await t.step("health and metadata", async () => {
    expect(await ask(service, "/v1/health"))
      .toEqual([200, { status: "ok", uptime_seconds: expect.any(Number) }]);
    expect(await ask(service, "/v1/metadata")).toEqual([200, { env: {} }]);
  });

  await t.step("a file", async () => {
    expect(await put(url, bytes)).toEqual([204, undefined]);
    expect(await Deno.readFile(`${service.home}/${NAME}`)).toEqual(bytes);
    expect(await download(service, url)).toEqual(bytes);
    const head = await fetch(service.address + url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()])
      .toEqual([200, String(bytes.length), ""]);
    expect(await put(url, "")).toEqual([204, undefined]);
    expect(await download(service, url)).toEqual(new Uint8Array());
    const form = new FormData();
    form.append("file", new File(["from a form"], "its name is ignored"));
    expect(await put(url, form)).toEqual([204, undefined]);
    expect(new TextDecoder().decode(await download(service, url))).toBe("from a form");
  });

  await t.step("a folder", async () => {
    await Deno.mkdir(`${service.home}/Ordner/Z`);
    const [status, listing] = await ask(service, "/v1/files/Ordner");
    expect(status).toBe(200);
    expect(listing.path).toBe("/Ordner");
    expect(listing.entries.map(({ name, type }: { name: string; type: string }) => [name, type]))
      .toEqual([["Z", "directory"], ["ü b'c 100%.bin", "file"]]);
    const { mtime } = await Deno.stat(`${service.home}/${NAME}`);
    expect(listing.entries[1]).toMatchObject({ size: 11, modified_at: mtime!.toISOString() });
    expect((await ask(service, "/v1/files/"))[1].path).toBe("/");
    expect((await fetch(`${service.address}/v1/files/Ordner`, { method: "HEAD" })).status)
      .toBe(200);
  });

  await t.step("what cannot be", async () => {
    expect(await ask(service, "/v1/files/none")).toEqual(failed(404, "NOT_FOUND"));
    expect(await ask(service, `${url}%2Fx`)).toEqual(failed(404, "NOT_FOUND"));
    expect((await fetch(`${service.address}/v1/files/none`, { method: "HEAD" })).status).toBe(404);
    expect(await ask(service, "/v1/files/%2E%2E%2Fx")).toEqual(failed(403, "PERMISSION_DENIED"));
    expect(await put("/v1/files/..%2Fx", "a")).toEqual(failed(403, "PERMISSION_DENIED"));
    expect(await put("/v1/files/Ordner", "a")).toEqual(failed(400, "INVALID_ARGUMENT"));
    expect(await put(`${url}?mode=0755`, "a")).toEqual(failed(400, "INVALID_ARGUMENT"));
    expect(await put("/v1/files/%FF", "a")).toEqual(failed(400, "INVALID_ARGUMENT"));
    expect(new TextDecoder().decode(await download(service, url))).toBe("from a form");
  });

  await t.step("deleting", async () => {
    expect(await remove("/v1/files/none")).toEqual(failed(404, "NOT_FOUND"));
    expect(await remove("/v1/files/Ordner")).toEqual(failed(409, "CONFLICT"));
    expect(await remove("/v1/files/Ordner?recursive=maybe")).toEqual(
      failed(400, "INVALID_ARGUMENT"),
    );
    expect(await remove("/v1/files/?recursive=true")).toEqual(failed(403, "PERMISSION_DENIED"));
    expect(await remove(url)).toEqual([204, undefined]);
    expect(await remove("/v1/files/Ordner?recursive=1")).toEqual([204, undefined]);
    expect(await Deno.stat(`${service.home}/Ordner`).catch(({ name }) => name)).toBe("NotFound");
  });
});

Deno.test("a service that only reads changes nothing for these clients either", async () => {
  await using service = await startCompat("agent-sandbox", ["--read-only"]);
  const [status, body] = await execute(service, { command: "true" });
  expect([status, body.message]).toEqual([403, expect.stringMatching(/--read-only/)]);
  expect((await upload(service, "a", new Uint8Array([1])))[0]).toBe(403);
  expect((await ask(service, "/list/"))[0]).toBe(200);
});
