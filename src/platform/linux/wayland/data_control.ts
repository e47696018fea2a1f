/**
 * The clipboard by `zwlr_data_control_manager_v1`, which wlroots and KWin have: it needs no window and
 * no focus. Compositors forget what a program has put there when that ends.
 */

import { available, capabilityOf } from "../../capability.ts";
import type { Capability } from "../../types/mod.ts";
import { LinuxClipboard } from "../clipboard/linux_clipboard.ts";
import {
  type ClipboardOffer,
  Offered,
  translated,
  type TypedBytes,
  type TypedClipboard,
  type TypedContent,
  type TypeReading,
} from "../clipboard/typed_clipboard.ts";
import type { WaylandClient } from "./client.ts";
import type { WaylandObject } from "./protocols/mod.ts";
import { closeFile } from "../sockets/message_socket.ts";
import { Pipe, writeAndClose } from "../sockets/pipe.ts";
import type { WaylandObject } from "./protocols/mod.ts";

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
