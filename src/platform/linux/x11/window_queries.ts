/** Queries about windows and their properties, and whether a window manager or a program has caught up. */

import { within } from "../../../core/deadline.ts";
import type { X11Connection } from "./connection.ts";
import { EVENT_MASK, INPUT_ONLY, POINTER_ROOT, PREDEFINED, REPLACE } from "./client.ts";

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
async function listsAtom(
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

// Asks the window manager whether it has handled all events so far. The Extended Window Manager
// Hints have no such request, but one with a visible effect: on `_NET_REQUEST_FRAME_EXTENTS` it
// writes a property on our window, after it has handled all earlier events.

/** How long a window manager or a program may take: after that it hangs, or what it did shows anyway. */
const ANSWER_TIMEOUT_MS = 1_000;
const NO_DATA = [0, 0, 0, 0, 0];
const NAMES = ["_NET_SUPPORTED", "_NET_REQUEST_FRAME_EXTENTS", "_NET_FRAME_EXTENTS"] as const;

export class WindowManager {
  private constructor(
    private readonly connection: X11Connection,
    /** Never mapped. */
    private readonly window: number,
    private readonly atoms: Readonly<Record<typeof NAMES[number], number>>,
  ) {}

  static async open(connection: X11Connection): Promise<WindowManager> {
    const atoms = await internAtoms(connection, NAMES);
    const window = createHiddenWindow(connection, {
      overrideRedirect: 1,
      eventMask: EVENT_MASK.propertyChange,
    });
    return new WindowManager(connection, window, atoms);
  }

  /** Whether there is a window manager that answered in time. */
  async caughtUp(timeoutMs = ANSWER_TIMEOUT_MS): Promise<boolean> {
    const { connection, atoms } = this;
    const hint = { property: atoms._NET_SUPPORTED, atom: atoms._NET_REQUEST_FRAME_EXTENTS };
    return await listsAtom(connection, connection.root, hint) && await this.#answered(timeoutMs);
  }

  async #answered(timeoutMs: number): Promise<boolean> {
    const { connection, window, atoms } = this;
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    using _listening = connection.onEvent((event) => {
      if (event.name !== "PropertyNotify" || event.wid !== window) return;
      if (event.atom === atoms._NET_FRAME_EXTENTS) resolve();
    });
    const mask = EVENT_MASK.substructureNotify | EVENT_MASK.substructureRedirect;
    const request = atoms._NET_REQUEST_FRAME_EXTENTS;
    connection.client.SendClientMessage(connection.root, window, request, 32, NO_DATA, mask);
    return await within(answered, timeoutMs);
  }
}

// Asks a program whether it has handled all events so far, with `_NET_WM_PING` (Extended Window
// Manager Hints 1.5): it answers pings in order with its other events.

const pings = new WeakMap<X11Connection, Promise<WindowPing>>();

export class WindowPing {
  #nonce = 0;
  #listening = 0;

  private constructor(
    private readonly connection: X11Connection,
    private readonly protocols: number,
    private readonly ping: number,
  ) {}

  /** All callers on one connection share its event selection. */
  static of(connection: X11Connection): Promise<WindowPing> {
    return pings.getOrInsertComputed(connection, () => WindowPing.#open(connection));
  }

  static async #open(connection: X11Connection): Promise<WindowPing> {
    const atoms = await internAtoms(connection, ["WM_PROTOCOLS", "_NET_WM_PING"]);
    return new WindowPing(connection, atoms.WM_PROTOCOLS, atoms._NET_WM_PING);
  }

  /** Whether the window declares support for pings. */
  takesPart(window: number): Promise<boolean> {
    return listsAtom(this.connection, window, { property: this.protocols, atom: this.ping });
  }

  /**
   * Whether the window answers in time and before it closes.
   * @param frame the child of the root that contains it: once that closes, no answer will come
   */
  async answers(window: number, frame = window): Promise<boolean> {
    const { connection, protocols, ping } = this;
    const nonce = ++this.#nonce;
    const { promise: answered, resolve } = Promise.withResolvers<boolean>();
    using _listening = connection.onEvent(({ name, wid, message_type, data }) => {
      if (name === "UnmapNotify" || name === "DestroyNotify") {
        if (wid === frame) resolve(false);
        return;
      }
      if (name !== "ClientMessage" || message_type !== protocols) return;
      if (data[0] === ping && data[1] === nonce && data[2] === window) resolve(true);
    });
    this.#listenToRoot(1);
    const question = [ping, nonce, window, 0, 0];
    connection.client.SendClientMessage(window, window, protocols, 32, question, 0);
    const isInTime = await within(answered, ANSWER_TIMEOUT_MS);
    this.#listenToRoot(-1);
    return isInTime && await answered;
  }

  /**
   * Answers are sent to the root window and reach the clients that select its substructure events.
   */
  #listenToRoot(change: 1 | -1): void {
    const { client, root, connected } = this.connection;
    this.#listening += change;
    if (!connected) return;
    client.ChangeWindowAttributes(root, {
      eventMask: EVENT_MASK.structureNotify |
        (this.#listening > 0 ? EVENT_MASK.substructureNotify : 0),
    });
  }
}
