/** The service's side of a WebSocket: what clients may send, what is held of it, and how it ends. */

import { expect } from "expect";
import { closeQuietly } from "../../../src/http/connections/serve_connection.ts";
import { ServerSocket } from "../../../src/http/connections/server_socket.ts";
import { frame, RawSocket, SAMPLE_ACCEPT, SAMPLE_KEY } from "../../support/raw_socket.ts";
import { waitFor } from "../../support/wait.ts";

interface PairOptions {
  readonly pingMs?: number;
  readonly rest?: Uint8Array<ArrayBuffer>;
}

/** A socket and its client, over a connection of this computer. */
async function openPair({ rest = new Uint8Array(), ...options }: PairOptions = {}) {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const [connection, client] = await Promise.all([
    listener.accept(),
    Deno.connect({ hostname: "127.0.0.1", port }),
  ]);
  const messages: (string | Uint8Array)[] = [];
  let closes = 0;
  const cut = () => closeQuietly(connection);
  const socket = new ServerSocket({ connection, rest, key: SAMPLE_KEY, cut, ...options });
  socket.start({
    onMessage: (message) => messages.push(message),
    onClose: () => closes++,
  });
  const raw = new RawSocket(client);
  const head = await raw.head();
  return {
    socket,
    raw,
    head,
    messages,
    get closes() {
      return closes;
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await socket.ended;
      raw[Symbol.dispose]();
    },
  };
}

Deno.test("a socket accepts the request as the standard says", async () => {
  await using pair = await openPair();
  expect(pair.head).toMatch(/^HTTP\/1\.1 101 /);
  expect(pair.head).toContain(`\r\nsec-websocket-accept: ${SAMPLE_ACCEPT}\r\n`);
});

Deno.test("messages come whole: in one frame, in several, byte by byte, and right after the request", async () => {
  const first = frame("é日🙂");
  await using pair = await openPair({ rest: Uint8Array.from(first) });
  const { raw, messages } = pair;
  await raw.send(
    frame("a", { isFinal: false }),
    frame("ping", { opcode: 9 }), // in between
    frame("", { opcode: 0, isFinal: false }),
    frame("bc", { opcode: 0 }),
    frame(Uint8Array.of(1, 2), { opcode: 2 }),
    frame("x".repeat(126)),
  );
  for (const byte of frame("x".repeat(300))) await raw.send(Uint8Array.of(byte));
  await raw.send(frame("x".repeat(65_536)), frame());
  await waitFor(() => messages.length === 7);
  const lengths = messages.map((each) => each.length);
  expect(messages.slice(0, 3)).toEqual(["é日🙂", "abc", Uint8Array.of(1, 2)]);
  expect(lengths.slice(3)).toEqual([126, 300, 65_536, 0]);
  const pong = await raw.next();
  expect([pong!.opcode, new TextDecoder().decode(pong!.payload)]).toEqual([10, "ping"]);
});

Deno.test("what is sent comes whole, whatever its size", async () => {
  await using pair = await openPair();
  const { raw, socket } = pair;
  const sizes = [0, 125, 126, 65_535, 65_536, 3_000_000];
  for (const size of sizes) socket.send("x".repeat(size));
  socket.send(Uint8Array.of(1, 2, 3).buffer);
  const opcodes: number[] = [];
  for (const size of [...sizes, 3]) {
    const received = await raw.next();
    opcodes.push(received!.opcode);
    expect(received!.payload.length).toBe(size);
  }
  expect(opcodes).toEqual([1, 1, 1, 1, 1, 1, 2]);
  await socket.written;
  expect(socket.unsent).toBe(0);
});

Deno.test("a message without end is no longer read than one with an end", async () => {
  await using pair = await openPair();
  const part = "x".repeat(1_024);
  await pair.raw.send(frame(part, { isFinal: false }));
  const more = Array.from({ length: 64 }, () => frame(part, { opcode: 0, isFinal: false }));
  await pair.raw.send(...more);
  expect(await pair.raw.closeCode()).toBe(1009);
  expect([pair.messages, pair.closes]).toEqual([[], 1]);
});

const HUGE = Uint8Array.from([0x81, 0xff, ...new Uint8Array(8).fill(0xff)]);
const HALF = Uint8Array.of(0xf0, 0x9f);
const wrong: [string, number, readonly Uint8Array[]][] = [
  ["a message that is too long", 1009, [frame("x".repeat(65_537))]],
  ["a length that no computer has", 1009, [HUGE]],
  ["a frame without a mask", 1002, [frame("a", { isMasked: false })]],
  ["a bit of an extension", 1002, [frame("a", { reserved: 0x40 })]],
  ["an unknown kind of frame", 1002, [frame("a", { opcode: 3 })]],
  ["an unknown control frame", 1002, [frame("a", { opcode: 11 })]],
  ["a continuation of nothing", 1002, [frame("a", { opcode: 0 })]],
  ["a message within another", 1002, [frame("a", { isFinal: false }), frame("b")]],
  ["a ping in parts", 1002, [frame("a", { opcode: 9, isFinal: false })]],
  ["a long ping", 1002, [frame("x".repeat(126), { opcode: 9 })]],
  ["a text that is none", 1007, [frame(Uint8Array.of(0xc3, 0x28))]],
  ["half a character", 1007, [frame(HALF, { isFinal: false }), frame("", { opcode: 0 })]],
];

for (const [name, code, frames] of wrong) {
  Deno.test(`${name} closes the socket with ${code}`, async () => {
    await using pair = await openPair();
    await pair.raw.send(...frames);
    expect(await pair.raw.closeCode()).toBe(code);
    expect([pair.messages, pair.closes]).toEqual([[], 1]);
  });
}

for (const opcode of [1, 0, 9, 10]) {
  Deno.test(`a flood of frames of kind ${opcode} closes the socket`, async () => {
    await using pair = await openPair();
    const { raw } = pair;
    if (opcode === 0) await raw.send(frame("", { isFinal: false }));
    const code = raw.closeCode();
    const flood = Array.from({ length: 2_000 }, () => frame("", { opcode, isFinal: opcode !== 0 }));
    for (let round = 0; round < 10; round++) await raw.send(...flood).catch(() => {}); // cut off
    expect(await code).toBe(1008);
    expect(pair.messages.length).toBeLessThan(20_000);
  });
}

Deno.test("a flood of long messages closes the socket long before it has 500 a second", async () => {
  await using pair = await openPair();
  const { raw, messages } = pair;
  const code = raw.closeCode();
  const long = frame("x".repeat(65_536));
  for (let count = 0; count < 400 && pair.closes === 0; count++) {
    await raw.send(long).catch(() => {}); // cut off
  }
  expect(await code).toBe(1008);
  expect(messages.length).toBeLessThan(400);
});

Deno.test("a socket counts as closed at once, and ends when the client answers", async () => {
  await using pair = await openPair();
  const { raw, socket } = pair;
  socket.close(1001, "The service ends");
  expect(pair.closes).toBe(1);
  socket.send("not any more");
  await raw.send(frame("neither"), frame(Uint8Array.of(3, 0xe9), { opcode: 8 }));
  const closed = await raw.next();
  expect([closed!.opcode, new TextDecoder().decode(closed!.payload.subarray(2))])
    .toEqual([8, "The service ends"]);
  expect(await raw.next()).toBeUndefined();
  await socket.ended;
  expect([pair.messages, pair.closes]).toEqual([[], 1]);
});

Deno.test("a socket ends, too, when the client answers nothing", async () => {
  await using pair = await openPair();
  pair.socket.close(1001);
  await pair.raw.ended(); // reads, and sends nothing
  await pair.socket.ended;
});

Deno.test("a client that closes is answered, and the connection ends", async () => {
  await using pair = await openPair();
  await pair.raw.send(frame(Uint8Array.of(3, 0xe8), { opcode: 8 }));
  expect(await pair.raw.closeCode()).toBe(1000);
  await pair.raw.ended();
  expect(pair.closes).toBe(1);
});

Deno.test("a client that has gone without a word closes the socket", async () => {
  await using pair = await openPair();
  await pair.raw.send(frame("half of a message").subarray(0, 9));
  pair.raw.connection.closeWrite();
  await waitFor(() => pair.closes === 1);
  await pair.socket.ended;
});

Deno.test("a client that answers pings stays, and one that does not is closed", async () => {
  await using silent = await openPair({ pingMs: 20 });
  await silent.raw.ended();
  expect(silent.closes).toBe(1);
  await using alive = await openPair({ pingMs: 1_000 });
  for (let pings = 0; pings < 2; pings++) {
    const ping = await alive.raw.next();
    expect(ping!.opcode).toBe(9);
    await alive.raw.send(frame(ping!.payload, { opcode: 10 }));
  }
  expect(alive.closes).toBe(0);
});

Deno.test("what waits is counted, and dropped when the socket is closed", async () => {
  await using pair = await openPair();
  const { raw, socket } = pair;
  const picture = new ArrayBuffer(1_000_000);
  for (let count = 0; count < 40; count++) socket.send(picture);
  expect(socket.unsent).toBeGreaterThanOrEqual(40_000_000);
  socket.close(1008);
  expect(socket.unsent).toBeLessThan(2_000_000); // what is being written, and the close frame
  let pictures = 0;
  for (let next = await raw.next(); next?.opcode === 2; next = await raw.next()) pictures++;
  expect(pictures).toBeLessThan(2);
});
