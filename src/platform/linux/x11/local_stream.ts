/**
 * Opens the stream to a local X server for the x11 package, which would otherwise use `node:net`.
 */

import { Buffer } from "node:buffer";
import { existsSync } from "node:fs";
import { Duplex } from "node:stream";
import x11 from "x11";
import { writeAll } from "../../../core/bytes.ts";
import { isTraced, trace } from "../../../core/log.ts";

/**
 * Connects to the local socket of a display (`:1`, `unix:1`). Returns `undefined` for a display on
 * another computer, or one without a local socket, which possibly answers on its TCP port: the
 * package handles those.
 */
export function connectLocally(display: string): UnixStream | undefined {
  const path = localSocketPath(display);
  if (path === undefined) return undefined;
  const stream = new UnixStream(path);
  if (isTraced("x11")) traceStream(stream);
  return stream;
}

/** Logs the opcode and the size of each request, and how much the server has sent. */
function traceStream(stream: UnixStream): void {
  const requests = new RequestNames();
  const write = stream._write.bind(stream);
  stream._write = (bytes, encoding, done) => {
    for (const { name, size } of requests.in(bytes)) trace("x11", "to", name, { bytes: size });
    write(bytes, encoding, done);
  };
  stream.on("data", ({ length }: Uint8Array) => trace("x11", "from", "data", { bytes: length }));
}

/**
 * Names requests by their opcodes (X protocol, "Request Format" and "Connection Setup"), however they are cut into
 * writes: what they carry can be typed text, a cookie or a clipboard, and is never read as an opcode.
 */
export class RequestNames {
  #isSetup = true;
  /** Bytes of the last request that are still to come; all, once a header was cut. */
  #remaining = 0;

  *in(bytes: Uint8Array): Generator<{ readonly name: string; readonly size: number }> {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = Math.min(this.#remaining, bytes.length);
    this.#remaining -= at;
    while (at < bytes.length) {
      const size = this.#sizeAt(view, at);
      if (size === undefined) {
        this.#remaining = Infinity;
        return;
      }
      yield { name: this.#isSetup ? "setup" : `request ${bytes[at]}.${bytes[at + 1]}`, size };
      this.#isSetup = false;
      this.#remaining = Math.max(at + size - bytes.length, 0);
      at += size;
    }
  }

  /** `undefined` where the header is not complete. */
  #sizeAt(view: DataView, at: number): number | undefined {
    const left = view.byteLength - at;
    if (this.#isSetup) {
      if (left < 12) return undefined;
      const padded = (offset: number) => (view.getUint16(at + offset, true) + 3) & ~3;
      return 12 + padded(6) + padded(8);
    }
    if (left < 4) return undefined;
    const words = view.getUint16(at + 2, true);
    if (words > 0) return 4 * words;
    const largeWords = left < 8 ? 0 : view.getUint32(at + 4, true); // the extension BIG-REQUESTS
    return largeWords > 0 ? 4 * largeWords : undefined;
  }
}

/** The path of the local socket of a display, or `undefined` when it has none. */
export function localSocketPath(display: string): string | undefined {
  const { protocol, host, displayNum } = x11.parseDisplay(display);
  if (host || !["", "unix", "local"].includes(protocol)) return undefined;
  const path = `/tmp/.X11-unix/X${displayNum}`;
  return existsSync(path) ? path : undefined;
}

// A local socket as a Node stream, over the runtime's own connection. The `node:net` of Deno 2.9.5
// closes the descriptor of such a socket twice; by the second time the number can belong to another
// file.

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
