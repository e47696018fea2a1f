/** Gives one type of a selection to a program that has asked for it, whole or in pieces. */

import { Buffer } from "node:buffer";
import { ServiceError } from "../../../../core/errors.ts";
import type { Parts } from "../../../types/mod.ts";
import { EVENT_MASK, type XEvent } from "../client.ts";
import type { X11Connection } from "../connection.ts";
import { EventQueue } from "./event_queue.ts";

const REPLACE = 0;
const DELETED = 1;
/** Less than what every server takes in one request: 65,535 words. */
const PIECE_BYTES = 255 * 1024;
/** How long a program may take for one piece. */
const PIECE_MS = 5_000;

export interface Transfer {
  readonly connection: X11Connection;
  readonly requestor: number;
  readonly property: number;
  /** The type of the property. */
  readonly type: number;
  /** The atom `INCR`. */
  readonly incr: number;
  /** Tells the program that the property is there. */
  readonly notify: () => void;
}

/** Resolves with whether the program has taken all. */
export async function giveParts(transfer: Transfer, parts: Parts): Promise<boolean> {
  const { connection, requestor, property, type, notify } = transfer;
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  if (size > PIECE_BYTES) return await giveInPieces(transfer, parts, size);
  const [bytes = Buffer.alloc(0)] = pieces(parts);
  connection.client.ChangeProperty(REPLACE, requestor, property, type, 8, bytes);
  notify();
  await connection.confirm();
  return true;
}

async function giveInPieces(transfer: Transfer, parts: Parts, size: number): Promise<boolean> {
  const { connection, requestor, property, type, incr, notify } = transfer;
  const { client } = connection;
  using events = new EventQueue(connection, (event) => concerns(event, transfer));
  client.ChangeWindowAttributes(requestor, {
    eventMask: EVENT_MASK.propertyChange | EVENT_MASK.structureNotify,
  });
  client.ChangeProperty(REPLACE, requestor, property, incr, 32, [Math.min(size, 2 ** 32 - 1)]);
  notify();
  client.pack_stream.flush();
  for (const piece of pieces(parts)) {
    if (!await isTaken(events)) return false;
    client.ChangeProperty(REPLACE, requestor, property, type, 8, piece);
    client.pack_stream.flush();
  }
  if (!await isTaken(events)) return false;
  client.ChangeProperty(REPLACE, requestor, property, type, 8, []); // the end
  client.pack_stream.flush();
  return await isTaken(events);
}

/** Whether the program has taken what the property had, in time. */
async function isTaken(events: EventQueue): Promise<boolean> {
  try {
    return (await events.next({ idleMs: PIECE_MS })).name === "PropertyNotify";
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function concerns(event: XEvent, { requestor, property }: Transfer): boolean {
  if (event.name === "DestroyNotify") return event.wid === requestor;
  return event.name === "PropertyNotify" && event.wid === requestor && event.atom === property &&
    event.state === DELETED;
}

/** The bytes anew, in pieces of the size of a request. */
function* pieces(parts: Parts): Generator<Buffer> {
  let piece = Buffer.allocUnsafe(PIECE_BYTES);
  let filled = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length;) {
      const some = part.subarray(at, at + PIECE_BYTES - filled);
      piece.set(some, filled);
      at += some.length;
      filled += some.length;
      if (filled < PIECE_BYTES) continue;
      yield piece;
      piece = Buffer.allocUnsafe(PIECE_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
