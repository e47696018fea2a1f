/** Shows the live picture: draws its messages on a canvas in their order, and the cursor above it. */

import type { LiveNote } from "../../features/live/message.ts";
import { decodeMessage, type Surface } from "./decode.ts";

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
