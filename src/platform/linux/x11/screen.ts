/** Reads single pixels and regions of the screen. */

import {
  IPC_CREAT,
  IPC_PRIVATE,
  IPC_RMID,
  openLibc,
  SHARED_MEMORY_SYMBOLS,
  type SharedMemoryLibrary,
} from "../../../../ffi/linux/libc.ts";
import { roundUp } from "../../../core/bytes.ts";
import { ServiceError } from "../../../core/errors.ts";
import { drawOver } from "../../../imaging/picture.ts";
import { openCapability } from "../../capability.ts";
import type {
  CursorPicture,
  CursorState,
  Picture,
  Point,
  Reading,
  Region,
  Rgb,
} from "../../types/mod.ts";
import type { XError } from "./client.ts";
import {
  type Fixes,
  requireExtension,
  type Shm,
  type X11Connection,
  type XCursorImage,
} from "./connection.ts";

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

export class X11Screen {
  readonly #reader: PixelReader;
  #memory: SharedMemory | undefined;
  #reading: Reading;

  /**
   * Reads through shared memory if `memory` is one; otherwise through the socket, and `memory` is
   * the reason.
   * @throws ServiceError `unsupported` for a screen whose pixels are no RGB values.
   */
  constructor(
    private readonly connection: X11Connection,
    memory: SharedMemory | string,
    private readonly drawable = connection.root,
  ) {
    this.#memory = typeof memory === "string" ? undefined : memory;
    this.#reading = typeof memory === "string"
      ? { way: "socket", reason: memory }
      : { way: "shared_memory", reason: "the X server shares memory with this process" };
    const { setup, screen, name } = connection;
    const visual = screen.depths[screen.root_depth]?.[screen.root_visual];
    const format = setup.format[screen.root_depth];
    if (!visual || !format || visual.red_mask === 0) {
      throw new ServiceError(
        "unsupported",
        `Cannot read the screen of "${name}": it is not TrueColor, start it with depth 24`,
      );
    }
    this.#reader = new PixelReader({
      bitsPerPixel: format.bits_per_pixel,
      scanlinePad: format.scanline_pad,
      mostSignificantByteFirst: setup.image_byte_order === 1,
      redMask: visual.red_mask,
      greenMask: visual.green_mask,
      blueMask: visual.blue_mask,
    });
  }

  /** How the screen is read now. */
  get reading(): Reading {
    return this.#reading;
  }

  /** Not while a picture is read or used. */
  close(): void {
    this.#memory?.close();
    this.#memory = undefined;
  }

  async pixel({ x, y }: Point): Promise<Rgb> {
    return this.#reader.first(await this.#image({ x, y, width: 1, height: 1 }));
  }

  /** The pixels of a region within the screen; the next call can overwrite them. */
  async pixels(region: Region): Promise<Uint32Array> {
    const data = await this.#image(region);
    return this.#reader.pixels(data, region.width, region.height);
  }

  async #image(region: Region): Promise<Uint8Array> {
    if (this.#memory === undefined) return await this.#throughSocket(region);
    try {
      return await this.#memory.read(region, this.#reader.stride(region.width) * region.height);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const image = await this.#throughSocket(region); // fails as well if the screen is the cause
      this.close();
      this.#reading = { way: "socket", reason: (error as Error).message };
      return image;
    }
  }

  async #throughSocket({ x, y, width, height }: Region): Promise<Uint8Array> {
    try {
      const area = [x, y, width, height] as const;
      const asked = [Z_PIXMAP, this.drawable, ...area, ALL_PLANES] as const;
      return (await this.connection.request("GetImage", ...asked)).data;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw new ServiceError(
        "conflict",
        `Cannot read the screen: it was resized in the meantime (${(error as XError).message})`,
        { cause: error },
      );
    }
  }
}

// Describes how an X server lays out pixels, and converts them to red, green and blue.

export interface PixelFormat {
  /** 8, 16, 24 or 32. */
  readonly bitsPerPixel: number;
  /** Bits to which each row is padded. */
  readonly scanlinePad: number;
  readonly mostSignificantByteFirst: boolean;
  readonly redMask: number;
  readonly greenMask: number;
  readonly blueMask: number;
}

/** Converts pictures of one format to `0xRRGGBB` pixels. */
export class PixelReader {
  readonly #red: Channel;
  readonly #green: Channel;
  readonly #blue: Channel;

  constructor(private readonly format: PixelFormat) {
    this.#red = channel(format.redMask);
    this.#green = channel(format.greenMask);
    this.#blue = channel(format.blueMask);
  }

  /** The bytes of a row, with its padding. */
  stride(width: number): number {
    return roundUp(width * this.format.bitsPerPixel, this.format.scanlinePad) / 8;
  }

  first(data: Uint8Array): Rgb {
    const rgb = this.#rgb(data, 0);
    return [rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff];
  }

  /**
   * All pixels of a picture in ZPixmap format (X protocol, GetImage), as `0xRRGGBB`. With the
   * format of nearly every server this is a view of the data, not a copy.
   */
  pixels(data: Uint8Array, width: number, height: number): Uint32Array {
    if (this.#isXrgb() && data.byteOffset % 4 === 0) {
      return new Uint32Array(data.buffer, data.byteOffset, width * height);
    }
    const out = new Uint32Array(width * height);
    const step = this.format.bitsPerPixel / 8;
    const stride = this.stride(width);
    let to = 0;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        out[to++] = this.#rgb(data, row * stride + column * step);
      }
    }
    return out;
  }

  /**
   * Bytes in the order blue, green, red, unused. This computer agrees: all systems that Deno runs
   * on are little-endian.
   */
  #isXrgb(): boolean {
    const { bitsPerPixel, scanlinePad, mostSignificantByteFirst } = this.format;
    const { redMask, greenMask, blueMask } = this.format;
    return bitsPerPixel === 32 && scanlinePad === 32 && !mostSignificantByteFirst &&
      redMask === 0xff0000 && greenMask === 0xff00 && blueMask === 0xff;
  }

  #rgb(data: Uint8Array, at: number): number {
    const pixel = this.#value(data, at);
    return this.#level(this.#red, pixel) << 16 | this.#level(this.#green, pixel) << 8 |
      this.#level(this.#blue, pixel);
  }

  #level({ shift, levels, mask }: Channel, pixel: number): number {
    return levels[(pixel & mask) >>> shift]!;
  }

  #value(data: Uint8Array, at: number): number {
    const bytes = this.format.bitsPerPixel / 8;
    let value = 0;
    for (let i = 0; i < bytes; i++) {
      const significance = this.format.mostSignificantByteFirst ? bytes - 1 - i : i;
      value |= data[at + i]! << (8 * significance);
    }
    return value >>> 0;
  }
}

interface Channel {
  readonly mask: number;
  readonly shift: number;
  /** Value of the channel -> 0..255. */
  readonly levels: Uint8Array;
}

function channel(mask: number): Channel {
  const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
  const max = mask >>> shift;
  const levels = Uint8Array.from(
    { length: max + 1 },
    (_, value) => Math.round(value * 255 / (max || 1)),
  );
  return { mask, shift, levels };
}

// Memory into which the X server writes pictures (MIT-SHM), so that no pixel passes through a
// socket.

const OWNER_ONLY = 0o600;
const FAILED = -1n;
/** Fill bytes that no server writes by chance in both rounds of the probe. */
const MARKS = [0x5a, 0xa5] as const;

interface Segment {
  readonly id: number;
  readonly address: Deno.PointerObject;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export class SharedMemory {
  #segment: Segment | undefined;

  private constructor(
    private readonly connection: X11Connection,
    private readonly shm: Shm,
    private readonly libc: SharedMemoryLibrary,
  ) {}

  /** Returns the memory, or half a sentence on why pictures must pass through the socket. */
  static async open(connection: X11Connection): Promise<SharedMemory | string> {
    if (!connection.setup.isLocalSocket) return "the X server is on another computer";
    const shm = await requireExtension<Shm>(connection, "shm");
    if (!shm) return "the X server has no MIT-SHM extension";
    const libc = openCapability(() => openLibc(SHARED_MEMORY_SYMBOLS).symbols, "");
    if (!libc.ready) return "this system's C library has no shared memory";
    const memory = new SharedMemory(connection, shm, libc.use);
    try {
      if (await memory.#isShared()) return memory;
      return "the X server has other memory under our number: it is in another container";
    } catch (error) {
      memory.close();
      if (!connection.connected) throw error;
      return (error as Error).message;
    }
  }

  /**
   * Reads a region within the screen; the bytes are valid until the next call.
   * @throws XError that the server reports; Error when the system has no memory of this size
   */
  async read(region: Region, byteLength: number): Promise<Uint8Array<ArrayBuffer>> {
    const { id, bytes } = await this.#atLeast(byteLength);
    const { x, y, width, height } = region;
    const { size } = await this.connection.call<{ size: number }>((done) =>
      this.shm.GetImage(
        ...[this.connection.root, x, y, width, height, ALL_PLANES, Z_PIXMAP, id, 0] as const,
        done,
      )
    );
    return bytes.subarray(0, size);
  }

  /** The bytes that were read must not be used any more. */
  close(): void {
    if (!this.#segment) return;
    if (this.connection.connected) this.shm.Detach(this.#segment.id);
    this.libc.shmdt(this.#segment.address);
    this.#segment = undefined;
  }

  /**
   * Probes that the server writes into our segment: in another container our id can belong to a
   * different one.
   */
  async #isShared(): Promise<boolean> {
    const pixel = { x: 0, y: 0, width: 1, height: 1 };
    for (const mark of MARKS) {
      const { bytes } = await this.#atLeast(8);
      bytes.fill(mark);
      const data = await this.read(pixel, 8);
      if (data.some((byte) => byte !== mark)) return true;
    }
    this.close();
    return false;
  }

  async #atLeast(byteLength: number): Promise<Segment> {
    if (this.#segment && this.#segment.bytes.length >= byteLength) return this.#segment;
    this.close();
    const shmid = this.libc.shmget(IPC_PRIVATE, BigInt(byteLength), IPC_CREAT | OWNER_ONLY);
    if (shmid < 0) {
      throw new Error(`the system cannot allocate shared memory of ${byteLength} bytes`);
    }
    try {
      return this.#segment = await this.#attach(shmid, byteLength);
    } finally {
      this.libc.shmctl(shmid, IPC_RMID, null); // both sides have it mapped now, or will never have
    }
  }

  async #attach(shmid: number, byteLength: number): Promise<Segment> {
    const address = this.libc.shmat(shmid, null, 0);
    if (address === null || BigInt.asIntN(64, Deno.UnsafePointer.value(address)) === FAILED) {
      throw new Error(`shared memory of ${byteLength} bytes cannot be mapped`);
    }
    try {
      const id = this.connection.client.AllocID();
      await this.connection.call<void>((done) => this.shm.Attach(id, shmid, false, done));
      const bytes = new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(address, byteLength));
      return { id, address, bytes };
    } catch (error) {
      this.libc.shmdt(address);
      if (!this.connection.connected) throw error;
      throw new Error("the X server cannot attach our memory: it is in another container", {
        cause: error,
      });
    }
  }
}

// Reads the cursor's current image and position, and draws it into pictures.

export function readCursor(connection: X11Connection, fixes: Fixes): Promise<XCursorImage> {
  return connection.call<XCursorImage>((done) => fixes.GetCursorImage(done));
}

export function cursorState(cursor: XCursorImage): CursorState {
  const { width, height, cursorSerial } = cursor;
  const { x, y } = topLeft(cursor);
  return { box: { x, y, width, height }, key: `${x},${y},${cursorSerial}` };
}

/** Draws the cursor over a picture whose top left pixel is at `origin` on the screen. */
export function drawCursor(picture: Picture, origin: Point, cursor: XCursorImage): void {
  const { x, y } = topLeft(cursor);
  drawOver(picture, pictureOf(cursor), { x: x - origin.x, y: y - origin.y });
}

/** `undefined` for a program's cursor without a single visible pixel, which hides it. */
export function describeCursor(cursor: XCursorImage): CursorPicture | undefined {
  const { x, y, xhot, yhot } = cursor;
  const image = pictureOf(cursor);
  if (image.pixels.every((pixel) => pixel >>> 24 === 0)) return undefined;
  return { position: { x, y }, hotspot: { x: xhot, y: yhot }, image };
}

function pictureOf({ cursorImage, width, height }: XCursorImage): Picture {
  const pixels = new Uint32Array(new Uint8Array(cursorImage).buffer); // a copy, which is aligned
  return { width, height, pixels };
}

function topLeft({ x, y, xhot, yhot }: XCursorImage): Point {
  return { x: x - xhot, y: y - yhot };
}
