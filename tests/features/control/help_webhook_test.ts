/** The webhook for requests for help: what is sent, and what a receiver can do wrong. */

import { expect } from "expect";
import { helpWebhook, isOwnAddress } from "../../../src/features/control/help_webhook.ts";
import { waitFor } from "../../support/wait.ts";

const ITEM = {
  id: "1",
  name: "agent",
  reason: "A captcha",
  since: "2026-03-09T14:05:11.000Z",
  until: "2026-03-09T14:15:11.000Z",
};
const CONSOLE = "http://127.0.0.1:4242/console";

interface Receiver extends AsyncDisposable {
  readonly bodies: unknown[];
  readonly logged: unknown[];
  send(): void;
}

function receive(answer: (count: number) => Response | Promise<Response>): Receiver {
  const bodies: unknown[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    bodies.push(await request.json());
    return await answer(bodies.length);
  });
  const logged: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void logged.push(line) };
  const url = `http://127.0.0.1:${server.addr.port}/hook`;
  const report = helpWebhook(url, { console: CONSOLE, log });
  return {
    bodies,
    logged,
    send: () => report(ITEM),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("the webhook gets who asks, why, and where the console is", async () => {
  await using receiver = receive(() => new Response("ok"));
  receiver.send();
  await waitFor(() => receiver.bodies.length === 1, { what: "the report" });
  const { until: _, ...item } = ITEM;
  expect(receiver.bodies).toEqual([{ event: "help_requested", ...item, console: CONSOLE }]);
});

Deno.test("the webhook is tried once more, follows no redirect, and logs its failure", async () => {
  const headers = { location: "/elsewhere" };
  await using receiver = receive(() => new Response(null, { status: 307, headers }));
  receiver.send();
  await waitFor(() => receiver.logged.length === 1, { what: "the line of the log" });
  expect(receiver.bodies).toHaveLength(2);
  expect(receiver.logged).toEqual([["help webhook failed", { reason: "It answered 307" }]]);
});

Deno.test("the address of a webhook is in no line of the log", async () => {
  const logged: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void logged.push(line) };
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close(); // nobody is there now
  helpWebhook(`http://127.0.0.1:${port}/hook/canary?key=canary`, { console: CONSOLE, log })(ITEM);
  await waitFor(() => logged.length === 1, { what: "the line of the log" });
  expect(logged).toEqual([["help webhook failed", { reason: "It cannot be reached" }]]);
});

Deno.test("a second try that succeeds is no failure", async () => {
  await using receiver = receive((count) =>
    new Response(null, { status: count === 1 ? 500 : 204 })
  );
  receiver.send();
  await waitFor(() => receiver.bodies.length === 2, { what: "the second try" });
  expect(receiver.logged).toEqual([]);
});

Deno.test("a receiver that does not answer holds up no further report", async () => {
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  await using receiver = receive(async () => {
    await answered;
    return new Response("ok");
  });
  for (let count = 0; count < 3; count++) receiver.send();
  await waitFor(() => receiver.bodies.length === 3, { what: "the reports" });
  resolve();
  expect(receiver.logged).toEqual([]);
});

const OWN: readonly (readonly [address: string, isOwn: boolean])[] = [
  ["http://127.0.0.1:4242/api/x", true],
  ["http://localhost:4242/", true],
  ["http://desk.localhost:5000/", true],
  ["http://[::1]:4242/", true],
  ["http://0.0.0.0:4242/", true],
  ["http://2130706433:4242/", true],
  ["http://[::ffff:127.0.0.1]:4242/", true],
  ["http://192.168.1.5:4242/", true],
  ["http://127.0.0.1:4243/", false],
  ["https://example.org/hook", false],
  ["http://example.org:4242/", false],
];

for (const [address, isOwn] of OWN) {
  Deno.test(`${address} is ${isOwn ? "" : "not "}an address of the service itself`, () => {
    expect(isOwnAddress(address, { host: "192.168.1.5", ports: [4242, 5000] })).toBe(isOwn);
  });
}
