/** Requests to sway by its own interface, that of i3 (sway-ipc(7)). */

import { dirname } from "node:path";
import { z } from "zod";
import { writeAll } from "../../../../core/bytes.ts";
import { inTime, pause } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { tryParseJson } from "../../../../core/texts.ts";

const MAGIC = new TextEncoder().encode("i3-ipc");
const HEADER_BYTES = MAGIC.length + 8;
const MAX_ATTEMPTS = 50;
const RETRY_INTERVAL_MS = 20;
/** A sway that leaves a request unanswered for this long hangs. */
const ANSWER_TIMEOUT_MS = 10_000;
/** More than any tree of windows has. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export const MESSAGE = { runCommand: 0, subscribe: 2, getOutputs: 3, getTree: 4 } as const;

const CommandResults = z.array(z.object({ success: z.boolean(), error: z.string().optional() }));

export class SwayIpc {
  constructor(private readonly path: string) {}

  /**
   * Sends one request, and resolves with its reply.
   * @throws ServiceError `unavailable`: sway went away, hangs, or does not answer as it should
   */
  async request<T>(type: number, answer: z.ZodType<T>, payload = ""): Promise<T> {
    using connection = await this.#connect();
    const text = await inTime(exchange(connection, type, payload), ANSWER_TIMEOUT_MS, hangs);
    const { data, error } = answer.safeParse(tryParseJson(text));
    if (error === undefined) return data;
    const message = "sway gave an answer that cannot be read";
    throw new ServiceError("unavailable", message, { cause: error });
  }

  /** @throws ServiceError `conflict`: sway refuses, with its reason */
  async run(command: string): Promise<void> {
    const results = await this.request(MESSAGE.runCommand, CommandResults, command);
    const failed = results.find(({ success }) => !success);
    if (failed === undefined) return;
    throw new ServiceError("conflict", `sway refused: ${failed.error ?? "it gives no reason"}`);
  }

  /**
   * Calls `onEvent` at each event of these kinds, and `onEnd` once there will be no more.
   * @returns what ends them
   * @throws ServiceError `unavailable`
   */
  async follow(
    kinds: readonly string[],
    onEvent: () => void,
    onEnd: () => void,
  ): Promise<Disposable> {
    using opening = new DisposableStack();
    const connection = opening.use(await this.#connect());
    const subscribed = exchange(connection, MESSAGE.subscribe, JSON.stringify(kinds));
    await inTime(subscribed, ANSWER_TIMEOUT_MS, hangs);
    const open = opening.move();
    void (async () => {
      try {
        while (await receive(connection) !== undefined) onEvent();
      } catch {
        // the connection ended
      } finally {
        open.dispose();
        onEnd();
      }
    })();
    return open;
  }

  /** sway lets few connections wait: others are refused until it has taken those. */
  async #connect(): Promise<Deno.UnixConn> {
    for (let attempt = 1;; attempt++) {
      try {
        return await Deno.connect({ transport: "unix", path: this.path });
      } catch (cause) {
        const isGone = cause instanceof Deno.errors.NotFound ||
          cause instanceof Deno.errors.ConnectionRefused;
        if (isGone || attempt === MAX_ATTEMPTS) {
          const message = "sway does not respond on its IPC socket";
          throw new ServiceError("unavailable", message, { cause });
        }
        await pause(RETRY_INTERVAL_MS);
      }
    }
  }
}

/** Sends a message, and gives the body of the next one. @throws ServiceError `unavailable` */
async function exchange(connection: Deno.Conn, type: number, payload: string): Promise<string> {
  try {
    await send(connection, type, payload);
    const answer = await receive(connection);
    if (answer !== undefined) return answer;
  } catch (cause) {
    throw gone(cause); // it was reset
  }
  throw gone();
}

async function send(connection: Deno.Conn, type: number, payload: string): Promise<void> {
  const body = new TextEncoder().encode(payload);
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  bytes.set(MAGIC);
  const view = new DataView(bytes.buffer);
  view.setUint32(MAGIC.length, body.length, true);
  view.setUint32(MAGIC.length + 4, type, true);
  bytes.set(body, HEADER_BYTES);
  await writeAll(connection, bytes);
}

/** The body of the next message; `undefined` at the end. */
async function receive(connection: Deno.Conn): Promise<string | undefined> {
  const header = await readExactly(connection, HEADER_BYTES);
  if (header === undefined) return undefined;
  const length = new DataView(header.buffer).getUint32(MAGIC.length, true);
  if (length > MAX_ANSWER_BYTES) throw new RangeError(`an answer of ${length} bytes`);
  const body = await readExactly(connection, length);
  return body && new TextDecoder().decode(body);
}

async function readExactly(
  connection: Deno.Conn,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const read = await connection.read(bytes.subarray(at));
    if (read === null) return undefined;
    at += read;
  }
  return bytes;
}

function gone(cause?: unknown): ServiceError {
  return new ServiceError("unavailable", "sway went away; try again", { cause });
}

function hangs(): ServiceError {
  return new ServiceError("unavailable", "sway does not answer on its IPC socket");
}

// Finds the socket of sway's own interface, and makes sure that it is that of the same compositor.

/** Who has not answered for longer is not asked again. */
const SEARCH_MS = 1_000;
const SOCKET = /^sway-ipc\.\d+\.\d+\.sock$/;
const Outputs = z.array(z.object({ name: z.string() }));

interface SocketSearch {
  /** The path of the compositor's socket. */
  readonly waylandSocket: string;
  /** The variable SWAYSOCK, which programs inside of another compositor inherit. */
  readonly named: string | undefined;
  readonly outputs: readonly string[];
}

/** @returns `undefined` where another compositor runs */
export async function findSwaySocket(search: SocketSearch): Promise<string | undefined> {
  const { waylandSocket, named, outputs } = search;
  const wanted = outputs.toSorted().join();
  const candidates = [...(named === undefined ? [] : [named]), ...await listSockets(waylandSocket)];
  for (const path of candidates) {
    if ((await readOutputs(path))?.toSorted().join() === wanted) return path;
  }
  return undefined;
}

async function listSockets(waylandSocket: string): Promise<string[]> {
  const folder = dirname(waylandSocket);
  const found: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (SOCKET.test(name)) found.push(`${folder}/${name}`);
    }
  } catch {
    // a folder that cannot be read has no socket for us
  }
  return found;
}

/** `undefined`: nothing answers there, as where a sway was killed. */
async function readOutputs(path: string): Promise<string[] | undefined> {
  const ipc = new SwayIpc(path);
  const ask = async () => (await ipc.request(MESSAGE.getOutputs, Outputs)).map(({ name }) => name);
  const began = performance.now();
  const askAgain = () => performance.now() - began < SEARCH_MS ? ask() : undefined;
  // the windows of the whole session depend on it: one connection that ends is no answer
  return await ask().catch(askAgain).catch(() => undefined);
}
