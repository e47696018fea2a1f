/**
 * The clipboard by the calls of a remote desktop session: Mutter's and the desktop portal's differ in
 * their names alone.
 */

import { ServiceError } from "../../../core/errors.ts";
import { Offered, readOffered } from "../clipboard/offered.ts";
import { translated } from "../clipboard/reading_errors.ts";
import type {
  ClipboardOffer,
  TypedBytes,
  TypedClipboard,
  TypedContent,
  TypeReading,
} from "../clipboard/typed_clipboard.ts";
import { readAndClose, writeAndClose } from "./wire/pipe.ts";

export interface SelectionCalls {
  /** Whether the session lasts. */
  isOpen(): boolean;
  /** Offers these types; none clears the clipboard. */
  set(types: readonly string[]): Promise<void>;
  /** The descriptor from which a type can be read. */
  read(type: string): Promise<number>;
  /** The descriptor to which what a program has asked for is to be written. */
  write(serial: number): Promise<number>;
  /** Says that it was written. */
  writeDone(serial: number, isWhole: boolean): void;
  /** A program asks for a type. */
  onTransfer(listener: (type: string, serial: number) => void): Promise<void>;
  /** The clipboard has another content. */
  onOwner(listener: (types: readonly string[], isOurs: boolean) => void): Promise<void>;
}

/** How long a program that reads may rest. */
const WRITE_IDLE_MS = 5_000;

export class BusClipboard implements TypedClipboard {
  readonly isKeptByDesktop = true; // GNOME, which alone has these calls, does
  #types: readonly string[] = [];
  /** Whether this program owns it, which cannot read from itself. */
  #isOurs = false;
  #offer: Offered | undefined;

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
    if (!this.#types.includes(type)) return undefined;
    if (this.#isOurs && this.#offer !== undefined) {
      return readOffered(this.#offer, type, reading.maxBytes);
    }
    const { maxBytes, idleMs, signal } = reading;
    const file = await this.calls.read(type);
    const parts = await translated(readAndClose(file, maxBytes, { idleMs, signal }), reading);
    return { type, parts };
  }

  async offer(content: TypedContent): Promise<ClipboardOffer> {
    const offer = this.#offer = new Offered(content);
    await this.calls.set([...content.keys()]);
    this.#follow([...content.keys()], content.size > 0); // the desktop says so a moment later
    return offer;
  }

  /** The desktop forgets what a session has put there when that ends. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  #follow(types: readonly string[], isOurs: boolean): void {
    this.#types = types;
    this.#isOurs = isOurs;
    if (!isOurs && this.#offer !== undefined) this.#offer.isReplaced = true;
  }

  async #give(type: string, serial: number): Promise<void> {
    const offer = this.#offer;
    try {
      if (!offer?.content.has(type)) return this.calls.writeDone(serial, false);
      const file = await this.calls.write(serial);
      const isWhole = await offer.give(
        type,
        (parts) => writeAndClose(file, parts, { idleMs: WRITE_IDLE_MS }),
      );
      this.calls.writeDone(serial, isWhole);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error; // otherwise the desktop has gone
    }
  }
}
