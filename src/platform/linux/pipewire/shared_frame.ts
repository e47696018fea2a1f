/**
 * The newest frame of a stream, where all threads find it: a page of memory with the address of its
 * pixels, so that readers copy what they need and nothing is copied twice.
 *
 * The thread of the stream replaces frames only while nothing reads them, and readers read only
 * while it replaces nothing: each announces itself, and steps back when the other was first.
 */

import { PROT_READ_WRITE } from "../../../../ffi/linux/sockets.ts";
import { pointerAddress } from "../../../../ffi/memory.ts";
import { messageSocketLibrary } from "../sockets/library.ts";
import type { Point } from "../../types/mod.ts";
import type { VisibleCursor } from "./cursor.ts";
import type { CursorImage, FramePixels } from "./frame.ts";

const PAGE_BYTES = 4096;
/** `MAP_PRIVATE | MAP_ANONYMOUS` */
const MAP_FLAGS = 0x02 | 0x20;

/** Indexes of 32-bit numbers in the page. */
const AT = {
  replacing: 0,
  readers: 1,
  closed: 2,
  width: 3,
  height: 4,
  stride: 5,
  isRedFirst: 6,
  isCursorVisible: 10,
  x: 11,
  y: 12,
  imageWidth: 13,
  imageHeight: 14,
  hotX: 15,
  hotY: 16,
  images: 17,
} as const;
/** Indexes of 64-bit numbers. */
const PIXELS = 4;
const IMAGE_PIXELS = 10;

/** What a reader finds. */
interface SharedState {
  /** `undefined` before the first frame. */
  readonly frame: FramePixels | undefined;
  readonly cursor: VisibleCursor | undefined;
}

export class SharedFrame {
  readonly #numbers: Int32Array;
  readonly #addresses: BigUint64Array;

  /** @param address of a page that this process has created */
  constructor(readonly address: bigint) {
    const page = Deno.UnsafePointer.create(address)!;
    const bytes = Deno.UnsafePointerView.getArrayBuffer(page, PAGE_BYTES);
    this.#numbers = new Int32Array(bytes);
    this.#addresses = new BigUint64Array(bytes);
  }

  /** The page is never freed: a reader can come at any time. */
  static create(): SharedFrame {
    const { mmap } = messageSocketLibrary();
    const page = mmap(null, BigInt(PAGE_BYTES), PROT_READ_WRITE, MAP_FLAGS, -1, 0n);
    return new SharedFrame(Deno.UnsafePointer.value(page));
  }

  get isClosed(): boolean {
    return Atomics.load(this.#numbers, AT.closed) === 1;
  }

  /** Readers that come later find nothing. */
  close(): void {
    Atomics.store(this.#numbers, AT.closed, 1);
  }

  /**
   * For readers: `use` must copy what it needs. Returns `false` while frames are being replaced,
   * which takes about a millisecond.
   */
  read(use: (state: SharedState) => void): boolean {
    Atomics.add(this.#numbers, AT.readers, 1);
    try {
      if (Atomics.load(this.#numbers, AT.replacing) === 1) return false;
      use(this.isClosed ? { frame: undefined, cursor: undefined } : this.#state());
      return true;
    } finally {
      Atomics.sub(this.#numbers, AT.readers, 1);
    }
  }

  /** For the thread of the stream. Returns `false` while somebody reads, and `replace` did not run. */
  replace(replace: () => void): boolean {
    Atomics.store(this.#numbers, AT.replacing, 1);
    try {
      if (Atomics.load(this.#numbers, AT.readers) > 0) return false;
      replace();
      return true;
    } finally {
      Atomics.store(this.#numbers, AT.replacing, 0);
    }
  }

  /** Only inside {@link replace}. */
  setFrame(frame: FramePixels | undefined): void {
    this.#addresses[PIXELS] = frame?.address ?? 0n;
    if (frame === undefined) return;
    const { width, height, stride, isRedFirst } = frame;
    this.#numbers.set([width, height, stride, Number(isRedFirst)], AT.width);
  }

  /** Only inside {@link replace}; the image must stay alive until the next one is set. */
  setCursorImage({ width, height, pixels, hotspot }: CursorImage): void {
    this.#numbers.set([width, height, hotspot.x, hotspot.y], AT.imageWidth);
    this.#numbers[AT.images]!++;
    this.#addresses[IMAGE_PIXELS] = pointerAddress(new Uint8Array(pixels.buffer));
  }

  /** Only inside {@link replace}. */
  setCursor({ isVisible, x, y }: { isVisible: boolean; x: number; y: number }): void {
    this.#numbers.set([Number(isVisible), x, y], AT.isCursorVisible);
  }

  /** `undefined` while the cursor is hidden; does not count as a reader. */
  get cursorPosition(): Point | undefined {
    const [isVisible, x, y] = this.#numbers.subarray(AT.isCursorVisible);
    return isVisible === 0 ? undefined : { x: x!, y: y! };
  }

  #state(): SharedState {
    const address = this.#addresses[PIXELS]!;
    const [width, height, stride, isRedFirst] = this.#numbers.subarray(AT.width);
    const pixels = {
      width: width!,
      height: height!,
      stride: stride!,
      isRedFirst: isRedFirst === 1,
    };
    return { frame: address === 0n ? undefined : { address, ...pixels }, cursor: this.#cursor() };
  }

  #cursor(): VisibleCursor | undefined {
    const [isVisible, x, y, width, height, hotX, hotY, images] = this.#numbers.subarray(
      AT.isCursorVisible,
    );
    if (isVisible === 0) return undefined;
    const position = { x: x!, y: y! };
    const key = `${x},${y},${images}`;
    const address = this.#addresses[IMAGE_PIXELS]!;
    if (address === 0n) return { position, key, image: undefined };
    const pixels = new Uint32Array(width! * height!);
    new Deno.UnsafePointerView(Deno.UnsafePointer.create(address)!).copyInto(pixels);
    const image = { width: width!, height: height!, pixels, hotspot: { x: hotX!, y: hotY! } };
    return { position, key, image };
  }
}
