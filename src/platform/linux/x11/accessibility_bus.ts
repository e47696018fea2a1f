/** The property of the root window by which programs of an X display find its accessibility bus. */

import { X11Connection } from "./connection.ts";
import { REPLACE } from "./display_mark.ts";
import { internAtom } from "./window_queries.ts";

const PROPERTY = "AT_SPI_BUS";
const STRING = 31;
/** Words of 4 bytes; addresses are shorter. */
const MAX_WORDS = 256;

/** The address of the accessibility bus; `undefined` where the display has none. */
export async function readAccessibilityBus(connection: X11Connection): Promise<string | undefined> {
  const { client, root } = connection;
  const atom = await internAtom(connection, PROPERTY);
  const { data } = await connection.call<{ data: Uint8Array }>((done) =>
    client.GetProperty(0, root, atom, STRING, 0, MAX_WORDS, done as never)
  );
  const text = new TextDecoder().decode(data).replace(/\0.*$/s, "");
  return text === "" ? undefined : text;
}

/** @throws XOpenError */
export async function writeAccessibilityBus(xDisplay: string, address: string): Promise<void> {
  using connection = await X11Connection.open(xDisplay);
  const { client, root } = connection;
  const atom = await internAtom(connection, PROPERTY);
  client.ChangeProperty(REPLACE, root, atom, STRING, 8, [...new TextEncoder().encode(address)]);
  await connection.confirm();
}
