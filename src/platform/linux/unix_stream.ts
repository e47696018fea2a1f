/**
 * A local socket as a Node stream, over the runtime's own connection. The `node:net` of Deno 2.9.5
 * closes the descriptor of such a socket twice; by the second time the number can belong to another
 * file.
 */

import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";

const READ_BYTES = 64 * 1024;

/** Starts to connect and emits "connect" or "error", as a socket of `node:net` does. */
export class UnixStream extends Duplex {
  /** Packages that receive a stream check this before they wait for "connect". */
  connecting = true;
  #connection: Deno.UnixConn | undefined;
  #isReading = false;
  readonly #bytes = new Uint8Array(READ_BYTES);

  constructor(path: string) {
    super({ allowHalfOpen: false });
    Deno.connect({ transport: "unix", path }).then(
      (connection) => this.#opened(connection),
      (error) => this.destroy(error),
    );
  }

  /** For packages that call it: a local socket never delays small writes. */
  setNoDelay(): this {
    return this;
  }

  override _read(): void {
    if (this.#connection !== undefined && !this.#isReading) this.#readOn(this.#connection);
  }

  override _write(bytes: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
    if (this.#connection === undefined) {
      this.once("connect", () => this._write(bytes, _encoding, done));
      return;
    }
    writeAll(this.#connection, bytes).then(() => done(), done);
  }

  override _final(done: (error?: Error) => void): void {
    const closing = this.#connection?.closeWrite() ?? Promise.resolve();
    closing.then(() => done(), () => done()); // the other side has already closed
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.connecting = false;
    this.#connection?.close();
    this.#connection = undefined;
    done(error);
  }

  #opened(connection: Deno.UnixConn): void {
    if (this.destroyed) return connection.close();
    this.#connection = connection;
    this.connecting = false;
    this.emit("connect");
    if (!this.#isReading) this.#readOn(connection);
  }

  /** Reads until the consumer of this stream has enough or the connection ends. */
  async #readOn(connection: Deno.UnixConn): Promise<void> {
    this.#isReading = true;
    try {
      while (true) {
        const count = await connection.read(this.#bytes);
        if (this.destroyed) return;
        const goOn = this.push(count === null ? null : copy(this.#bytes, count));
        if (count === null || !goOn) return;
      }
    } catch (error) {
      this.destroy(error as Error); // no effect after our own close, which has destroyed it already
    } finally {
      this.#isReading = false;
    }
  }
}

/** Small copies share memory, which {@link Buffer.copyBytesFrom} never does. */
function copy(bytes: Uint8Array, count: number): Buffer {
  const copied = Buffer.allocUnsafe(count);
  copied.set(bytes.subarray(0, count));
  return copied;
}

async function writeAll(connection: Deno.UnixConn, bytes: Uint8Array): Promise<void> {
  let done = await connection.write(bytes);
  while (done < bytes.length) done += await connection.write(bytes.subarray(done));
}
