/** Two connected local sockets, and what tests need of descriptors. */

import { AF_UNIX, STREAM_TYPE } from "../../../ffi/linux/sockets.ts";
import {
  MessageSocket,
  messageSocketLibrary,
} from "../../../src/platform/linux/sockets/message_socket.ts";

export function socketPair(): [MessageSocket, MessageSocket] {
  const files = new Int32Array(2);
  const result = messageSocketLibrary().socketpair(AF_UNIX, STREAM_TYPE, 0, files);
  if (result !== 0) throw new Error("No socket pair");
  return [MessageSocket.adopt(files[0]!), MessageSocket.adopt(files[1]!)];
}

/** The number of descriptors that this process has open. */
export function countDescriptors(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}
