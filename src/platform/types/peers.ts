/** The port that knows the clients of TCP connections. */

import type { TcpEnds } from "../tcp_ends.ts";

export interface Peers {
  /** Whether the client is a browser that a service of this user controls; absent if unknown. */
  isOwnBrowser?(ends: TcpEnds): Promise<boolean>;
  /** Detects it where the HTTP server does not: calls `gone` at most once, when the connection with these ends is no longer open. */
  watch(ends: TcpEnds, gone: () => void): Disposable;
}
