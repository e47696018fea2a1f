/** Nearly all connections are in use: short requests and urgent ones still get an answer, and who does not read must go. */

import { expect } from "expect";
import { z } from "zod";
import { pause } from "../../../src/core/deadline.ts";
import { defineOperation, type Operation } from "../../../src/features/operation.ts";
import { Streamed } from "../../../src/features/streamed.ts";
import { LARGE_ANSWERS_PER_ADDRESS } from "../../../src/http/connections/connections.ts";
import { startServer } from "../../../src/http/connections/server.ts";
import { testApp } from "../../support/client.ts";
import { waitFor } from "../../support/wait.ts";

const LIMITS = {
  ...{ max: 16, maxPerAddress: 100 },
  ...{ headerMs: 60_000, bodyMs: 60_000, writeMs: 60_000, idleMs: 60_000 },
};
const CLOSE = { headers: { connection: "close" } };

const plain = {
  group: "system",
  readOnly: true,
  summary: "A sample",
  method: "GET",
  answer: { status: 200, description: "Done", schema: z.unknown() },
} as const;

/** A service whose operations wait until they are told. */
function openService(changes: Partial<typeof LIMITS> = {}, more: readonly Operation[] = []) {
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  let running = 0;
  const wait = async () => void (running++, await told);
  const operations = [
    defineOperation({ ...plain, id: "poll", path: "/api/poll", long: true, run: wait }),
    defineOperation({ ...plain, id: "stay", path: "/api/stay", run: wait }),
    defineOperation({ ...plain, id: "short", path: "/api/short", run: () => 1 }),
    defineOperation({ ...plain, id: "alive", path: "/api/alive", urgent: true, run: () => 1 }),
    ...more,
  ];
  const limits = { ...LIMITS, ...changes };
  const options = { hostname: "127.0.0.1", port: 0, limits };
  const server = startServer(options, testApp({ operations }).fetch);
  const url = `http://127.0.0.1:${server.port}/api`;
  return {
    server,
    get: (name: string) => fetch(`${url}/${name}`, CLOSE),
    async status(name: string): Promise<number> {
      const answer = await fetch(`${url}/${name}`, CLOSE);
      await answer.body?.cancel();
      return answer.status;
    },
    /** Asks so often, and waits until all of them run. */
    async fill(name: string, count: number): Promise<Promise<Response>[]> {
      const before = running;
      const asked = Array.from({ length: count }, () => this.get(name));
      await waitFor(() => running - before === count, { what: `${count} requests that run` });
      return asked;
    },
    async [Symbol.asyncDispose]() {
      tell();
      await server.shutdown();
    },
  };
}

for (const limit of ["max", "maxPerAddress"] as const) {
  Deno.test(`an eighth of the connections (${limit}) is kept for requests that are short`, async () => {
    await using service = openService({ max: 100, [limit]: 16 });
    const polls = await service.fill("poll", 14);
    const refused = await service.get("poll");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({
      detail: "Too many requests are being processed: try again",
    });
    for (let round = 0; round < 10; round++) expect(await service.status("short")).toBe(200);
    await service[Symbol.asyncDispose]();
    for (const poll of polls) expect(await (await poll).json()).toBe(null);
  });

  Deno.test(`what is urgent is answered when all connections (${limit}) are in use, and nothing else`, async () => {
    await using service = openService({ max: 100, [limit]: 16 });
    const polls = [...await service.fill("poll", 14), ...await service.fill("stay", 2)];
    for (let round = 0; round < 20; round++) {
      expect(await service.status("alive")).toBe(200);
      expect(await service.status("short")).toBe(503);
      expect(await service.status("poll")).toBe(503);
    }
    await service[Symbol.asyncDispose]();
    for (const poll of polls) await (await poll).body?.cancel();
  });
}

const CHUNK = new Uint8Array(64 * 1024).fill(97);

/** An answer of 32 MiB, more than the system takes without being read. */
const LARGE = 512;

function large(path: string, answer: () => Streamed): Operation {
  return defineOperation({ ...plain, id: path, path: `/api/${path}`, run: answer });
}

const ANSWERS = [
  defineOperation({
    ...plain,
    id: "bytes",
    path: "/api/bytes",
    answer: { status: 200, description: "It is large.", mediaTypes: ["text/plain"] },
    run: () => ({
      mediaType: "text/plain",
      bytes: new Uint8Array(LARGE * CHUNK.length).fill(97),
    }),
  }),
  large("stream", () => stream(() => {})),
];

function stream(beforeChunk: (index: number) => unknown): Streamed {
  let sent = 0;
  const ended = Promise.withResolvers<void>();
  const json = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      await beforeChunk(sent);
      if (++sent > LARGE) controller.close(), ended.resolve();
      else controller.enqueue(CHUNK.slice());
    },
    cancel: () => ended.resolve(),
  });
  return new Streamed(json, ended.promise);
}

for (const kind of ["bytes", "stream"]) {
  Deno.test(`a client that does not read a large answer (${kind}) is cut off`, async () => {
    await using service = openService({ writeMs: 100 }, ANSWERS);
    using client = await ask(service.server.port, kind);
    expect(await client.read(new Uint8Array(1_000))).toBeGreaterThan(0); // the head has come
    await waitFor(() => service.server.connections === 0, { what: "the connection to be closed" });
  });
}

Deno.test("a client that reads slowly, and an answer that is made slowly, are not cut off", async () => {
  const pauses = new Set([1, LARGE / 2]);
  const slow = large("slow", () => stream(async (index) => pauses.has(index) && await pause(600)));
  await using service = openService({ writeMs: 300 }, [slow]);
  using client = await ask(service.server.port, "slow");
  const buffer = new Uint8Array(1024 * 1024);
  let size = 0;
  for (let read: number | null = 0; read !== null; read = await client.read(buffer)) {
    size += read;
    await pause(5);
  }
  expect(size).toBeGreaterThan(LARGE * CHUNK.length);
});

Deno.test("clients that do not read large answers hold a bounded number of them, and others get theirs", async () => {
  const size = 8 * 1024 * 1024;
  let made = 0;
  let sent = 0;
  const huge = defineOperation({
    ...plain,
    id: "huge",
    path: "/api/huge",
    large: true,
    answer: { status: 200, description: "It is large.", mediaTypes: ["text/plain"] },
    run: () => {
      made++;
      return { mediaType: "text/plain", bytes: new Uint8Array(size) };
    },
  });
  const limits = { max: 200, maxPerAddress: 200 };
  await using service = openService(limits, [huge]);
  const clients = await Promise.all(
    Array.from({ length: 40 }, () => ask(service.server.port, "huge")),
  );
  await waitFor(() => service.server.connections === clients.length, { what: "all clients" });
  /** Those that were made for connections that are still open. */
  const held = () => made - (clients.length - service.server.connections);
  await waitFor(() => made === LARGE_ANSWERS_PER_ADDRESS, { what: "as many as one may hold" });
  await waitFor(() => {
    expect(held()).toBeLessThanOrEqual(LARGE_ANSWERS_PER_ADDRESS);
    return made > LARGE_ANSWERS_PER_ADDRESS;
  }, { what: "clients to be cut for others" });
  const answer = await service.get("huge");
  for await (const bytes of answer.body!) sent += bytes.length;
  expect(sent).toBe(size);
  for (const client of clients) client.close();
});

async function ask(port: number, path: string): Promise<Deno.TcpConn> {
  const client = await Deno.connect({ hostname: "127.0.0.1", port });
  const request = `GET /api/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  await client.write(new TextEncoder().encode(request));
  return client;
}
