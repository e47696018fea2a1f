/**
 * The clipboard by `zwlr_data_control_manager_v1`, which wlroots and KWin have: it needs no window and
 * no focus.
 */

import { ServiceError } from "../../../core/errors.ts";
import type { Clipboard, ClipboardContent, ClipboardOffer } from "./clipboard.ts";
import type { WaylandClient } from "./client.ts";
import type { WaylandObject } from "./protocols/types.ts";
import { closeFile } from "./wire/library.ts";
import { Pipe, writeAndClose } from "./wire/pipe.ts";

type Offered = WaylandObject<"zwlr_data_control_offer_v1">;

/** All types of what is on the clipboard are read, so that it can be put back: with these bounds. */
const READ_MS = 1_000;
const MAX_READ_BYTES = 64 * 1024 * 1024;
/** How long a program that reads may rest. */
const WRITE_IDLE_MS = 5_000;

export class DataControl implements Clipboard {
  readonly isKeptByDesktop = false;
  readonly #manager: WaylandObject<"zwlr_data_control_manager_v1">;
  readonly #device: WaylandObject<"zwlr_data_control_device_v1">;
  readonly #types = new WeakMap<Offered, string[]>();
  #current: Offered | undefined;

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

  async read(signal?: AbortSignal): Promise<ClipboardContent> {
    const content = new Map<string, Uint8Array<ArrayBuffer>>();
    const offer = this.#current;
    if (offer === undefined) return content;
    const end = performance.now() + READ_MS;
    let rest = MAX_READ_BYTES;
    for (const type of new Set(this.#types.get(offer))) {
      const idleMs = end - performance.now();
      if (idleMs <= 0 || offer !== this.#current || !offer.isAlive) break;
      const bytes = await this.#readType(offer, { type, maxBytes: rest, idleMs, signal });
      if (bytes === undefined) continue;
      content.set(type, bytes);
      rest -= bytes.length;
    }
    return content;
  }

  async offer(content: ClipboardContent): Promise<ClipboardOffer> {
    if (content.size === 0) {
      this.#device.send("set_selection", undefined);
      await this.client.roundtrip();
      return { isReplaced: false, reads: 0, nextRead: () => new Promise(() => {}) };
    }
    const source = this.#manager.send("create_data_source");
    const offer = new Source(source, content);
    for (const type of content.keys()) source.send("offer", type);
    this.#device.send("set_selection", source);
    await this.client.roundtrip();
    return offer;
  }

  /** `undefined` if its owner does not give it in time, or it is too large. */
  async #readType(
    offer: Offered,
    { type, maxBytes, ...options }: {
      readonly type: string;
      readonly maxBytes: number;
      readonly idleMs: number;
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    using pipe = Pipe.open();
    offer.send("receive", type, pipe.writing);
    pipe.closeWriting();
    try {
      return await pipe.readAll(maxBytes, options);
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }
}

class Source implements ClipboardOffer {
  isReplaced = false;
  reads = 0;
  /** Those who wait for a read that has not begun yet. */
  #waiting: (() => void)[] = [];

  constructor(source: WaylandObject<"zwlr_data_control_source_v1">, content: ClipboardContent) {
    source.on("cancelled", () => {
      this.isReplaced = true;
      source.send("destroy");
    });
    source.on("send", (type, file) => {
      const bytes = content.get(type);
      if (bytes === undefined) closeFile(file);
      else this.#give(file, bytes, isText(type));
    });
  }

  nextRead(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #give(file: number, bytes: Uint8Array<ArrayBuffer>, counts: boolean): Promise<void> {
    const waiting = counts ? this.#waiting.splice(0) : [];
    if (counts) this.reads++;
    if (await writeAndClose(file, bytes, { idleMs: WRITE_IDLE_MS })) {
      for (const resolve of waiting) resolve();
    } else this.#waiting.push(...waiting);
  }
}

/** Whether it is the text itself, and no note about it. */
function isText(type: string): boolean {
  return type.startsWith("text/plain") || /^[A-Z0-9_]+$/.test(type);
}
