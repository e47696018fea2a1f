/**
 * Which keys are down because programs press them through XTEST: the server gives them to a keyboard
 * of their own (The X Input Extension, version 1, ListInputDevices and QueryDeviceState;
 * `XIproto.h`). What a person holds on a real keyboard is not among them.
 */

import type { Buffer } from "node:buffer";
import type { Callback } from "./client.ts";
import { requireExtension, type X11Connection } from "./connection.ts";
import { callPacket, requestPacket } from "./raw_requests.ts";

interface XInput {
  readonly majorOpcode: number;
  readonly InputClass: { readonly Key: number };
  ListInputDevices(callback: Callback<readonly Device[]>): void;
}

interface Device {
  readonly id: number;
  readonly use: number;
  readonly name: string;
}

const EXTENSION_KEYBOARD = 3;
const QUERY_DEVICE_STATE = 30;
/** The classes of a device, from byte 8 of the reply on; the bits of the keys within theirs. */
const FIRST_CLASS = 24;
const KEYS = { start: 4, end: 36 };

/** The keycodes; `undefined` where the server does not tell. */
export async function injectedKeys(
  connection: X11Connection,
): Promise<readonly number[] | undefined> {
  const xinput = await requireExtension<XInput>(connection, "xinput");
  if (xinput === undefined) return undefined;
  const devices = await connection.call<readonly Device[]>((done) => xinput.ListInputDevices(done));
  const keyboard = devices.find(({ use, name }) =>
    use === EXTENSION_KEYBOARD && name.includes("XTEST")
  );
  if (keyboard === undefined) return undefined;
  const packet = requestPacket(xinput, QUERY_DEVICE_STATE, 8);
  packet[4] = keyboard.id;
  const find = (body: Buffer) => findKeys(body, xinput.InputClass.Key);
  const bits = await callPacket(connection, packet, find);
  return bits === undefined ? undefined : keysIn(bits);
}

function findKeys(body: Buffer, keyClass: number): Uint8Array | undefined {
  let at = FIRST_CLASS;
  for (let left = body[0]!; left > 0 && at < body.length; left--, at += body[at + 1]!) {
    if (body[at] === keyClass) return body.subarray(at + KEYS.start, at + KEYS.end);
  }
  return undefined;
}

/** The keycodes in a map of bits, the first of which is keycode 0. */
export function keysIn(bits: Uint8Array): readonly number[] {
  return Array.from({ length: 8 * bits.length }, (_, keycode) => keycode)
    .filter((keycode) => bits[keycode >> 3]! & 1 << (keycode & 7));
}
