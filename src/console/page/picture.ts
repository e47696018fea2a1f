/** The live picture: decodes its messages, and draws them on a canvas in their order, and the cursor above it. */

import { CODECS, HEADER_BYTES, type LiveNote, PART_BYTES } from "../../features/live/message.ts";

interface PictureOptions {
  readonly canvas: HTMLCanvasElement;
  /** Shows the cursor of the display where the own one is elsewhere. */
  readonly cursor: HTMLImageElement;
  /** Reports that a message is visible. */
  acknowledge(id: number): void;
  /** Is called when the size has changed, or when it is gone or back. */
  changed(): void;
  /** What has come could not be drawn: the picture must be asked for anew. */
  failed(): void;
}

export class LivePicture {
  /** Where its upper left corner is on the display. */
  origin = { x: 0, y: 0 };
  /** Whether what is on the canvas is what is watched. */
  isShown = false;
  /** Why there is nothing to see now. */
  gone: string | undefined;
  readonly #surface: Surface;
  /** All that has come is drawn, one after the other. */
  #drawn: Promise<void> = Promise.resolve();
  /** Begins anew with each request for a picture. */
  #turn = 0;
  /** Nothing of this picture can be drawn any more. */
  #hasFailed = false;
  #hotSpot = { x: 0, y: 0 };

  constructor(private readonly options: PictureOptions) {
    this.#surface = surfaceOf(options.canvas);
  }

  /** What comes from now on belongs to another picture. */
  restart(): void {
    this.#turn++;
    this.#hasFailed = false;
    this.isShown = false;
    this.options.cursor.hidden = true;
  }

  receive(data: ArrayBuffer): void {
    if (this.#hasFailed) return;
    const turn = this.#turn;
    const decoding = decodeMessage(data, decodeFile);
    decoding.catch(() => {}); // reported when it is to be drawn
    this.#drawn = this.#drawn.then(async () => {
      const decoded = await decoding;
      if (turn !== this.#turn) return;
      decoded.drawOn(this.#surface);
      this.options.acknowledge(decoded.id);
    }).catch((error) => {
      if (turn !== this.#turn) return;
      console.error(error);
      this.restart();
      this.#hasFailed = true;
      this.options.failed();
    });
  }

  note(note: LiveNote): void {
    if (this.#hasFailed) return;
    const turn = this.#turn;
    this.#drawn = this.#drawn.then(() => {
      if (turn === this.#turn) this.#apply(note);
    });
  }

  #apply(note: LiveNote): void {
    if (note.kind === "cursor") return this.#moveCursor(note);
    const { canvas, changed } = this.options;
    if (note.kind === "size") {
      canvas.width = note.width;
      canvas.height = note.height;
      this.origin = { x: note.x, y: note.y };
    }
    this.gone = note.kind === "gone" ? note.reason : undefined;
    this.isShown = this.gone === undefined;
    changed();
  }

  /** The own cursor looks like that of the display; another one's is drawn where it is. */
  #moveCursor({ visible, x, y, image }: Extract<LiveNote, { kind: "cursor" }>): void {
    const { canvas, cursor } = this.options;
    if (image !== undefined) {
      this.#hotSpot = { x: image.hot_x, y: image.hot_y };
      cursor.src = `data:image/png;base64,${image.png}`;
      canvas.style.cursor = `url(${cursor.src}) ${image.hot_x} ${image.hot_y}, default`;
    }
    cursor.hidden = !visible;
    const { width, height } = canvas;
    cursor.style.left = `${(x - this.#hotSpot.x) * 100 / width}%`;
    cursor.style.top = `${(y - this.#hotSpot.y) * 100 / height}%`;
  }
}

function surfaceOf(canvas: HTMLCanvasElement): Surface {
  const context = canvas.getContext("2d", { alpha: false, desynchronized: true })!;
  return {
    put(x, y, width, height, rgba) {
      context.putImageData(new ImageData(rgba as ImageDataArray, width, height), x, y);
    },
    draw(x, y, width, height, picture) {
      const image = picture as ImageBitmap;
      context.drawImage(image, x, y, width, height);
      image.close();
    },
    copy(x, y, width, height, dx, dy) {
      context.drawImage(canvas, x + dx, y + dy, width, height, x, y, width, height);
    },
  };
}

function decodeFile(bytes: Uint8Array): Promise<ImageBitmap> {
  return createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/jpeg" }));
}

// Decodes the messages of the live picture, which are described in `src/features/live/message.ts`; needs
// nothing but typed arrays.

/** What is drawn on: a canvas, or memory. All methods are called in the order of the message. */
export interface Surface {
  /** Puts pixels: red, green, blue, 255. */
  put(x: number, y: number, width: number, height: number, rgba: Uint8ClampedArray): void;
  /** Draws the picture of a file, stretched to the area. */
  draw(x: number, y: number, width: number, height: number, picture: unknown): void;
  /** Copies to (x, y) what is at (x + dx, y + dy). */
  copy(x: number, y: number, width: number, height: number, dx: number, dy: number): void;
}

/** Decodes a JPEG file; a browser does so by `createImageBitmap`. */
type DecodeFile = (bytes: Uint8Array) => Promise<unknown>;

type Step = (surface: Surface) => void;

/** A message that is decoded and not drawn yet. */
interface Decoded {
  /** What is acknowledged once it is drawn. */
  readonly id: number;
  /** Draws all of it. */
  drawOn(surface: Surface): void;
}

/** @throws RangeError when the message is damaged; the error of `decodeFile` */
export async function decodeMessage(
  message: ArrayBuffer,
  decodeFile: DecodeFile,
): Promise<Decoded> {
  const { id, parts } = readParts(message);
  const steps = await Promise.all(parts.map((part) => decodePart(part, decodeFile)));
  return {
    id,
    drawOn(surface) {
      for (const step of steps) step(surface);
    },
  };
}

interface Part {
  readonly codec: number;
  readonly area: readonly [x: number, y: number, width: number, height: number];
  readonly bytes: Uint8Array;
}

function readParts(message: ArrayBuffer): { readonly id: number; readonly parts: readonly Part[] } {
  const view = new DataView(message);
  const count = view.getUint16(4, true);
  const parts: Part[] = [];
  for (let at = HEADER_BYTES; parts.length < count;) {
    const number = (offset: number) => view.getUint16(at + offset, true);
    const area = [number(2), number(4), number(6), number(8)] as const;
    const bytes = new Uint8Array(message, at + PART_BYTES, view.getUint32(at + 10, true));
    parts.push({ codec: view.getUint8(at), area, bytes });
    at += PART_BYTES + bytes.length;
  }
  return { id: view.getUint32(0, true), parts };
}

async function decodePart({ codec, area, bytes }: Part, decodeFile: DecodeFile): Promise<Step> {
  if (codec === CODECS.qoi) {
    const rgba = decodeQoi(bytes, area[2], area[3]);
    return (surface) => surface.put(...area, rgba);
  }
  if (codec === CODECS.copy) {
    const by = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const [dx, dy] = [by.getInt16(0, true), by.getInt16(2, true)];
    return (surface) => surface.copy(...area, dx, dy);
  }
  if (codec !== CODECS.jpeg) throw new RangeError(`Unknown codec ${codec}`);
  const picture = await decodeFile(bytes);
  return (surface) => surface.draw(...area, picture);
}

const QOI_HEADER_BYTES = 14;
const BLACK = 0xff000000;

/**
 * Decodes a QOI file (qoiformat.org, version 1.0) without transparency. One that is cut off is black
 * from there.
 * @returns red, green, blue, 255 for each pixel
 * @throws RangeError when the file has another size
 */
export function decodeQoi(file: Uint8Array, width: number, height: number): Uint8ClampedArray {
  const header = new DataView(file.buffer, file.byteOffset, file.length);
  if (header.getUint32(4) !== width || header.getUint32(8) !== height) {
    throw new RangeError("The picture has another size than its part of the message");
  }
  const pixels = new Uint32Array(width * height).fill(BLACK); // little endian: 0xffBBGGRR
  const seen = new Uint32Array(64);
  let at = QOI_HEADER_BYTES, red = 0, green = 0, blue = 0, pixel = BLACK;
  for (let to = 0; to < pixels.length && at < file.length;) {
    const tag = file[at++]!;
    if (tag >= 0xc0 && tag < 0xfe) {
      const end = Math.min(pixels.length, to + (tag & 63) + 1);
      pixels.fill(pixel, to, end);
      to = end;
      continue;
    }
    if (tag === 0xfe) {
      red = file[at]!;
      green = file[at + 1]!;
      blue = file[at + 2]!;
      at += 3;
    } else if (tag < 0x40) {
      const known = seen[tag]!;
      red = known & 255;
      green = known >>> 8 & 255;
      blue = known >>> 16 & 255;
    } else if (tag < 0x80) {
      red = red + (tag >> 4 & 3) - 2 & 255;
      green = green + (tag >> 2 & 3) - 2 & 255;
      blue = blue + (tag & 3) - 2 & 255;
    } else {
      const more = file[at++]!;
      const step = (tag & 63) - 32;
      red = red + step - 8 + (more >> 4) & 255;
      green = green + step & 255;
      blue = blue + step - 8 + (more & 15) & 255;
    }
    pixel = (BLACK | blue << 16 | green << 8 | red) >>> 0;
    seen[(red * 3 + green * 5 + blue * 7 + 255 * 11) & 63] = pixel;
    pixels[to++] = pixel;
  }
  return new Uint8ClampedArray(pixels.buffer);
}
