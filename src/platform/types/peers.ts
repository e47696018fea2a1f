/** The port for clients that go away. */

import type { TcpEnds } from "../tcp_ends.ts";

/** Tells when a client has closed its connection, where the HTTP server cannot. */
export interface Peers {
  /** Calls `gone` at most once, when the connection with these ends is no longer open. */
  watch(ends: TcpEnds, gone: () => void): Disposable;
}
