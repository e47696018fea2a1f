/** Pipes to commands: the runtime reads and writes our end, the command inherits the other one. */

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import {
  FILE_READ_ATTRIBUTES,
  FILE_WRITE_ATTRIBUTES,
  GENERIC_READ,
  GENERIC_WRITE,
  type Handle,
  type Kernel32,
} from "../../../ffi/windows/kernel32.ts";
import type { CommandInput } from "../types/mod.ts";
import { openInherited } from "./create_process.ts";

/** The output of a command. */
export class OutputPipe {
  readonly #pipe: Pipe;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #ended = new AbortController();

  /** @throws Error when the system makes no pipe. */
  constructor(kernel32: Kernel32["symbols"]) {
    this.#pipe = new Pipe(kernel32, GENERIC_WRITE | FILE_READ_ATTRIBUTES);
    this.#chunks = this.#read();
  }

  /** The end for the command, closed by the pipe itself. */
  get theirs(): Handle {
    return this.#pipe.theirs;
  }

  /** Aborts when the end of the output has been read. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The next bytes; `undefined` when the write end is closed. */
  async read(): Promise<Uint8Array | undefined> {
    return (await this.#chunks.next()).value;
  }

  async close(): Promise<void> {
    await this.#pipe.close();
  }

  async *#read(): AsyncGenerator<Uint8Array, undefined> {
    try {
      for await (const bytes of await this.#pipe.socket) yield bytes;
    } catch {
      // a pipe that has been closed on either side is at its end
    } finally {
      this.#ended.abort();
    }
  }
}

/** The input of a command. */
export class InputPipe implements CommandInput {
  readonly #pipe: Pipe;

  /** @throws Error when the system makes no pipe. */
  constructor(kernel32: Kernel32["symbols"]) {
    this.#pipe = new Pipe(kernel32, GENERIC_READ | FILE_WRITE_ATTRIBUTES);
  }

  /** The end for the command, closed by the pipe itself. */
  get theirs(): Handle {
    return this.#pipe.theirs;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const socket = await this.#pipe.socket;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.write(bytes, (cause) => {
      if (cause) reject(new Error("The command has stopped reading", { cause }));
      else resolve();
    });
    await promise;
  }

  /** The command can still read everything that was written. */
  async close(): Promise<void> {
    await this.#pipe.close();
  }
}

/** A named pipe with one client, which opens the end that a command inherits. */
class Pipe {
  readonly theirs: Handle;
  readonly socket: Promise<Socket>;

  constructor(kernel32: Kernel32["symbols"], access: number) {
    const name = `\\\\.\\pipe\\computer-control-${crypto.randomUUID()}`;
    const server = createServer().on("error", () => {}).listen(name);
    const theirs = openInherited(kernel32, name, { access, share: 0 });
    if (theirs === undefined) {
      server.close();
      throw new Error("Windows cannot open a pipe now");
    }
    this.theirs = theirs;
    this.socket = once(server, "connection").then(([socket]: Socket[]) => {
      // not earlier: a client that has left before it was accepted takes its bytes along
      kernel32.CloseHandle(theirs);
      server.close();
      return socket!.on("error", () => {}); // whoever reads or writes gets it
    });
  }

  async close(): Promise<void> {
    const socket = await this.socket;
    if (socket.closed) return;
    socket.destroy();
    await once(socket, "close");
  }
}
