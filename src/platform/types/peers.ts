/** The port that detects clients that disconnect. */

import type { TcpEnds } from "../tcp_ends.ts";

/** Detects that a client has closed its connection where the HTTP server does not. */
export interface Peers {
  /** Calls `gone` at most once, when the connection with these ends is no longer open. */
  watch(ends: TcpEnds, gone: () => void): Disposable;
}
