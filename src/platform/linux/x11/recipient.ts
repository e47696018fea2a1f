/** The window that got input: its title, and whether its program says that it has handled it. */

import { cutText } from "../../../core/cut_text.ts";
import type { Recipient, RecipientAnswer } from "../../types/mod.ts";
import type { X11Connection } from "./connection.ts";
import type { HandedTo } from "./input_tally.ts";
import { WindowPing } from "./window_ping.ts";

/** How long a program has to answer before it counts as hung. */
const ANSWER_TIMEOUT_MS = 1_000;
const MAX_DEPTH = 16;
const ANY_TYPE = 0;
/** The predefined atom, and the bit that says that it has the field `input`. */
const WM_HINTS = 35;
const INPUT_HINT = 1;
const KEY_PRESS = 1 << 0;
/** Words of four bytes, and characters, of a title. */
const MAX_TITLE_WORDS = 256;
const MAX_TITLE = 200;

/** @param clientMask the bits of a resource id that its client chooses */
export async function describeRecipient(
  connection: X11Connection,
  handedTo: HandedTo,
  clientMask: number,
): Promise<Recipient> {
  const chain = await unlessGone(connection, () => ancestors(connection, handedTo.window));
  const title = chain && await unlessGone(connection, () => findTitle(connection, chain));
  const ask = async (): Promise<RecipientAnswer> => {
    if (handedTo.window === connection.root) return "desktop";
    if (chain === undefined) return "closed";
    const ping = await WindowPing.of(connection);
    for (const window of chain) {
      // a program that grabs the input of others is not the one that answers for their windows
      if (((window & ~clientMask) >>> 0) !== handedTo.client) continue;
      const takesPart = await unlessGone(connection, () => ping.takesPart(window));
      if (takesPart === undefined) return "closed";
      if (!takesPart) continue;
      const frame = chain.at(-1)!;
      if (await ping.answers(window, { timeoutMs: ANSWER_TIMEOUT_MS, frame })) return "handled";
      return await unlessGone(connection, () => isShown(connection, window)) ? "silent" : "closed";
    }
    return "mute";
  };
  return { title, ask };
}

/** The innermost window under the cursor that is in `frame`; `frame` itself when it is gone. */
export async function findWindowAt(connection: X11Connection, frame: number): Promise<number> {
  const { client } = connection;
  let window = frame;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const inside = await unlessGone(
      connection,
      () =>
        connection.call<{ child: number }>((done) => client.QueryPointer(window, done as never)),
    );
    if (!inside?.child) break;
    window = inside.child;
  }
  return window;
}

/**
 * Whether keys for the window are taken by a client that the server does not report: it, or one
 * around it, is selected for keys, or declares that it takes them (ICCCM 4.1.2.4, WM_HINTS).
 */
export async function takesKeys(connection: X11Connection, window: number): Promise<boolean> {
  const { client } = connection;
  const chain = await unlessGone(connection, () => ancestors(connection, window)) ?? [];
  for (const each of chain) {
    const attributes = await unlessGone(
      connection,
      () =>
        connection.call<{ allEventMasks: number }>((done) =>
          client.GetWindowAttributes(each, done as never)
        ),
    );
    if (((attributes?.allEventMasks ?? 0) & KEY_PRESS) !== 0) return true;
    const hints = await unlessGone(
      connection,
      () =>
        connection.call<{ data: Uint8Array }>((done) =>
          client.GetProperty(0, each, WM_HINTS, ANY_TYPE, 0, 2, done as never)
        ),
    );
    const [flags = 0, , , , input = 0] = hints?.data ?? [];
    if ((flags & INPUT_HINT) !== 0) return input !== 0;
  }
  return false;
}

/** The window and those around it, up to the child of the root. */
async function ancestors(connection: X11Connection, window: number): Promise<number[]> {
  const chain = [window];
  while (chain.length < MAX_DEPTH) {
    const { parent } = await connection.call<{ parent: number }>((done) =>
      connection.client.QueryTree(chain.at(-1)!, done)
    );
    if (parent === 0 || parent === connection.root) break;
    chain.push(parent);
  }
  return chain;
}

async function findTitle(
  connection: X11Connection,
  chain: readonly number[],
): Promise<string | undefined> {
  const { client } = connection;
  const names = [
    await connection.call<number>((done) => client.InternAtom(false, "_NET_WM_NAME", done)),
    await connection.call<number>((done) => client.InternAtom(false, "WM_NAME", done)),
  ];
  for (const window of chain) {
    if (window === connection.root) return undefined;
    for (const name of names) {
      const { data } = await connection.call<{ data: Uint8Array }>((done) =>
        client.GetProperty(0, window, name, ANY_TYPE, 0, MAX_TITLE_WORDS, done as never)
      );
      const text = new TextDecoder().decode(data);
      if (text !== "") return cutText(text, MAX_TITLE);
    }
  }
  return undefined;
}

async function isShown(connection: X11Connection, window: number): Promise<boolean> {
  const { mapState } = await connection.call<{ mapState: number }>((done) =>
    connection.client.GetWindowAttributes(window, done)
  );
  return mapState !== 0;
}

/** `undefined` when a window has been closed meanwhile. */
async function unlessGone<T>(
  connection: X11Connection,
  look: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!connection.connected) throw error;
    return undefined;
  }
}
