/** Connections that ask for much and give little: slow headers, slow bodies, floods. */

import { pause } from "../../../src/core/deadline.ts";

export interface Crowd extends AsyncDisposable {
  /** Connections that were opened, and answers or ends that came; both only grow. */
  readonly opened: number;
  /** Requests of the floods that were sent. */
  readonly sent: number;
}

const POST =
  "POST /api/mouse/move HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
const FLOOD = `${POST}content-length: 7\r\n\r\n{"x":1}`.repeat(20);
/** A third each: a byte of a header, a byte of a body, 20 requests at once. */
const KINDS = [
  { first: "GET / HTTP/1.1\r\nx-slow: ", next: "a", pauseMs: 200 },
  { first: `${POST}content-length: 100000\r\n\r\n`, next: " ", pauseMs: 200 },
  { first: FLOOD, next: FLOOD, pauseMs: 1_000 },
] as const;

/** Keeps `count` connections busy; each that is closed is opened again. */
export function startCrowd(port: number, count: number): Crowd {
  const ended = new AbortController();
  const counts = { opened: 0, sent: 0 };
  const members = Array.from({ length: count }, async (_, index) => {
    const kind = KINDS[index % KINDS.length]!;
    while (!ended.signal.aborted) {
      await annoy(kind).catch(() => {}); // it was closed, as it should be
      await pause(20);
    }
  });

  async function annoy({ first, next, pauseMs }: typeof KINDS[number]): Promise<void> {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    counts.opened++;
    const closed = drain(connection);
    for (let text: string = first; !ended.signal.aborted; text = next) {
      await writeAll(connection, text);
      if (text === FLOOD) counts.sent += 20;
      if (await Promise.race([closed, pause(pauseMs)])) return;
    }
  }

  return {
    get opened() {
      return counts.opened;
    },
    get sent() {
      return counts.sent;
    },
    async [Symbol.asyncDispose]() {
      ended.abort();
      await Promise.all(members);
    },
  };
}

/** Reads until the other side closes; what it says does not matter. */
async function drain(connection: Deno.Conn): Promise<true> {
  const buffer = new Uint8Array(16_384);
  while (await connection.read(buffer).catch(() => null) !== null);
  return true;
}

async function writeAll(connection: Deno.Conn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}
