/** Queries about windows and their properties that several conversations with programs share. */

import type { X11Connection } from "./connection.ts";
import { INPUT_ONLY, POINTER_ROOT, PREDEFINED, REPLACE } from "./protocol_values.ts";

/** Windows of real programs are nested less deeply. */
export const MAX_DEPTH = 16;
/** More than any program or window manager lists. */
const MAX_ATOMS = 1_024;

export function internAtom(connection: X11Connection, name: string): Promise<number> {
  return connection.request("InternAtom", false, name);
}

/** The atoms of several names, which share a packet. */
export async function internAtoms<Name extends string>(
  connection: X11Connection,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const asked = Promise.all(
    names.map((name) => connection.requestPatiently("InternAtom", false, name)),
  );
  connection.client.pack_stream.flush();
  const atoms = await asked;
  const entries = names.map((name, index) => [name, atoms[index]]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** Makes a window that is never mapped, and returns its id. */
export function createHiddenWindow(
  { client, root }: X11Connection,
  attributes: Readonly<Record<string, number>> = {},
  window: number = client.AllocID(),
): number {
  client.CreateWindow(window, root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, attributes);
  return window;
}

/** Whether a property of a window is a list that contains `atom`. */
export async function listsAtom(
  connection: X11Connection,
  window: number,
  { property, atom }: { readonly property: number; readonly atom: number },
): Promise<boolean> {
  const asked = [0, window, property, PREDEFINED.ATOM, 0, MAX_ATOMS] as const;
  return readWords((await connection.request("GetProperty", ...asked)).data).includes(atom);
}

/** The words of a property of format 32. */
export function readWords(data: Uint8Array): number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from(
    { length: data.byteLength >> 2 },
    (_, index) => view.getUint32(index * 4, true),
  );
}

/** The window and its ancestors below the root, from the inside out. */
export async function* withAncestors(
  connection: X11Connection,
  window: number,
): AsyncGenerator<number> {
  let current = window;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (current <= POINTER_ROOT || current === connection.root) return;
    yield current;
    current = (await connection.request("QueryTree", current)).parent;
  }
}

// The property of the root window by which programs of an X display find its accessibility bus.

const PROPERTY = "AT_SPI_BUS";
/** Words of 4 bytes; addresses are shorter. */
const MAX_WORDS = 256;

/** The address of the accessibility bus; `undefined` where the display has none. */
export async function readAccessibilityBus(connection: X11Connection): Promise<string | undefined> {
  const atom = await internAtom(connection, PROPERTY);
  const asked = [0, connection.root, atom, PREDEFINED.STRING, 0, MAX_WORDS] as const;
  const { data } = await connection.request("GetProperty", ...asked);
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
  const bytes = [...new TextEncoder().encode(address)];
  client.ChangeProperty(REPLACE, root, atom, PREDEFINED.STRING, 8, bytes);
  await connection.confirm();
}
