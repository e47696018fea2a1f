/** Addresses: the computer's name, reserved segments, redirects, and what does not exist. */

import { expect } from "expect";
import { SAMPLES } from "../support/sample_operations.ts";
import { sendRaw, serveApp, testApp } from "../support/client.ts";

type Row = readonly [path: string, status: number, location?: string];

const UNNAMED: readonly Row[] = [
  ["/api/sample/query", 200],
  ["/desk-1/api/sample/query", 200],
  ["/%C3%A9/api/sample/query", 200],
  ["/", 302, "/docs"],
  ["/api", 302, "/docs"],
  ["/desk-1", 302, "/desk-1/docs"],
  ["/desk-1/", 302, "/desk-1/docs"],
  ["/desk-1/api", 302, "/desk-1/docs"],
  ["/a%20b", 302, "/a%20b/docs"],
  ["/healthz", 200],
  ["/docs", 200],
  ["/docs/", 302, "/docs"],
  ["/desk-1/docs/", 302, "/desk-1/docs"],
  ["/favicon.ico", 200],
  ["/desk-1/favicon.ico", 200],
  ["/docs//", 404],
  ["/favicon.ico/", 404],
  ["/desk-1/docs", 200],
  ["/openapi.json", 200],
  ["/desk-1/openapi.json", 200],
  ["/desk-1/healthz", 404],
  ["//api/sample/query", 404],
  ["//", 404],
  ["//evil.example", 404],
  ["/desk-1//api/sample/query", 404],
  ["/a/b/api/sample/query", 404],
  ["/api/api/sample/query", 404],
  ["/docs/api/sample/query", 404],
  ["/console/api/sample/query", 404],
  ["/mcp", 405],
  ["/metrics", 404],
  ["/%61pi/sample/query", 404],
  ["/%ff/api/sample/query", 404],
  ["/api/sample/query/", 404],
  ["/api/sample", 404],
  ["/API/sample/query", 404],
  ["/docs/../../etc/passwd", 404],
  ["/docs/constructor", 404],
];

for (const [path, status, location] of UNNAMED) {
  Deno.test(`app answers ${status} to ${path}`, async () => {
    const answer = await testApp({ operations: SAMPLES }).send("GET", path);
    expect([answer.status, answer.headers.get("location")]).toEqual([status, location ?? null]);
    expect(answer.headers.get("x-request-id")).toMatch(/./);
    if (status === 404) expect(Object.keys(answer.json)).toEqual(["detail", "code", "request_id"]);
  });
}

const NAMED: readonly Row[] = [
  ["/desk-1/api/sample/query", 200],
  ["/desk%2D1/api/sample/query", 200],
  ["/api/sample/query", 200],
  ["/healthz", 200],
  ["/docs", 200],
  ["/desk-1", 302, "/desk-1/docs"],
  ["/", 302, "/docs"],
];

for (const [path, status, location] of NAMED) {
  Deno.test(`app named desk-1 answers ${status} to ${path}`, async () => {
    const app = testApp({ operations: SAMPLES, config: { name: "desk-1" } });
    const answer = await app.send("GET", path);
    expect([answer.status, answer.headers.get("location")]).toEqual([status, location ?? null]);
  });
}

for (const rest of ["", "/", "/docs", "/openapi.json", "/console", "/mcp", "/api/sample/query"]) {
  Deno.test(`app named desk-1 says who it is when /other${rest} is asked for`, async () => {
    const app = testApp({ operations: SAMPLES, config: { name: "desk-1" } });
    const { status, json } = await app.send("GET", `/other${rest}`);
    expect(status).toBe(404);
    expect(json).toMatchObject({ detail: 'This computer is "desk-1", not "other"' });
  });
}

const RAW: readonly (readonly [path: string, answer: RegExp])[] = [
  ["/\\evil.example/", /^HTTP\/1.1 302 [\s\S]*\nlocation: \/%5Cevil.example\/docs\r/i],
  ["/api/sample/info//etc/hosts", /\{"path":"\/etc\/hosts"\}$/],
  ["/desk/api/sample/info/a/./b", /\{"path":"a\/\.\/b"\}$/],
  ["/api/sample/info/../query", /\{"path":"\.\.\/query"\}$/],
  ["//api/sample/query", /^HTTP\/1.1 404 /],
];

for (const [path, expected] of RAW) {
  Deno.test(`app takes ${path} as it was sent`, async () => {
    await using server = serveApp(testApp({ operations: SAMPLES }));
    const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(server.port, head)).toMatch(expected);
  });
}
