/**
 * One watched display: says when its thread takes a picture, and of what. Nothing is captured while
 * nobody can take it, nor while a stored secret is filled in.
 */

import { abortAfter, pause, within } from "../../core/deadline.ts";
import { hasCode, ServiceError } from "../../core/errors.ts";
import { log } from "../../core/log.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import { overlap } from "../../imaging/boxes.ts";
import type { Changes, Display, Displays, Region, Size } from "../../platform/types/mod.ts";
import { followChanges } from "../display/view.ts";
import {
  type Field,
  LARGEST,
  rowOf,
  type ScreenMasks,
  waitUntilDrawn,
} from "../recording/masks.ts";
import { addressOf } from "../recording/recording.ts";
import type { Photograph } from "./encoder.ts";
import type { LiveMessage, LiveNote } from "./message.ts";
import type { FromThread, LivePicture, View } from "./live_picture.ts";

/** The shortest time between two pictures. */
const INTERVAL_MS = 16;
/** A display that cannot be read is tried again: one that is being resized, one that is gone. */
const RESIZING_MS = 30;
const GONE_MS = 500;
/** A display that reports no changes is compared so often, at first and while nothing changes. */
const COMPARING = { firstMs: 33, longestMs: 250, growth: 1.3 } as const;
/** Where the cursor is drawn into the picture, nothing reports that it has moved. */
const CURSOR_MS = 500;
/** A display without viewers keeps its thread for so long: a page that is loaded again comes soon. */
const IDLE_MS = 10_000;

interface LiveScreenOptions {
  readonly displays: Displays;
  readonly displayNum: number;
  /** Where stored secrets are filled in on the screen of a display. */
  masksOf(display: Display): ScreenMasks;
  /** It has had no viewers for a while, and ends. */
  onIdle(): void;
}

/** What the last capture took over. */
interface Captured {
  readonly count: number;
  readonly size: Size;
  readonly masks: string;
}

/** A display while it can be read. */
interface Source {
  readonly display: Display;
  readonly thread: LiveThread;
  readonly masks: ScreenMasks;
  /** Absent where the display has none. */
  readonly changes: Changes | undefined;
  /** The same where the display reports them; else it must be compared, which our thread does. */
  readonly events: Changes | undefined;
}

export class LiveScreen implements AsyncDisposable {
  readonly #viewers = new Map<number, Viewer>();
  #lastNumber = 0;
  #thread: LiveThread | undefined;
  /** Why it cannot be seen now, if it cannot. */
  #lost: string | undefined;
  readonly #end = new AbortController();
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: LiveScreenOptions) {
    void this.#run(this.#end.signal);
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  add(options: ViewerOptions): Viewer {
    clearTimeout(this.#idle);
    const number = ++this.#lastNumber;
    const viewer = new Viewer(options, {
      onAcknowledge: (id) => this.#thread?.post("acknowledge", { viewer: number, id }),
      onView: () => this.#setView(number, viewer),
      onLeave: () => this.#remove(number),
    });
    this.#viewers.set(number, viewer);
    this.#setView(number, viewer);
    if (this.#lost !== undefined) viewer.deliver({ kind: "gone", reason: this.#lost });
    return viewer;
  }

  /**
   * What its viewers see, as far as it has been captured; `undefined` while there is nothing to see.
   * @throws ServiceError when its thread has failed or ended
   */
  async photograph(): Promise<Photograph | undefined> {
    if (this.#viewers.size === 0 || this.#lost !== undefined) return undefined;
    return await this.#thread?.ask("photograph", undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    this.#end.abort(new ServiceError("unavailable", "The display is not watched any more"));
    for (const viewer of this.#viewers.values()) viewer[Symbol.dispose]();
    await this.#thread?.[Symbol.asyncDispose]();
  }

  #setView(viewer: number, { view }: Viewer): void {
    this.#thread?.post("setView", { viewer, view });
  }

  #remove(viewer: number): void {
    this.#viewers.delete(viewer);
    this.#thread?.post("remove", { viewer });
    if (this.#viewers.size > 0 || this.#end.signal.aborted) return;
    this.#idle = setTimeout(this.options.onIdle, IDLE_MS);
    Deno.unrefTimer(this.#idle);
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (!signal.aborted) this.#lose(error as Error);
      }
      await pause(GONE_MS, signal).catch(() => {}); // the loop ends then
    }
  }

  /** @throws the signal's reason; ServiceError when the display cannot be read any more */
  async #follow(signal: AbortSignal): Promise<never> {
    const { displays, displayNum, masksOf } = this.options;
    const display = await displays.open(displayNum);
    const changes = await followChanges(display);
    signal.throwIfAborted(); // the thread would outlive it
    const events = changes?.source === "events" ? changes : undefined;
    const thread = this.#openThread();
    const source: Source = { display, thread, masks: masksOf(display), changes, events };
    const findText = (field: Field) => findDrawn(source, field, signal);
    using _watching = source.masks.watch({ findText });
    let captured: Captured | undefined;
    let pauseMs: number = COMPARING.firstMs;
    let drawsCursor = false;
    while (true) {
      await source.masks.allClosed(signal);
      const began = performance.now();
      const taken = await this.#capture(source, captured);
      if (taken === undefined) {
        captured = undefined;
        await pause(RESIZING_MS, signal);
        continue;
      }
      const { now, result } = taken;
      captured = now;
      drawsCursor = result?.drawsCursor ?? drawsCursor;
      pauseMs = result?.differs
        ? COMPARING.firstMs
        : Math.min(COMPARING.longestMs, pauseMs * COMPARING.growth);
      await thread.ask("wanted", undefined);
      if (events === undefined) await pause(pauseMs, signal);
      else if (drawsCursor) captured = await changeOrCursor(events, captured, signal);
      else await events.next(now.count, signal);
      const remainingMs = began + INTERVAL_MS - performance.now();
      if (remainingMs > 0) await pause(remainingMs, signal);
    }
  }

  /** `undefined` when it was not possible: the display gets another size, or a secret is filled in. */
  async #capture({ display, thread, masks, events }: Source, before: Captured | undefined) {
    const { count, size } = await events?.poll() ?? { count: 0, size: display.size };
    if (masks.isOpen) return undefined;
    const black = masks.areas(performance.now());
    const now: Captured = { count, size, masks: JSON.stringify(black) };
    const areas = changedAreas(events, before, now);
    if (areas.length === 0) return { now, result: undefined };
    const screen = addressOf(display, "watched");
    const job = { screen, size, masks: black, areas };
    try {
      const capture = thread.ask("capture", job);
      masks.noteCapture(capture);
      const result = await capture;
      this.#find();
      return { now, result };
    } catch (error) {
      if (hasCode(error, "conflict")) return undefined;
      throw error;
    }
  }

  /** The thread, or a new one that knows all viewers where it has crashed. */
  #openThread(): LiveThread {
    if (this.#thread !== undefined && this.#thread.failure === undefined) return this.#thread;
    void this.#thread?.[Symbol.asyncDispose]();
    const thread = this.#thread = new LiveThread(({ viewer, message }) => {
      if (thread === this.#thread) this.#viewers.get(viewer)?.deliver(message);
    });
    for (const [number, viewer] of this.#viewers) this.#setView(number, viewer);
    return thread;
  }

  #lose({ message: reason }: Error): void {
    if (this.#lost === undefined) {
      log.info("a watched display cannot be read", {
        display: this.options.displayNum,
        error: reason,
      });
      this.#deliver({ kind: "gone", reason });
    }
    this.#lost = reason;
  }

  #find(): void {
    if (this.#lost === undefined) return;
    this.#lost = undefined;
    this.#deliver({ kind: "back" });
  }

  /** To all but those whose window cannot be seen anyway. */
  #deliver(note: LiveNote): void {
    for (const viewer of this.#viewers.values()) if (viewer.view !== "hidden") viewer.deliver(note);
  }
}

/** What has possibly changed since the last capture; empty for nothing. */
function changedAreas(
  events: Changes | undefined,
  before: Captured | undefined,
  { size, masks }: Captured,
): readonly Region[] {
  const all = { x: 0, y: 0, ...size };
  if (events === undefined || before?.masks !== masks) return [all];
  if (before.size.width !== size.width || before.size.height !== size.height) return [all];
  const areas = events.since(before.count);
  return areas === undefined ? [all] : areas.flatMap((area) => overlap(area, all) ?? []);
}

/** The next change, or the time after which the cursor can be elsewhere: then all of it may differ. */
async function changeOrCursor(
  changes: Changes,
  captured: Captured,
  signal: AbortSignal,
): Promise<Captured | undefined> {
  using limit = abortAfter(CURSOR_MS, signal);
  try {
    await changes.next(captured.count, limit.signal);
    return captured;
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    return undefined;
  }
}

/** Where a value was drawn that has been filled in since the last picture. */
async function findDrawn(
  { display, thread, masks, changes }: Source,
  field: Field,
  signal: AbortSignal,
): Promise<Region | undefined> {
  try {
    if (changes === undefined) await pause(COMPARING.longestMs, signal);
    else await waitUntilDrawn(changes, signal);
    const { size } = await changes?.poll() ?? display;
    const screen = addressOf(display, "watched");
    const job = { screen, size, row: rowOf(field, size), masks: masks.areas(performance.now()) };
    return await thread.ask("findChanges", job);
  } catch { // it is ending, or the display cannot be read now
    return signal.aborted ? undefined : rowOf(field, LARGEST); // no later picture must show it
  }
}

// One who watches a display, as the thread that answers requests knows it.

export interface LiveViewer extends Disposable {
  /**
   * Tells that a message with pixels is on the viewer's screen, and all before it. One that does not
   * tell gets nothing more after two of them; other whole numbers count for nothing.
   */
  acknowledge(id: number): void;
}

interface ViewerOptions {
  readonly send: (message: LiveMessage) => void;
  readonly view: View;
}

interface ViewerEvents {
  onAcknowledge(id: number): void;
  /** It sees something else. */
  onView(): void;
  onLeave(): void;
}

class Viewer implements LiveViewer {
  #view: View;
  readonly #left = new AbortController();
  /** Aborts when it leaves. */
  readonly left = this.#left.signal;

  constructor(private readonly options: ViewerOptions, private readonly events: ViewerEvents) {
    this.#view = options.view;
  }

  get view(): View {
    return this.#view;
  }

  deliver(message: LiveMessage): void {
    if (this.left.aborted) return;
    try {
      this.options.send(message);
    } catch {
      this[Symbol.dispose](); // its connection has ended
    }
  }

  acknowledge(id: number): void {
    if (!this.left.aborted) this.events.onAcknowledge(id);
  }

  /** @param reason why it sees nothing, for `hidden` */
  show(view: View, reason: string): void {
    if (this.left.aborted || JSON.stringify(view) === JSON.stringify(this.#view)) return;
    const was = this.#view;
    this.#view = view;
    if (view === "hidden") this.deliver({ kind: "gone", reason });
    else if (was === "hidden") this.deliver({ kind: "back" });
    this.events.onView();
  }

  [Symbol.dispose](): void {
    if (this.left.aborted) return;
    this.#left.abort();
    this.events.onLeave();
  }
}

// The thread of one watched display, as the thread that answers requests uses it.

/** What the thread does, by the methods of its {@link LivePicture}. */
type Jobs = Omit<LivePicture, "onChange" | "onCopy">;
type Input<Name extends keyof Jobs> = Parameters<Jobs[Name]>[0];

/** `serve` lasts as long as the thread, and reports what viewers are sent. */
export type LiveJob =
  | { readonly name: "serve"; readonly input?: undefined }
  | { readonly name: keyof Jobs; readonly input: Input<keyof Jobs> };

/** A thread that does not end by itself is ended after this time. */
const CLOSE_TIMEOUT_MS = 2_000;

export class LiveThread implements AsyncDisposable {
  readonly #pool = new WorkerPool<LiveJob, unknown>({
    module: new URL("./live_worker.ts", import.meta.url),
    name: "live picture",
    threads: 1,
    jobsEach: Infinity,
  });

  /** @param onMessage called with each message for a viewer, in their order */
  constructor(onMessage: (news: FromThread) => void) {
    // other jobs would wait for ever, or start a thread that serves nobody
    this.#pool.run({ name: "serve" }, { onMessage }).catch((error) => this.#pool.end(error));
  }

  /** Why it has ended; then it has no picture and no viewers any more. */
  get failure(): unknown {
    return this.#pool.failure;
  }

  /** @throws ServiceError of the job; `internal` when the thread crashed */
  async ask<Name extends keyof Jobs>(
    name: Name,
    input: Input<Name>,
  ): Promise<Awaited<ReturnType<Jobs[Name]>>> {
    if (this.failure !== undefined) throw this.failure; // a new thread would know nothing
    return await this.#pool.run({ name, input }) as Awaited<ReturnType<Jobs[Name]>>;
  }

  /** Sends what needs no answer: a thread that has failed is replaced by who captures. */
  post<Name extends keyof Jobs>(name: Name, input: Input<Name>): void {
    this.ask(name, input).catch(() => {});
  }

  /** Memory that is shared with an X server stays mapped unless the thread gives it back. */
  async [Symbol.asyncDispose](): Promise<void> {
    await within(this.ask("close", undefined).catch(() => {}), CLOSE_TIMEOUT_MS);
    this.#pool.end(new ServiceError("unavailable", "The display is not watched any more"));
  }
}
