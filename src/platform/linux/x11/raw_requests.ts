/** Requests that the X11 package does not implement, of extensions that it knows: they are written byte by byte. */

import { Buffer } from "node:buffer";
import type { XClient } from "./client.ts";
import type { X11Connection } from "./connection.ts";

/** With its opcodes and its length; all else is 0. */
export function requestPacket(
  { majorOpcode }: { readonly majorOpcode: number },
  minorOpcode: number,
  bytes: number,
): Buffer {
  const packet = Buffer.alloc(bytes);
  packet[0] = majorOpcode;
  packet[1] = minorOpcode;
  packet.writeUInt16LE(packet.length / 4, 2);
  return packet;
}

/** Sends a request that has no reply; returns its sequence number. */
export function sendPacket(client: XClient, packet: Buffer): number {
  client.seq_num++;
  client.pack_stream.put(packet);
  client.pack_stream.submit();
  return client.seq_num;
}

/** Sends a request that has a reply, which `parse` gets from its byte 8 on. */
export function callPacket<T>(
  connection: X11Connection,
  packet: Buffer,
  parse: (body: Buffer) => T,
): Promise<T> {
  const { client } = connection;
  return connection.call((done) => {
    client.seq_num++;
    client.replies[client.seq_num] = [parse, done];
    client.pack_stream.put(packet);
    client.pack_stream.submit(true);
  });
}
