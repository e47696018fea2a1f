/** A local socket that accepts connections on which descriptors can be passed: Deno's own pass none. */

import { AF_UNIX, SOCKADDR_UN, STREAM_TYPE } from "../../../ffi/linux/sockets.ts";
import {
  MessageSocket,
  messageSocketLibrary,
} from "../../../src/platform/linux/sockets/message_socket.ts";

const LIBRARY = {
  // int bind(int sockfd, const struct sockaddr *addr, socklen_t addrlen);
  bind: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  // int listen(int sockfd, int backlog);
  listen: { parameters: ["i32", "i32"], result: "i32" },
  // int accept4(int sockfd, struct sockaddr *addr, socklen_t *addrlen, int flags);
  accept4: { parameters: ["i32", "pointer", "pointer", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** `SOCK_NONBLOCK | SOCK_CLOEXEC` */
const ACCEPTED_FLAGS = STREAM_TYPE & ~1;
const BACKLOG = 64;
/** Nobody waits for a connection that a test is about to make. */
const LOOK_EVERY_MS = 5;

export interface ListeningSocket extends Disposable {
  readonly path: string;
}

/** Listens at `path` until disposed, and calls `onConnection` for each connection. */
export function listenAt(
  path: string,
  onConnection: (socket: MessageSocket) => void,
): ListeningSocket {
  const library = Deno.dlopen("libc.so.6", LIBRARY);
  const { bind, listen, accept4 } = library.symbols;
  const libc = messageSocketLibrary();
  const address = new Uint8Array(SOCKADDR_UN.path + SOCKADDR_UN.pathBytes);
  address[0] = AF_UNIX;
  address.set(new TextEncoder().encode(path), SOCKADDR_UN.path);
  const file = libc.socket(AF_UNIX, STREAM_TYPE, 0);
  if (bind(file, address, address.length) !== 0 || listen(file, BACKLOG) !== 0) {
    libc.close(file);
    throw new Error(`Cannot listen at ${path}`);
  }
  const timer = setInterval(() => {
    for (let next = accept(); next >= 0; next = accept()) onConnection(MessageSocket.adopt(next));
  }, LOOK_EVERY_MS);
  const accept = () => accept4(file, null, null, ACCEPTED_FLAGS);
  return {
    path,
    [Symbol.dispose]() {
      clearInterval(timer);
      libc.close(file);
      library.close();
      Deno.removeSync(path);
    },
  };
}
