/**
 * The pictures of a PipeWire node, such as a monitor that a compositor or a portal shares: a thread
 * of its own keeps the newest frame, other threads read it by its address.
 */

import { openPipeWireLibrary } from "../../../../ffi/linux/pipewire.ts";
import { pause, within } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { Waiters } from "../../../core/shared_run.ts";
import { WorkerPool } from "../../../core/worker_thread.ts";
import { firstColour } from "../../../imaging/picture.ts";
import { PictureComparer } from "../../../imaging/picture_comparer.ts";
import { LoggedChanges, type PollResult } from "../../comparing/compared_changes.ts";
import type {
  Changes,
  ChangeState,
  CursorState,
  Point,
  Rgb,
  ScreenAddress,
  Seen,
  Size,
} from "../../types/mod.ts";
import {
  copyPixels,
  type CursorImage,
  type CursorNews,
  cursorState,
  HIDDEN_CURSOR,
  type VisibleCursor,
} from "./frame.ts";
import { NativeStream, type StreamListener, type StreamTarget } from "./native_stream.ts";
import { SharedFrame, SharedScreen } from "./open_screen.ts";

/** How long the first picture may take. */
const FIRST_FRAME_MS = 5_000;
/** How long the thread may take to end by itself. */
const CLOSE_TIMEOUT_MS = 2_000;
const HIDDEN = { cursor: "hidden" } as const;

/**
 * Opens a stream; resolves with its first picture.
 * @throws ServiceError `unsupported`: libpipewire is missing; `unavailable`: no picture comes.
 */
export async function openPipeWireStream(target: StreamTarget): Promise<PipeWireStream> {
  const stream = new PipeWireStream(target);
  try {
    await stream.ready();
    return stream;
  } catch (error) {
    await stream[Symbol.asyncDispose]();
    throw error;
  }
}

export class PipeWireStream implements AsyncDisposable {
  /** Any thread of this process can read it. */
  readonly address: ScreenAddress<"pipewire">;
  #size: Size | undefined;
  #end: Error | undefined;
  #changes: PipeWireChanges | undefined;
  readonly #shared = SharedFrame.create();
  readonly #screen = new SharedScreen(this.#shared);
  readonly #closing = Promise.withResolvers<Error>();
  /** Resolves with the reason when the stream ends. */
  readonly closed = this.#closing.promise;
  readonly #first = Promise.withResolvers<void>();
  readonly #pool = new WorkerPool<StreamJob, unknown>({
    module: new URL("./stream_worker.ts", import.meta.url),
    name: "PipeWire",
    threads: 1,
    jobsEach: Infinity,
  });

  constructor(target: StreamTarget) {
    this.address = { backend: "pipewire", name: String(this.#shared.address) };
    const job = { name: "open", target, page: this.#shared.address } as const;
    this.#pool.run(job, { onMessage: (news: StreamNews) => this.#onNews(news) }).then(
      () => this.#fail("it was closed"),
      (error) => this.#fail((error as Error).message, error),
    );
  }

  /** Resolves when there is a picture. */
  async ready(): Promise<void> {
    const failed = this.closed.then((why) => Promise.reject(why));
    failed.catch(() => {});
    const first = Promise.race([this.#first.promise, failed]);
    if (await within(first.catch(() => {}), FIRST_FRAME_MS)) return await first;
    throw new ServiceError(
      "unavailable",
      "Cannot take pictures: the compositor sends none; is a session manager of PipeWire (wireplumber) running?",
    );
  }

  get connected(): boolean {
    return this.#end === undefined;
  }

  /** The size of the pictures; it follows that of the screen. */
  get size(): Size {
    return this.#size!;
  }

  /** @throws ServiceError `conflict`: the point is not on the screen now. */
  async pixel({ x, y }: Point): Promise<Rgb> {
    if (this.#end !== undefined) throw this.#end;
    return await this.#screen.capture({ x, y, width: 1, height: 1 }, HIDDEN, firstColour);
  }

  /** `undefined` while the cursor is hidden or elsewhere. */
  async cursor(): Promise<VisibleCursor | undefined> {
    if (this.#end !== undefined) throw this.#end;
    return await this.#screen.cursor();
  }

  /** `undefined` while the cursor is hidden or elsewhere; costs next to nothing. */
  get cursorPosition(): Point | undefined {
    return this.#shared.cursorPosition;
  }

  /** Follows what changes in the pictures; later calls return the same object. */
  watch(): Changes {
    return this.#changes ??= new PipeWireChanges(this);
  }

  /** Compares the newest frame. @throws ServiceError `unavailable` when the stream has ended. */
  async poll(): Promise<PollResult> {
    if (this.#end !== undefined) throw this.#end;
    return await this.#pool.run({ name: "poll" }) as PollResult;
  }

  /** Whether the frame that was compared last shows this, too. */
  async shows(seen: Seen): Promise<boolean> {
    if (this.#end !== undefined) throw this.#end;
    return await this.#pool.run({ name: "shows", seen }) as boolean;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await within(this.#pool.run({ name: "close" }).catch(() => {}), CLOSE_TIMEOUT_MS);
    this.#fail("it was closed");
    await within(this.closed, CLOSE_TIMEOUT_MS);
    this.#pool.end(this.#end);
  }

  #onNews(news: StreamNews): void {
    if (news === "frame") {
      this.#first.resolve();
      this.#changes?.onFrame();
    } else if ("size" in news) this.#size = news.size;
    else this.#fail(news.ended);
  }

  #fail(reason: string, cause?: unknown): void {
    if (this.#end !== undefined) return;
    const text = `The pictures of the screen have ended: ${reason}`;
    this.#end = cause instanceof ServiceError
      ? cause
      : new ServiceError("unavailable", text, { cause });
    this.#shared.close();
    this.#closing.resolve(this.#end);
    this.#changes?.onFrame(); // the next poll reports the end
  }
}

// Changes in the pictures of a stream: its frames say when to compare, a comparison says where.

class PipeWireChanges extends LoggedChanges implements Changes {
  readonly source = "events";
  readonly #waiters = new Waiters();
  /** A frame has come that is not compared yet. */
  #unreported = true;

  constructor(private readonly stream: PipeWireStream) {
    super();
  }

  /** Called for each frame, and when the stream ends. */
  onFrame(): void {
    this.#unreported = true;
    this.#waiters.notify();
  }

  override poll(): Promise<ChangeState> {
    if (!this.#unreported && this.last && this.stream.connected) return Promise.resolve(this.last);
    return super.poll();
  }

  /** A frame can be the same as the one before: it is compared first. */
  async next(count: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.log.count <= count) {
      if (!this.#unreported) await this.#waiters.wait(signal);
      await this.poll();
      signal.throwIfAborted();
    }
  }

  /** Frames that come between two polls are not compared. */
  shows(seen: Seen): Promise<boolean> {
    return this.stream.shows(seen);
  }

  async cursor(): Promise<CursorState> {
    const cursor = await this.stream.cursor();
    return cursor === undefined ? HIDDEN_CURSOR : cursorState(cursor);
  }

  protected async collect(): Promise<Size> {
    this.#unreported = false;
    const { size, areas } = await this.stream.poll();
    if (areas.length > 0) this.log.add(areas);
    return size;
  }
}

// One stream in the thread that drives it: shares its newest frame, and reports where it differs.

/** A job of the thread; `open` lasts as long as the stream. */
export type StreamJob =
  | { readonly name: "open"; readonly target: StreamTarget; readonly page: bigint }
  | { readonly name: "poll" }
  | { readonly name: "shows"; readonly seen: Seen }
  | { readonly name: "close" };

/** What a running `open` reports: the size of the pictures, that a frame came, or that none will. */
type StreamNews = { readonly size: Size } | "frame" | { readonly ended: string };

/** A copy takes milliseconds; a thread that reads longer has crashed. */
const READ_TIMEOUT_MS = 10_000;
/** A wait ends at times, because a thread that is stopped waits for its calls. */
const POLL_TIMEOUT_MS = 500;
/** How long to wait for the first frame before the stream is started again. */
const RESTART_MS = 150;

export class StreamThread {
  readonly #stream: NativeStream;
  readonly #shared: SharedFrame;
  readonly #comparer = new PictureComparer();
  #frames = 0;
  /** The number of frames at the last poll. */
  #polledAt = 0;
  #size: Size = { width: 0, height: 0 };
  /** Kept alive for the readers of its memory. */
  #image: CursorImage | undefined;
  #isClosed = false;

  /** @throws ServiceError `unsupported`: the library is missing; `unavailable`: no connection. */
  constructor(
    target: StreamTarget,
    page: bigint,
    private readonly notify: (news: StreamNews) => void,
  ) {
    this.#shared = new SharedFrame(page);
    this.#stream = openStream(target, {
      frame: () => this.#onFrame(),
      cursor: (news) => this.#onCursor(news),
      forgotten: () => this.#shared.setFrame(undefined),
      ended: (ended) => this.notify({ ended }),
    });
  }

  /** Runs until the stream is closed. */
  async run(): Promise<void> {
    const { loop } = this.#stream;
    while (!this.#isClosed) {
      const hasWork = await loop.waitForWork(this.#frames === 0 ? RESTART_MS : POLL_TIMEOUT_MS);
      if (hasWork) await this.#whileUnread(() => loop.runDue());
      else if (this.#frames === 0 && !this.#isClosed) this.#stream.toggle();
    }
  }

  /** Compares only when a frame has come since the last poll. */
  poll(): PollResult {
    const frame = this.#stream.newest;
    if (frame === undefined) {
      throw new ServiceError("unavailable", "The compositor has sent no picture yet: try again");
    }
    const { width, height } = frame;
    const size = { width, height };
    if (this.#polledAt === this.#frames) return { size, areas: [] };
    this.#polledAt = this.#frames;
    const pixels = copyPixels(frame, { x: 0, y: 0, ...size });
    return { size, areas: this.#comparer.compare({ ...size, pixels }) };
  }

  /** Whether the frame of the last poll shows this, too. */
  shows({ region, sum }: Seen): boolean {
    return this.#comparer.shows(region, sum);
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
      if (performance.now() - start > READ_TIMEOUT_MS) {
        this.notify({ ended: "a thread that reads pictures has crashed" });
      }
      await pause(1);
    }
  }

  #onFrame(): void {
    this.#frames++;
    this.#stream.setActive(true);
    const frame = this.#stream.newest!;
    this.#shared.setFrame(frame);
    const { width, height } = frame;
    if (width !== this.#size.width || height !== this.#size.height) {
      this.#size = { width, height };
      this.notify({ size: this.#size });
    }
    this.notify("frame");
  }

  #onCursor({ isVisible, position, image }: CursorNews): void {
    this.#shared.setCursor({ isVisible, ...position });
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
