/** Routes of another interface, which call operations behind the checks that their request has passed. */

import { expect } from "expect";
import { z } from "zod";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { defineOperation, json } from "../../src/features/operation.ts";
import type { Caller } from "../../src/http/connections/connections.ts";
import { findSending } from "../../src/http/connections/long_answers.ts";
import type { OtherRoutes, WordRefusal } from "../../src/http/other_interface.ts";
import { received, testApp, type TestAppOptions } from "../support/client.ts";

const TOKEN = "a-token";
const plain = { group: "system", readOnly: true, summary: "A sample", method: "POST" } as const;

const OPERATIONS = [
  defineOperation({
    ...plain,
    id: "short",
    path: "/api/sample/short",
    body: z.object({ text: z.string().default("") }),
    answer: json("Its length.", z.object({ length: z.int() })),
    run: (_context, { text }) => ({ length: text.length }),
  }),
  defineOperation({
    ...plain,
    id: "long",
    long: true,
    readOnly: false,
    path: "/api/sample/long",
    body: z.object({}),
    answer: json("Nothing.", z.null()),
    run: () => null,
  }),
  defineOperation({
    ...plain,
    id: "large",
    large: true,
    path: "/api/sample/large",
    body: z.object({}),
    answer: json("Much.", z.string()),
    run: () => "x".repeat(300_000),
  }),
];

/** Sends one request to the routes, as it comes by a port of their own. */
async function ask(
  routes: OtherRoutes,
  { config, caller, path = "/any/path", word, ...init }: RequestInit & {
    readonly config?: TestAppOptions["config"];
    readonly caller?: Caller;
    readonly path?: string;
    readonly word?: WordRefusal;
  } = {},
) {
  const app = testApp({ operations: OPERATIONS, ...(config && { config }) });
  const request = new Request(`http://localhost${path}`, {
    ...init,
    headers: { host: "localhost", ...init.headers as Record<string, string> },
  });
  const answer = app.answerBy(routes, word);
  const response = await (caller === undefined ? answer(request) : answer(request, caller));
  return { response, logged: app.logged };
}

function operation(name: string, body: object = {}): Request {
  return new Request(`http://localhost/api/sample/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const REFUSED: readonly (readonly [string, Record<string, string>, number])[] = [
  ["no token", {}, 401],
  ["another token", { authorization: "Bearer another" }, 401],
  ["a foreign Host", { host: "evil.example", authorization: `Bearer ${TOKEN}` }, 403],
  ["a foreign Origin", { origin: "http://evil.example", authorization: `Bearer ${TOKEN}` }, 403],
  ["a foreign page", { "sec-fetch-site": "cross-site", authorization: `Bearer ${TOKEN}` }, 403],
];

for (const [what, headers, status] of REFUSED) {
  Deno.test(`answerBy() refuses ${what} before a route is looked for`, async () => {
    const asked: string[] = [];
    const routes: OtherRoutes = ({ url }) => {
      asked.push(url);
      return new Response();
    };
    for (const path of ["/execute", "/no/such/route", "/docs", "/healthz"]) {
      const { response } = await ask(routes, { config: { token: TOKEN }, headers, path });
      expect(response.status).toBe(status);
      expect(response.headers.get("x-request-id")).toMatch(/./);
      await response.body?.cancel();
    }
    expect(asked).toEqual([]);
  });
}

Deno.test("answerBy() gives a route the request as it was sent, and the answer a request id", async () => {
  const routes: OtherRoutes = async (request) =>
    Response.json([
      request.method,
      request.url,
      await request.text(),
      request.headers.get("x-own"),
    ]);
  const { response } = await ask(routes, {
    config: { token: TOKEN, name: "desk-1" },
    path: "/other/path?query=1",
    method: "PUT",
    body: "text",
    headers: { authorization: `Bearer ${TOKEN}`, "x-own": "own", "x-request-id": "given" },
  });
  const { status, headers, json } = await received(response);
  expect([status, headers.get("x-request-id")]).toEqual([200, "given"]);
  expect(json).toEqual(["PUT", "http://localhost/other/path?query=1", "text", "own"]);
});

Deno.test("a called operation answers whatever its own checks say", async () => {
  const routes: OtherRoutes = async (_request, { answer }) => {
    const answers = [];
    for (const name of ["short", "long", "none"]) {
      const { status, json } = await received(await answer(operation(name, { unknown: 1 })));
      answers.push([status, json.code, json.request_id]);
    }
    return Response.json(answers);
  };
  const init = { config: { readOnly: true }, headers: { "x-request-id": "one" } };
  const { response } = await ask(routes, init);
  expect((await received(response)).json).toEqual([
    [422, "invalid", "one"],
    [403, "forbidden", "one"],
    [404, "not_found", "one"],
  ]);
});

Deno.test("a request is admitted once for each kind of what it calls, and shares one permit", async () => {
  const noted: string[] = [];
  const caller: Caller = {
    remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
    admit: ({ long }) => void noted.push(long ? "long" : "short"),
    reserve: () => {
      noted.push("large");
      return Promise.resolve(true);
    },
    awaitBody: () => void noted.push("body"),
    endBody: () => {},
    holdBody: () => {},
  };
  const routes: OtherRoutes = async (_request, { answer }) => {
    for (const name of ["short", "large", "short", "long", "large", "long", "short"]) {
      const response = await answer(operation(name));
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
    return new Response("done");
  };
  const { response } = await ask(routes, { caller, method: "POST", body: "{}" });
  expect((await received(response)).text).toBe("done");
  expect(noted).toEqual(["short", "body", "large", "long"]);
});

Deno.test("what is made of a long answer is followed while it is sent, a short one is not", async () => {
  const large: OtherRoutes = async (_request, { answer }) =>
    new Response((await answer(operation("large"))).body!.pipeThrough(new TransformStream()));
  const followed = await ask(large);
  expect(findSending(followed.response)).toBeDefined();
  expect((await received(followed.response)).text.length).toBe(300_002);
  const short: OtherRoutes = async (_request, { answer }) =>
    new Response((await answer(operation("short"))).body);
  const { response } = await ask(short);
  expect(findSending(response)).toBeUndefined();
  expect((await received(response)).json).toEqual({ length: 0 });
});

Deno.test("a body that is too large is refused before a route, and what is made of it may be larger", async () => {
  const config = { limits: { ...DEFAULT_LIMITS, maxBodyBytes: 1_000 } };
  const routes: OtherRoutes = async (request, { answer }) => {
    const text = new Uint8Array(await request.arrayBuffer()).toBase64();
    return await answer(operation("short", { text }));
  };
  const fits = await ask(routes, { config, method: "POST", body: new Uint8Array(900) });
  expect((await received(fits.response)).json).toEqual({ length: 1_200 });
  const over = await ask(routes, { config, method: "POST", body: new Uint8Array(1_001) });
  expect([over.response.status, (await received(over.response)).json.code])
    .toEqual([413, "too_large"]);
});

Deno.test("readJson() reads JSON of any media type, and says what is wrong with other bodies", async () => {
  const routes: OtherRoutes = async (_request, { readJson }) => Response.json(await readJson());
  const read = await ask(routes, {
    method: "POST",
    body: '{"a": [1]}',
    headers: { "content-type": "text/plain" },
  });
  expect((await received(read.response)).json).toEqual({ a: [1] });
  for (const body of ["{", "", "null"]) {
    const { response, logged } = await ask(routes, { method: "POST", body });
    expect([body, response.status, logged]).toEqual([body, 422, []]);
    await response.body?.cancel();
  }
});

Deno.test("an error of a route is a crash that the log names, and the answer does not", async () => {
  const routes: OtherRoutes = () => {
    throw new Error("an inner text");
  };
  const { response, logged } = await ask(routes);
  const { status, text } = await received(response);
  expect([status, text.includes("inner")]).toEqual([500, false]);
  expect(logged.join()).toContain("an inner text");
});

Deno.test("a refusal has the words of the other interface, and the headers of the service", async () => {
  const word: WordRefusal = async (request, refusal) => {
    const { code, detail } = await refusal.json();
    const path = new URL(request.url).pathname;
    return Response.json({ ours: [path, code, detail] }, { status: refusal.status });
  };
  const routes: OtherRoutes = () => new Response("passed");
  const { response } = await ask(routes, { config: { token: TOKEN }, word });
  const { status, headers, json } = await received(response);
  expect([status, headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringMatching(/^Bearer/),
  ]);
  expect(json).toEqual({ ours: ["/any/path", "unauthorized", expect.any(String)] });
  const limits = { ...DEFAULT_LIMITS, maxBodyBytes: 10 };
  const large = { method: "POST", body: new Uint8Array(11), config: { limits } };
  const over = await received((await ask(routes, { ...large, word })).response);
  expect([over.status, over.json.ours[1]]).toEqual([413, "too_large"]);
  const failing = await ask(routes, { ...large, word: () => Promise.reject(new Error("none")) });
  expect((await received(failing.response)).json.code).toBe("too_large");
});

Deno.test("no page for people stands where programs of others are expected", async () => {
  const headers = { accept: "text/html" };
  for (const path of ["/", "/docs", "/docs/sign-in.js"]) {
    const { response } = await ask(() => new Response(), {
      config: { token: TOKEN },
      path,
      headers,
    });
    expect([response.status, response.headers.get("content-type")])
      .toEqual([401, "application/json"]);
    await response.body?.cancel();
  }
});

Deno.test("a client that leaves is no crash", async () => {
  const aborter = new AbortController();
  const routes: OtherRoutes = ({ signal }) => {
    aborter.abort();
    signal.throwIfAborted();
    return new Response();
  };
  const { response, logged } = await ask(routes, { signal: aborter.signal });
  expect([response.status, logged]).toEqual([499, []]);
});

Deno.test("a body counts as held until its routes have answered", async () => {
  let held = 0;
  const caller: Caller = {
    remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
    awaitBody: () => {},
    endBody: () => void (held = 0),
    holdBody: (bytes) => void (held += bytes),
  };
  const during: number[] = [];
  const routes: OtherRoutes = async (_request, { readJson }) => {
    await readJson();
    during.push(held);
    return new Response();
  };
  await ask(routes, { caller, method: "POST", body: "{}" });
  expect([during, held]).toEqual([[2], 0]);
});
