/** A viewer of a live picture, as the page is one: it draws what it is sent into memory, and acknowledges it. */

import { decodeMessage, type Surface } from "../../src/console/page/picture.ts";
import type { LiveMessage, LiveNote } from "../../src/features/live/message.ts";
import { decodeJpeg, openJpeg } from "../../src/imaging/jpeg.ts";
import type { Picture } from "../../src/imaging/picture.ts";

const RGB = 0xffffff;

/** Pixels in memory, `0xRRGGBB`. */
export class MemorySurface implements Surface {
  pixels: Uint32Array;

  constructor(readonly width: number, readonly height: number) {
    this.pixels = new Uint32Array(width * height);
  }

  put(x: number, y: number, width: number, height: number, rgba: Uint8ClampedArray): void {
    for (let row = 0, from = 0; row < height; row++) {
      let to = (y + row) * this.width + x;
      for (let column = 0; column < width; column++, from += 4) {
        this.pixels[to++] = rgba[from]! << 16 | rgba[from + 1]! << 8 | rgba[from + 2]!;
      }
    }
  }

  draw(x: number, y: number, width: number, height: number, picture: unknown): void {
    const from = picture as Picture;
    for (let row = 0; row < height; row++) {
      const source = Math.floor(row * from.height / height) * from.width;
      for (let column = 0; column < width; column++) {
        const at = source + Math.floor(column * from.width / width);
        this.pixels[(y + row) * this.width + x + column] = from.pixels[at]! & RGB;
      }
    }
  }

  copy(x: number, y: number, width: number, height: number, dx: number, dy: number): void {
    const before = this.pixels.slice();
    for (let row = y; row < y + height; row++) {
      const from = (row + dy) * this.width + x + dx;
      this.pixels.set(before.subarray(from, from + width), row * this.width + x);
    }
  }
}

export interface WatcherOptions {
  /** Whether it acknowledges by itself what it has drawn; `true` by default. */
  readonly acknowledges?: boolean;
}

export class Watcher {
  surface = new MemorySurface(0, 0);
  readonly notes: LiveNote[] = [];
  /** Of each message with pixels, how its parts were encoded. */
  readonly codecs: number[][] = [];
  /** Bytes of all messages with pixels. */
  bytes = 0;
  /** The number of the last message that was drawn. */
  drawn = 0;
  #acknowledge: (id: number) => void = () => {};
  #drawing: Promise<void> = Promise.resolve();

  constructor(private readonly options: WatcherOptions = {}) {}

  /** Where acknowledgements go. */
  connect(acknowledge: (id: number) => void): void {
    this.#acknowledge = acknowledge;
    if (this.drawn > 0) this.acknowledgeAll();
  }

  readonly send = (message: LiveMessage): void => {
    this.#drawing = this.#drawing.then(() => this.#take(message));
  };

  acknowledgeAll(): void {
    this.#acknowledge(this.drawn);
  }

  /** Resolves when all that has come is drawn; rejects when a message was damaged. */
  async idle(): Promise<void> {
    await this.#drawing;
  }

  notesOf<Kind extends LiveNote["kind"]>(kind: Kind): Extract<LiveNote, { kind: Kind }>[] {
    return this.notes.filter((note) => note.kind === kind) as Extract<LiveNote, { kind: Kind }>[];
  }

  async #take(message: LiveMessage): Promise<void> {
    if (!(message instanceof ArrayBuffer)) {
      this.notes.push(message);
      if (message.kind === "size") this.surface = new MemorySurface(message.width, message.height);
      return;
    }
    this.bytes += message.byteLength;
    this.codecs.push(codecsOf(message));
    const jpeg = await openJpeg();
    const decoded = await decodeMessage(
      message,
      (bytes) => Promise.resolve(decodeJpeg(jpeg, bytes)),
    );
    decoded.drawOn(this.surface);
    this.drawn = decoded.id;
    if (this.options.acknowledges ?? true) this.acknowledgeAll();
  }
}

function codecsOf(message: ArrayBuffer): number[] {
  const view = new DataView(message);
  const codecs = [];
  for (let at = 8; at < message.byteLength; at += 14 + view.getUint32(at + 10, true)) {
    codecs.push(view.getUint8(at));
  }
  return codecs;
}

/** Numbers in [0, 1) that a seed determines (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 4_294_967_296;
  };
}
