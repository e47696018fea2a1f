/** What the service answers while packages are being installed and displays are being opened. */

import { expect } from "expect";
import { createWaitingApp } from "../../src/http/app.ts";
import { testConfig } from "../support/client.ts";

const ROWS: readonly (readonly [path: string, host: string, status: number])[] = [
  ["/healthz", "localhost", 200],
  ["/readyz", "localhost", 503],
  ["/api/display/screenshot", "localhost", 503],
  ["/healthz", "evil.example", 403],
];

for (const [path, host, status] of ROWS) {
  Deno.test(`the service that is starting answers ${status} to ${path} of ${host}`, async () => {
    const app = createWaitingApp(testConfig());
    const answer = await app.fetch(new Request(`http://localhost${path}`, { headers: { host } }));
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).toMatch(/./);
    expect(answer.headers.get("retry-after")).toBe(status === 503 ? "1" : null);
    const body = await answer.json();
    if (status === 200) expect(body).toEqual({ status: "ok" });
    else expect(Object.keys(body)).toEqual(["detail", "code", "request_id"]);
  });
}

Deno.test("/readyz says no, without reasons, to who has no token while the service is starting", async () => {
  const app = createWaitingApp(testConfig({ token: "s3cret" }));
  const answer = await app.fetch(
    new Request("http://localhost/readyz", { headers: { host: "localhost" } }),
  );
  expect([answer.status, await answer.json()]).toEqual([503, { ready: false }]);
});
