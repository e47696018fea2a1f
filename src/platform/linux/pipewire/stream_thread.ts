/** One stream in the thread that drives it: shares its newest frame, and tells where it differs. */

import { openPipeWireLibrary } from "../../../../ffi/linux/pipewire.ts";
import { ServiceError } from "../../../core/errors.ts";
import { pause } from "../../../core/deadline.ts";
import { PictureComparer } from "../../../imaging/picture_comparer.ts";
import type { Size } from "../../types/mod.ts";
import { copyPixels } from "./copy_pixels.ts";
import type { CursorImage, CursorNews } from "./frame.ts";
import { NativeStream, type StreamListener, type StreamTarget } from "./native_stream.ts";
import { SharedFrame } from "./shared_frame.ts";
import type { StreamLook, StreamNews } from "./stream_messages.ts";

/** A copy takes milliseconds; a thread that reads longer has crashed. */
const READ_MS = 10_000;
/** A wait ends at times, because a thread that is stopped waits for its calls. */
const POLL_MS = 500;
/** How long to wait for the first frame before the stream is started again. */
const FIRST_FRAME_MS = 150;

export class StreamThread {
  readonly #stream: NativeStream;
  readonly #shared: SharedFrame;
  readonly #comparer = new PictureComparer();
  #frames = 0;
  /** The number of frames at the last look. */
  #looked = 0;
  #size: Size = { width: 0, height: 0 };
  /** Kept alive for the readers of its memory. */
  #image: CursorImage | undefined;
  #isClosed = false;

  /** @throws ServiceError `unsupported`: the library is missing; `unavailable`: no connection. */
  constructor(
    target: StreamTarget,
    page: bigint,
    private readonly tell: (news: StreamNews) => void,
  ) {
    this.#shared = SharedFrame.at(page);
    this.#stream = openStream(target, {
      frame: () => this.#hearFrame(),
      cursor: (news) => this.#hearCursor(news),
      forgotten: () => this.#shared.setFrame(undefined),
      ended: (ended) => this.tell({ ended }),
    });
  }

  /** Runs until the stream is closed. */
  async run(): Promise<void> {
    const { loop } = this.#stream;
    while (!this.#isClosed) {
      const hasWork = await loop.waitForWork(this.#frames === 0 ? FIRST_FRAME_MS : POLL_MS);
      if (hasWork) await this.#whileUnread(() => loop.runDue());
      else if (this.#frames === 0 && !this.#isClosed) this.#stream.toggle();
    }
  }

  /** Compares only when a frame has come since the last look. */
  look(): StreamLook {
    const frame = this.#stream.newest;
    if (frame === undefined) {
      throw new ServiceError("unavailable", "The compositor has sent no picture yet: try again");
    }
    const { width, height } = frame;
    const size = { width, height };
    if (this.#looked === this.#frames) return { size, areas: [] };
    this.#looked = this.#frames;
    const pixels = copyPixels(frame, { x: 0, y: 0, ...size });
    return { size, areas: this.#comparer.compare({ ...size, pixels }) };
  }

  /** Resolves when nothing reads the memory of its frames any more, and it is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#shared.close();
    await this.#whileUnread(() => this.#stream.close());
  }

  async #whileUnread(run: () => void): Promise<void> {
    const start = performance.now();
    while (!this.#shared.replace(run)) {
      if (performance.now() - start > READ_MS) {
        this.tell({ ended: "a thread that reads pictures has crashed" });
      }
      await pause(1);
    }
  }

  #hearFrame(): void {
    this.#frames++;
    this.#stream.setActive(true);
    const frame = this.#stream.newest!;
    this.#shared.setFrame(frame);
    const { width, height } = frame;
    if (width !== this.#size.width || height !== this.#size.height) {
      this.#size = { width, height };
      this.tell({ size: this.#size });
    }
    this.tell("frame");
  }

  #hearCursor({ isShown, position, image }: CursorNews): void {
    this.#shared.setCursor({ isShown, ...position });
    if (image === undefined) return;
    this.#image = image;
    this.#shared.setCursorImage(this.#image);
  }
}

function openStream(target: StreamTarget, listener: StreamListener): NativeStream {
  let library;
  try {
    library = openPipeWireLibrary();
  } catch (error) {
    const text = "Pictures of this desktop need libpipewire-0.3 (Debian: libpipewire-0.3-0)";
    throw new ServiceError("unsupported", `${text}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return new NativeStream(library, target, listener);
  } catch (error) {
    const text = `Cannot take pictures: ${(error as Error).message}`;
    throw new ServiceError("unavailable", text, { cause: error });
  }
}
