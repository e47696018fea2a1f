/**
 * The clipboard by the calls of a remote desktop session: Mutter's and the desktop portal's differ in
 * their names alone.
 */

import { ServiceError } from "../../../core/errors.ts";
import type { Clipboard, ClipboardContent, ClipboardOffer } from "./clipboard.ts";
import { readAndClose, writeAndClose } from "./wire/pipe.ts";

export interface SelectionCalls {
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

/** All types of what is on the clipboard are read, so that it can be put back: with these bounds. */
const READ_MS = 1_000;
const MAX_READ_BYTES = 64 * 1024 * 1024;
/** How long a program that reads may rest. */
const WRITE_IDLE_MS = 5_000;

export class BusClipboard implements Clipboard {
  readonly isKeptByDesktop = true; // GNOME, which alone has these calls, does
  #types: readonly string[] = [];
  /** Whether this program owns it, which cannot read from itself. */
  #isOurs = false;
  #offer: Offer | undefined;

  private constructor(private readonly calls: SelectionCalls) {}

  static async open(calls: SelectionCalls): Promise<BusClipboard> {
    const clipboard = new BusClipboard(calls);
    await calls.onOwner((types, isOurs) => clipboard.#follow(types, isOurs));
    await calls.onTransfer((type, serial) => void clipboard.#give(type, serial));
    return clipboard;
  }

  async read(signal?: AbortSignal): Promise<ClipboardContent> {
    if (this.#isOurs && this.#offer !== undefined) return this.#offer.content;
    const content = new Map<string, Uint8Array<ArrayBuffer>>();
    const types = this.#types;
    const end = performance.now() + READ_MS;
    let rest = MAX_READ_BYTES;
    for (const type of new Set(types)) {
      const idleMs = end - performance.now();
      if (idleMs <= 0 || types !== this.#types) break;
      const bytes = await this.#readType(type, rest, { idleMs, signal });
      if (bytes === undefined) continue;
      content.set(type, bytes);
      rest -= bytes.length;
    }
    return content;
  }

  async offer(content: ClipboardContent): Promise<ClipboardOffer> {
    const offer = this.#offer = new Offer(content);
    await this.calls.set([...content.keys()]);
    return offer;
  }

  #follow(types: readonly string[], isOurs: boolean): void {
    this.#types = types;
    this.#isOurs = isOurs;
    if (!isOurs && this.#offer !== undefined) this.#offer.isReplaced = true;
  }

  async #give(type: string, serial: number): Promise<void> {
    const offer = this.#offer;
    const bytes = offer?.content.get(type);
    try {
      if (bytes === undefined) return this.calls.writeDone(serial, false);
      const file = await this.calls.write(serial);
      const waiting = isText(type) ? offer!.takeWaiting() : [];
      const isWhole = await writeAndClose(file, bytes, { idleMs: WRITE_IDLE_MS });
      if (isWhole) { for (const resolve of waiting) resolve(); }
      else offer!.putBack(waiting);
      this.calls.writeDone(serial, isWhole);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error; // otherwise the desktop has gone
    }
  }

  /** `undefined` if its owner does not give it in time, or it is too large. */
  async #readType(
    type: string,
    maxBytes: number,
    options: { readonly idleMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return await readAndClose(await this.calls.read(type), maxBytes, options);
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }
}

class Offer implements ClipboardOffer {
  isReplaced = false;
  reads = 0;
  /** Those who wait for a read that has not begun yet. */
  #waiting: (() => void)[] = [];

  constructor(readonly content: ClipboardContent) {}

  nextRead(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  takeWaiting(): (() => void)[] {
    this.reads++;
    return this.#waiting.splice(0);
  }

  putBack(waiting: readonly (() => void)[]): void {
    this.#waiting.push(...waiting);
  }
}

/** Whether it is the text itself, and no note about it. */
function isText(type: string): boolean {
  return type.startsWith("text/plain") || /^[A-Z0-9_]+$/.test(type);
}
