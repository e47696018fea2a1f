/** Reads the pictures of a stream in any thread, from the memory of its newest frame. */

import { PROT_READ_WRITE } from "../../../../ffi/linux/sockets.ts";
import { pointerAddress } from "../../../../ffi/memory.ts";
import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Host } from "../../host.ts";
import type {
  CaptureOptions,
  CursorPicture,
  Point,
  Region,
  Screen,
  UsePicture,
} from "../../types/mod.ts";
import { connectFile, messageSocketLibrary } from "../sockets/message_socket.ts";
import {
  copyPixels,
  type CursorImage,
  cursorState,
  drawCursor,
  type FramePixels,
  type VisibleCursor,
} from "./frame.ts";

/** @param name of the {@link ScreenAddress}, which no one but the stream makes: that of the frame */
export function openPipeWireScreen(name: string): SharedScreen {
  return new SharedScreen(new SharedFrame(BigInt(name)));
}

export class SharedScreen implements Screen {
  constructor(private readonly shared: SharedFrame) {}

  get connected(): boolean {
    return !this.shared.isClosed;
  }

  async capture<T>(region: Region, options: CaptureOptions, use: UsePicture<T>): Promise<T> {
    const { width, height } = region;
    const { pixels, cursor } = await this.#copy(region);
    const picture = { width, height, pixels };
    if (options.cursor === "hidden" || cursor === undefined) return use(picture);
    options.beforeCursor?.(picture);
    drawCursor(picture, region, cursor);
    return use(picture, cursorState(cursor));
  }

  /** `undefined` while the cursor is hidden or on another screen. */
  async cursor(): Promise<VisibleCursor | undefined> {
    let found: VisibleCursor | undefined;
    while (!this.shared.read(({ cursor }) => found = cursor)) await pause(1);
    return found;
  }

  async cursorPicture(): Promise<CursorPicture | undefined> {
    const cursor = await this.cursor();
    if (cursor?.image === undefined) return undefined;
    const { position, image } = cursor;
    return { position, hotspot: image.hotspot, image };
  }

  close(): void {} // it owns nothing

  async #copy(region: Region) {
    let copy: { pixels: Uint32Array<ArrayBuffer>; cursor: VisibleCursor | undefined } | undefined;
    let size: { readonly width: number; readonly height: number } | undefined;
    const tryCopy = () =>
      this.shared.read(({ frame, cursor }) => {
        size = frame;
        const isInside = frame !== undefined && region.x + region.width <= frame.width &&
          region.y + region.height <= frame.height;
        if (isInside) copy = { pixels: copyPixels(frame, region), cursor };
      });
    while (!tryCopy()) await pause(1);
    if (copy !== undefined) return copy;
    if (size !== undefined) throw new ServiceError("conflict", RESIZED);
    throw new ServiceError("unavailable", this.connected ? NO_PICTURE : ENDED);
  }
}

const RESIZED = "The screen was resized in the meantime: try again";
const NO_PICTURE = "The compositor has sent no picture yet: try again";
const ENDED = "The pictures of the screen have ended: try again";

// Connects to the PipeWire of a session.

/**
 * The descriptor of a connection, which the caller passes on or closes.
 * @throws ServiceError `unavailable`: it does not run
 */
export function connectPipeWire({ env, uid }: Host): number {
  const folder = env["PIPEWIRE_RUNTIME_DIR"] || env["XDG_RUNTIME_DIR"] || `/run/user/${uid}`;
  const name = env["PIPEWIRE_REMOTE"] || "pipewire-0";
  try {
    return connectFile(name.startsWith("/") ? name : `${folder}/${name}`);
  } catch (error) {
    const { message } = error as Error;
    const text = `Cannot take pictures: ${message}: start PipeWire and wireplumber`;
    throw new ServiceError("unavailable", text, { cause: error });
  }
}

// The newest frame of a stream, where all threads find it: a page of memory with the address of its
// pixels, so that readers copy what they need and nothing is copied twice. The thread of the stream
// replaces frames only while nothing reads them, and readers read only while it replaces nothing:
// each announces itself, and steps back when the other was first.

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
