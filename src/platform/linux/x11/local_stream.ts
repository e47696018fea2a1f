/**
 * Opens the stream to a local X server for the x11 package, which would otherwise use `node:net`.
 */

import { existsSync } from "node:fs";
import x11 from "x11";
import { isTraced, trace } from "../../../core/trace.ts";
import { UnixStream } from "../sockets/unix_stream.ts";

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
