/**
 * Opens the stream to a local X server for the x11 package, which would otherwise use `node:net`.
 */

import x11 from "x11";
import { isTraced, trace } from "../../../core/trace.ts";
import { UnixStream } from "../unix_stream.ts";

/** Options of the package's `createClient`. */
export interface LocalStream {
  readonly stream: UnixStream;
  /** Left undefined, so that the package looks the cookie up, as it does for its own streams. */
  readonly auth: undefined;
}

/**
 * Connects to the local socket of a display (`:1`, `unix:1`). Returns an empty object for a display
 * on another computer, or one without a local socket, which possibly answers on its TCP port: the
 * package handles those.
 */
export function connectLocally(display: string): LocalStream | Record<never, never> {
  const path = localSocketPath(display);
  if (path === undefined) return {};
  const stream = new UnixStream(path);
  if (isTraced("x11")) traceStream(stream);
  return { stream, auth: undefined };
}

/** What a client sends first, in the byte order of this computer: `l`, or `B`. */
const SETUP = [0x6c, 0x42];

/**
 * Logs the opcode and the size of each request (X protocol, "Request Format"), and how much the
 * server has sent: what it carries could be typed text.
 */
function traceStream(stream: UnixStream): void {
  const write = stream._write.bind(stream);
  stream._write = (bytes, encoding, done) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + 4 <= bytes.length;) {
      const isSetup = SETUP.includes(bytes[at]!);
      const words = view.getUint16(at + 2, true) ||
        view.getUint32(Math.min(at + 4, bytes.length - 4), true);
      const size = isSetup ? bytes.length - at : Math.max(4 * words, 4);
      const message = isSetup ? "setup" : `request ${bytes[at]}.${bytes[at + 1]}`;
      trace("x11", "to", message, { bytes: size });
      at += size;
    }
    write(bytes, encoding, done);
  };
  stream.on("data", ({ length }: Uint8Array) => trace("x11", "from", "data", { bytes: length }));
}

/** The path of the local socket of a display, or `undefined` when it has none. */
export function localSocketPath(display: string): string | undefined {
  const { protocol, host, displayNum } = x11.parseDisplay(display);
  if (host || !["", "unix", "local"].includes(protocol)) return undefined;
  const path = `/tmp/.X11-unix/X${displayNum}`;
  return exists(path) ? path : undefined;
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
