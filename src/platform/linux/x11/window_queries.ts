/** Queries about windows and their properties that several conversations with programs share. */

import type { X11Connection } from "./connection.ts";
import { INPUT_ONLY, POINTER_ROOT, PREDEFINED, REPLACE } from "./protocol_values.ts";

/** Windows of real programs are nested less deeply. */
export const MAX_DEPTH = 16;
/** More than any program or window manager lists. */
const MAX_ATOMS = 1_024;

export function internAtom(connection: X11Connection, name: string): Promise<number> {
  return connection.call((done) => connection.client.InternAtom(false, name, done));
}

/** The atoms of several names, which share a packet. */
export async function internAtoms<Name extends string>(
  connection: X11Connection,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const { client } = connection;
  const asked = Promise.all(
    names.map((name) =>
      connection.call<number>((done) => client.InternAtom(false, name, done), { isPatient: true })
    ),
  );
  client.pack_stream.flush();
  const atoms = await asked;
  return Object.fromEntries(names.map((name, index) => [name, atoms[index]])) as Record<
    Name,
    number
  >;
}

/** Makes a window under this id that is never shown. */
export function createHiddenWindow(
  { client, root }: X11Connection,
  window: number,
  attributes: Readonly<Record<string, number>> = {},
): void {
  client.CreateWindow(window, root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, attributes);
}

/** Whether a property of a window is a list that contains `atom`. */
export async function listsAtom(
  connection: X11Connection,
  window: number,
  { property, atom }: { readonly property: number; readonly atom: number },
): Promise<boolean> {
  const { data } = await connection.call<{ data: Uint8Array }>((done) =>
    connection.client.GetProperty(0, window, property, PREDEFINED.ATOM, 0, MAX_ATOMS, done as never)
  );
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 4 <= data.byteLength; at += 4) {
    if (view.getUint32(at, true) === atom) return true;
  }
  return false;
}

/** The window and its ancestors below the root, from the inside out. */
export async function* withAncestors(
  connection: X11Connection,
  window: number,
): AsyncGenerator<number> {
  const { client, root } = connection;
  let current = window;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (current <= POINTER_ROOT || current === root) return;
    yield current;
    const child = current;
    const { parent } = await connection.call<{ parent: number }>((done) =>
      client.QueryTree(child, done)
    );
    current = parent;
  }
}

// The property of the root window by which programs of an X display find its accessibility bus.

const PROPERTY = "AT_SPI_BUS";
/** Words of 4 bytes; addresses are shorter. */
const MAX_WORDS = 256;

/** The address of the accessibility bus; `undefined` where the display has none. */
export async function readAccessibilityBus(connection: X11Connection): Promise<string | undefined> {
  const { client, root } = connection;
  const atom = await internAtom(connection, PROPERTY);
  const { data } = await connection.call<{ data: Uint8Array }>((done) =>
    client.GetProperty(0, root, atom, PREDEFINED.STRING, 0, MAX_WORDS, done as never)
  );
  const text = new TextDecoder().decode(data).replace(/\0.*$/s, "");
  return text === "" ? undefined : text;
}

/** Resolves when the server has it. */
export async function writeAccessibilityBus(
  connection: X11Connection,
  address: string,
): Promise<void> {
  const { client, root } = connection;
  const atom = await internAtom(connection, PROPERTY);
  client.ChangeProperty(REPLACE, root, atom, PREDEFINED.STRING, 8, [
    ...new TextEncoder().encode(address),
  ]);
  await connection.confirm();
}
