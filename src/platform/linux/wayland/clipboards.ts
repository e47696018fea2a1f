/** The clipboards of Wayland: by a protocol of the compositor, or by the calls of a remote desktop. */

import { pause } from "../../../core/deadline.ts";
import { isServiceError, ServiceError, throwUnless } from "../../../core/errors.ts";
import { Semaphore } from "../../../core/locks.ts";
import { available, capabilityOf } from "../../capability.ts";
import type { Capability, Parts } from "../../types/mod.ts";
import { BusError, type BusReply, onlyFile } from "../bus/types.ts";
import { LinuxClipboard } from "../clipboard/linux_clipboard.ts";
import {
  type ClipboardOffer,
  Offered,
  readOffered,
  translated,
  type TypedBytes,
  type TypedClipboard,
  type TypedContent,
  type TypeReading,
  unresponsiveOwner,
} from "../clipboard/typed_clipboard.ts";
import type { WaylandClient } from "./client.ts";
import { closeFile } from "../sockets/message_socket.ts";
import { Pipe, readAndClose, writeAndClose } from "../sockets/pipe.ts";
import type { WaylandObject } from "./protocols/mod.ts";

// By `zwlr_data_control_manager_v1`, which wlroots and KWin have: it needs no window and no focus.
// Compositors forget what a program has put there when that ends.

type WireOffer = WaylandObject<"zwlr_data_control_offer_v1">;

/** How long a program that reads may pause. */
const WRITE_IDLE_MS = 5_000;

/** The clipboard of a compositor, unless that lacks the protocol. */
export async function openDataClipboard(
  client: WaylandClient,
  seat: WaylandObject<"wl_seat">,
): Promise<Capability<LinuxClipboard>> {
  const typed = await capabilityOf(DataControl.open(client, seat));
  return typed.ready ? available(new LinuxClipboard(() => Promise.resolve(typed.use))) : typed;
}

export class DataControl implements TypedClipboard {
  readonly isKeptByDesktop = false;
  readonly #manager: WaylandObject<"zwlr_data_control_manager_v1">;
  readonly #device: WaylandObject<"zwlr_data_control_device_v1">;
  readonly #types = new WeakMap<WireOffer, string[]>();
  #current: WireOffer | undefined;

  private constructor(private readonly client: WaylandClient, seat: WaylandObject<"wl_seat">) {
    this.#manager = client.bind("zwlr_data_control_manager_v1", 1);
    this.#device = this.#manager.send("get_data_device", seat);
    this.#device.on("data_offer", (offer) => {
      const types: string[] = [];
      this.#types.set(offer, types);
      offer.on("offer", (type) => types.push(type));
    });
    this.#device.on("selection", (offer) => {
      if (this.#current?.isAlive && this.#current !== offer) this.#current.send("destroy");
      this.#current = offer;
    });
  }

  /** @throws ServiceError `unsupported`: the compositor has no such protocol */
  static async open(client: WaylandClient, seat: WaylandObject<"wl_seat">): Promise<DataControl> {
    const clipboard = new DataControl(client, seat);
    await client.roundtrip();
    return clipboard;
  }

  get connected(): boolean {
    return this.client.connected;
  }

  async types(): Promise<readonly string[]> {
    await this.client.roundtrip(); // what was just put there is known now
    return this.#current === undefined ? [] : this.#types.get(this.#current) ?? [];
  }

  async readType(type: string, reading: TypeReading): Promise<TypedBytes | undefined> {
    const offer = this.#current;
    if (offer === undefined || !offer.isAlive) return undefined;
    if (!this.#types.get(offer)?.includes(type)) return undefined;
    using pipe = Pipe.open();
    offer.send("receive", type, pipe.writing);
    pipe.closeWriting();
    const { maxBytes, idleMs, signal } = reading;
    const parts = await translated(pipe.readParts(maxBytes, { idleMs, signal }), reading);
    await this.client.roundtrip(); // a pipe that a lost connection has closed would be an empty text
    return { type, parts };
  }

  async offer(content: TypedContent): Promise<ClipboardOffer> {
    const offered = new Offered(content);
    if (content.size === 0) this.#device.send("set_selection", undefined);
    else this.#device.send("set_selection", this.#createSource(offered));
    await this.client.roundtrip();
    return offered;
  }

  #createSource(offered: Offered): WaylandObject<"zwlr_data_control_source_v1"> {
    const source = this.#manager.send("create_data_source");
    source.on("cancelled", () => {
      offered.isReplaced = true;
      source.send("destroy");
    });
    source.on("send", (type, file) => {
      if (!offered.content.has(type)) return closeFile(file);
      void offered.give(type, (parts) => writeAndClose(file, parts, { idleMs: WRITE_IDLE_MS }));
    });
    for (const type of offered.content.keys()) source.send("offer", type);
    return source;
  }
}

// The clipboard by the calls of a remote desktop session: Mutter's and the desktop portal's differ in
// their names alone. The desktop forgets what a session has put there when that ends.

interface SelectionCalls {
  /** Whether the session lasts. */
  isOpen(): boolean;
  /** Offers these types; none withdraws what the session has offered. */
  set(types: readonly string[]): Promise<void>;
  /** The descriptor from which a type can be read. */
  read(type: string): Promise<number>;
  /** The descriptor to which what a program has asked for is to be written. */
  write(serial: number): Promise<number>;
  writeDone(serial: number, isComplete: boolean): void;
  /** A program asks for a type. */
  onTransfer(listener: (type: string, serial: number) => void): Promise<void>;
  /** The clipboard has another content. */
  onOwner(listener: (types: readonly string[], isOurs: boolean) => void): Promise<void>;
}

/** Pauses before a read that the desktop was too busy for is tried again. */
const BUSY_MS = { first: 5, most: 100 } as const;
/**
 * A type that GNOME does not keep. What it keeps of the last text comes back when the owner
 * withdraws, so that only an offer without any text clears the clipboard.
 */
const NOTHING = "application/x-nothing";

export class BusClipboard implements TypedClipboard {
  readonly isKeptByDesktop = true; // GNOME, which alone has these calls, does
  #types: readonly string[] = [];
  /** How often the desktop has reported another content. */
  #changes = 0;
  /** What was offered last; the desktop may not have taken it yet. */
  #offer: Offered | undefined;
  /** What this program has on the clipboard, which it cannot read from itself. */
  #owned: Offered | undefined;
  /** What was to be offered last; it may still wait for the one before. */
  #latest: Offered | undefined;
  /** The desktop does not say which offer it reports. */
  readonly #offers = new Semaphore({ capacity: 1 });

  private constructor(private readonly calls: SelectionCalls) {}

  static async open(calls: SelectionCalls): Promise<BusClipboard> {
    const clipboard = new BusClipboard(calls);
    await calls.onOwner((types, isOurs) => clipboard.#follow(types, isOurs));
    await calls.onTransfer((type, serial) => void clipboard.#give(type, serial));
    return clipboard;
  }

  get connected(): boolean {
    return this.calls.isOpen();
  }

  types(): Promise<readonly string[]> {
    return Promise.resolve(this.#types);
  }

  async readType(type: string, reading: TypeReading): Promise<TypedBytes | undefined> {
    const { maxBytes, idleMs, signal } = reading;
    const end = performance.now() + idleMs;
    for (let pauseMs: number = BUSY_MS.first;; pauseMs = Math.min(2 * pauseMs, BUSY_MS.most)) {
      if (!this.#types.includes(type)) return undefined;
      if (this.#owned !== undefined) return readOffered(this.#owned, type, maxBytes);
      const file = await this.#openReading(type);
      if (file !== undefined) {
        const parts = await translated(readAndClose(file, maxBytes, { idleMs, signal }), reading);
        return { type, parts };
      }
      if (performance.now() + pauseMs > end) throw unresponsiveOwner(idleMs);
      await pause(pauseMs, signal);
    }
  }

  async offer(content: TypedContent): Promise<ClipboardOffer> {
    const offer = new Offered(content);
    if (this.#latest !== undefined) this.#latest.isReplaced = true;
    this.#latest = offer;
    await this.#offers.run(() => this.#put(offer));
    return offer;
  }

  async #put(offer: Offered): Promise<void> {
    const types = [...offer.content.keys()];
    this.#offer = offer; // asked for before the call is answered
    if (types.length === 0) await this.calls.set([NOTHING]);
    await this.calls.set(types);
    const isReported = types.length === 0 ? this.#owned === undefined : this.#owned === offer;
    if (!isReported && !offer.isReplaced) this.#follow(types, types.length > 0);
  }

  /**
   * The desktop reports each content in turn, before it answers the call that put it there: what
   * comes before this program's own is of contents that its offer has replaced.
   */
  #follow(types: readonly string[], isOurs: boolean): void {
    this.#types = types;
    this.#changes++;
    const owned = isOurs ? this.#offer : undefined;
    if (this.#owned !== undefined && this.#owned !== owned) this.#owned.isReplaced = true;
    this.#owned = owned;
  }

  /**
   * The descriptor from which a type can be read; none where that is to be tried again: GNOME reads
   * for a session one by one, and is not always done when the reader has everything.
   */
  async #openReading(type: string): Promise<number | undefined> {
    const changes = this.#changes;
    return await this.calls.read(type).catch(
      throwUnless((error) =>
        error instanceof BusError && (isBusy(error) || this.#changes !== changes)
      ),
    );
  }

  /** A program has begun to read when the desktop says so, not when that lets this one write. */
  async #give(type: string, serial: number): Promise<void> {
    const offer = this.#owned ?? this.#offer;
    try {
      const isComplete = await offer?.give(type, (parts) => this.#write(serial, parts)) ?? false;
      this.calls.writeDone(serial, isComplete);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error; // otherwise the desktop has gone
    }
  }

  /** Whether the program has taken all: the desktop forgets requests to contents that are replaced. */
  async #write(serial: number, parts: Parts): Promise<boolean> {
    const file = await this.calls.write(serial).catch(throwUnless(isServiceError));
    return file !== undefined && await writeAndClose(file, parts, { idleMs: WRITE_IDLE_MS });
  }
}

/** Portals pass the text on, but not always the name. */
function isBusy({ errorName, text }: BusError): boolean {
  return errorName === "org.freedesktop.DBus.Error.LimitsExceeded" || text.includes("in parallel");
}

// The calls of a session: Mutter and the desktop portal name their options differently.

interface SelectionSession {
  /** Who answers, as messages name it. */
  readonly name: string;
  readonly options: { readonly types: string; readonly isOwner: string };
  isOpen(): boolean;
  call(member: string, signature: string, body: readonly unknown[]): Promise<BusReply>;
  on(member: string, listener: (body: readonly unknown[]) => void): Promise<void>;
}

/** The list of types stands inside of a structure. */
type TypeList = readonly (string | readonly string[])[];

export function selectionCalls(session: SelectionSession): SelectionCalls {
  const { name, options } = session;
  const fileOf = async (member: string, signature: string, of: string | number) =>
    onlyFile(await session.call(member, signature, [of]), name);
  return {
    isOpen: () => session.isOpen(),
    async set(types) {
      const offered = types.length === 0 ? [] : [[options.types, ["as", types]]];
      await session.call("SetSelection", "a{sv}", [offered]);
    },
    read: (type) => fileOf("SelectionRead", "s", type),
    write: (serial) => fileOf("SelectionWrite", "u", serial),
    writeDone(serial, isComplete) {
      session.call("SelectionWriteDone", "ub", [serial, isComplete]).catch(() => {}); // it has ended
    },
    onTransfer: (listener) =>
      session.on(
        "SelectionTransfer",
        ([type, serial]) => listener(type as string, serial as number),
      ),
    onOwner: (listener) =>
      session.on("SelectionOwnerChanged", ([owner]) => {
        const { [options.types]: types = [], [options.isOwner]: isOurs = false } = owner as Record<
          string,
          unknown
        >;
        listener((types as TypeList).flat(), isOurs as boolean);
      }),
  };
}
