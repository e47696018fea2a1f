/** Whom a running service lets in by the tokens of its store, and what ends when one is revoked. */

import { expect } from "expect";
import { z } from "zod";
import { connectionLimits, startServer } from "../../../src/http/connections/server.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { json } from "../../../src/features/operation.ts";
import { Streamed } from "../../../src/features/streamed.ts";
import { addToken, revokeToken, tokensPath } from "../../../src/http/tokens/token_store.ts";
import { Tokens } from "../../../src/http/tokens/tokens.ts";
import { doing, SAMPLES } from "../../support/sample_operations.ts";
import { testFolder } from "../../support/folder.ts";
import { unless } from "../../support/test_if.ts";
import { bearer, type TokenApp, tokenApp } from "../../support/tokens.ts";
import { waitFor } from "../../support/wait.ts";

const QUERY = "/api/sample/query";
const samples = { operations: SAMPLES };

async function statusOf({ app }: TokenApp, token?: string, path = QUERY): Promise<number> {
  const headers = token === undefined ? {} : bearer(token);
  return (await app.send("GET", path, { headers })).status;
}

/** What is known of the file may be a moment old. */
async function becomes(status: number, used: TokenApp, token?: string): Promise<void> {
  await waitFor(async () => await statusOf(used, token) === status, { what: `${status}` });
}

Deno.test("a token of the store lets in, and nothing like it does", async () => {
  await using used = await tokenApp(["one", "two"], samples);
  const [one, two] = used.tokens as [string, string];
  expect(await statusOf(used)).toBe(401);
  expect(await statusOf(used, one)).toBe(200);
  expect(await statusOf(used, two)).toBe(200);
  const wrong = [one.slice(0, -1), `${one}x`, one.toUpperCase(), one.slice(4), `cct_${two}`];
  const flipped = one.slice(0, -1) + (one.endsWith("A") ? "B" : "A");
  for (const token of [...wrong, flipped]) expect(await statusOf(used, token)).toBe(401);
});

Deno.test("the token of the command line is good beside those of the store", async () => {
  await using used = await tokenApp(["one"], { ...samples, config: { token: "s3cret" } });
  expect(await statusOf(used, "s3cret")).toBe(200);
  expect(await statusOf(used, used.tokens[0])).toBe(200);
  expect(await statusOf(used, "s3cre")).toBe(401);
});

Deno.test("a service asks for a token as soon as there is one, and from then on", async () => {
  await using used = await tokenApp([], samples);
  expect(await statusOf(used)).toBe(200);
  const token = await used.add("one");
  await becomes(401, used);
  expect(await statusOf(used, token)).toBe(200);
  await revokeToken(used.stateDir, "one");
  await becomes(401, used, token);
  expect(await statusOf(used)).toBe(401);
  await Deno.remove(tokensPath(used.stateDir));
  const second = await used.add("two");
  await becomes(200, used, second);
  expect(await statusOf(used)).toBe(401);
});

Deno.test("a token that has expired lets nobody in, also one that was read before", async () => {
  await using used = await tokenApp([], samples);
  const over = await used.add("over", { expires: Date.now() - 1 });
  await becomes(401, used);
  expect(await statusOf(used, over)).toBe(401);
  const soon = await used.add("soon", { expires: Date.now() + 2_000 });
  await becomes(200, used, soon);
  await becomes(401, used, soon);
});

Deno.test("a token that was revoked and one of the same name are two", async () => {
  await using used = await tokenApp(["one"], samples);
  const [old] = used.tokens;
  await revokeToken(used.stateDir, "one");
  const token = await used.add("one");
  await becomes(200, used, token);
  expect(await statusOf(used, old)).toBe(401);
});

Deno.test({
  name: "a file of tokens that others could have changed lets nobody in, until it is mended",
  ignore: unless(Deno.build.os !== "windows", "this system has no permission bits"),
  async fn() {
    await using used = await tokenApp(["one"], { ...samples, config: { token: "s3cret" } });
    const [token] = used.tokens;
    expect(await statusOf(used, token)).toBe(200);
    await Deno.chmod(tokensPath(used.stateDir), 0o666);
    await becomes(503, used, token);
    const { json } = await used.app.send("GET", QUERY, { headers: bearer(token!) });
    expect(json.detail).not.toContain(used.stateDir);
    expect(await statusOf(used, "s3cret")).toBe(200);
    expect(await statusOf(used)).toBe(401);
    expect(used.logged.filter((line) => line.includes("mode 666"))).toHaveLength(1);
    await Deno.chmod(tokensPath(used.stateDir), 0o600);
    await becomes(200, used, token);
  },
});

Deno.test("a service without tokens is closed by a file that cannot be read", async () => {
  await using used = await tokenApp([], samples);
  expect(await statusOf(used)).toBe(200);
  await Deno.writeTextFile(tokensPath(used.stateDir), "{", { mode: 0o600 });
  await becomes(401, used);
});

Deno.test("Tokens.open() refuses a file that is damaged", async () => {
  await using folder = await testFolder();
  await Deno.writeTextFile(tokensPath(folder.path), "{", { mode: 0o600 });
  await expect(Tokens.open({ stateDir: folder.path })).rejects.toThrow(/it is damaged/);
});

/** Serves an operation that lasts until its caller leaves. */
function serveLasting() {
  const running = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const lasting = doing(({ signal }) => {
    signal.addEventListener("abort", () => stopped.resolve());
    running.resolve();
    return stopped.promise;
  });
  return { operations: [...SAMPLES, lasting], running: running.promise, stopped: stopped.promise };
}

for (
  const [what, end] of [
    ["is revoked", (stateDir: string) => revokeToken(stateDir, "one")],
    ["loses its file", (stateDir: string) => Deno.remove(tokensPath(stateDir))],
  ] as const
) {
  Deno.test(`what runs by a token ends when it ${what}, and what runs by others does not`, async () => {
    const lasting = serveLasting();
    await using used = await tokenApp(["one"], {
      operations: lasting.operations,
      config: { token: "s3cret" },
    });
    await using server = serveFor(used);
    const { url } = server;
    const ask = (token: string) =>
      fetch(`${url}/api/sample/do`, {
        method: "POST",
        headers: { ...bearer(token), "content-type": "application/json" },
        body: "{}",
      });
    const asked = ask(used.tokens[0]!);
    // Deno's own client asks once more where a connection is closed without an answer
    const failed = asked.then(async (answer) => {
      await answer.body?.cancel();
      return answer.status === 401;
    }, () => true);
    await lasting.running;
    await end(used.stateDir);
    expect(await failed).toBe(true);
    await lasting.stopped;
    const again = await fetch(`${url}${QUERY}`, { headers: bearer("s3cret") });
    expect([again.status, await again.body?.cancel()]).toEqual([200, undefined]);
  });
}

Deno.test("a stream ends with the token, and those of others go on", async () => {
  const streaming = doing(() => new Streamed(numbers(), new Promise(() => {})), {
    method: "GET",
    path: "/api/sample/numbers",
    answer: json("Numbers.", z.unknown()),
  });
  const { body: _body, ...operation } = streaming;
  await using used = await tokenApp(["one", "two"], { operations: [operation] });
  await using server = serveFor(used);
  const read = async (token: string) => {
    const answer = await fetch(`${server.url}/api/sample/numbers`, { headers: bearer(token) });
    return answer.body!.getReader();
  };
  const [one, two] = [await read(used.tokens[0]!), await read(used.tokens[1]!)];
  for (const reader of [one, two]) expect((await reader.read()).done).toBe(false);
  await revokeToken(used.stateDir, "one");
  await expect((async () => {
    while (!(await one.read()).done);
    throw new Error("It ended as if it were whole");
  })()).rejects.toThrow(/^(?!It ended as if)/);
  for (let count = 0; count < 10; count++) expect((await two.read()).done).toBe(false);
  await two.cancel();
});

/** A number every few milliseconds, without end. */
function numbers(): ReadableStream<Uint8Array<ArrayBuffer>> {
  let number = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      controller.enqueue(new TextEncoder().encode(`${++number} `));
    },
  }, { highWaterMark: 0 });
}

/** As the program serves it: the connections of a plain `Deno.serve` cannot be closed. */
function serveFor({ app }: TokenApp) {
  const limits = connectionLimits(DEFAULT_LIMITS, 1_024);
  const server = startServer({ hostname: "127.0.0.1", port: 0, limits }, app.fetch);
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("a browser that has signed in by a token is out when that is revoked", async () => {
  await using used = await tokenApp(["one", "two"], samples);
  const host = "127.0.0.1:4242";
  const signIn = async (token: string) => {
    const { status, headers } = await used.app.send("POST", "/docs/session", {
      headers: { host, origin: `http://${host}`, "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    expect(status).toBe(204);
    return headers.get("set-cookie")!.split(";")[0]!;
  };
  const [one, two] = [await signIn(used.tokens[0]!), await signIn(used.tokens[1]!)];
  expect(one).not.toBe(two);
  const get = async (cookie: string) =>
    (await used.app.send("GET", QUERY, { headers: { host, cookie } })).status;
  expect([await get(one), await get(two)]).toEqual([200, 200]);
  const forged = one.replace(/=[^.]+/, /=[^.]+/.exec(two)![0]); // the id of another token
  expect(await get(forged)).toBe(401);
  await revokeToken(used.stateDir, "one");
  await waitFor(async () => await get(one) === 401, { what: "the session to end" });
  expect(await get(two)).toBe(200);
});

Deno.test("the ports of other interfaces ask for the tokens of the store, too, and show no page", async () => {
  await using used = await tokenApp(["one"], samples);
  const answer = used.app.answerBy(() => new Response("let in"));
  const ask = async (headers: Record<string, string>) => {
    const all = { host: "localhost", accept: "text/html", ...headers };
    const answered = await answer(new Request("http://localhost/docs", { headers: all }));
    return [answered.status, (await answered.text()).includes("let in")];
  };
  expect(await ask({})).toEqual([401, false]);
  expect(await ask(bearer("wrong"))).toEqual([401, false]);
  expect(await ask(bearer(used.tokens[0]!))).toEqual([200, true]);
});

Deno.test("who is a person by another token, and whether programs have one of their own", async () => {
  await using folder = await testFolder();
  const stateDir = folder.path;
  const read = (token?: string) => Tokens.open({ stateDir, ...(token && { token }) });
  const anna = await addToken(stateDir, { name: "anna", scopes: ["all"] });
  const tokens = await read();
  const id = tokens.find(anna)!.id;
  expect([tokens.hasOtherPerson(id), tokens.hasOtherPerson("main")]).toEqual([false, true]);
  expect(tokens.hasProgram).toBe(false);
  expect((await read("s3cret")).hasOtherPerson(id)).toBe(true);
  await addToken(stateDir, { name: "agent", scopes: ["view", "input"] });
  const more = await read();
  expect([more.hasOtherPerson(id), more.hasProgram]).toEqual([false, true]);
  const soon = Date.now() + 1;
  await addToken(stateDir, { name: "ben", scopes: ["control"], expires: soon });
  await waitFor(() => Date.now() > soon);
  expect((await read()).hasOtherPerson(id)).toBe(false);
});
