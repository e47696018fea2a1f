/**
 * What happens, as server-sent events (WHATWG HTML, 9.2): operations that have ended, windows that open
 * and close, who has control, and programs that ask for a person. The last ones are kept, so that a
 * reader that comes back misses none.
 */

import { pause, poll } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import { addMember } from "../../core/shared_run.ts";
import { cutText } from "../../core/texts.ts";
import type { WindowId, Windows } from "../../platform/types/mod.ts";
import { accessOf, type Actor, Revocations } from "../actor.ts";
import { Control } from "../control/control.ts";
import type { ControlState } from "../control/state.ts";
import { Curtain } from "../curtain.ts";
import { redactText } from "../secrets/redact_texts.ts";
import type { Desk, Session } from "../session.ts";
import { pollUntil, toEntries } from "../window/window_answer.ts";
import { toEntry } from "./entry.ts";
import { OperationLog } from "./operation_log.ts";

export const EVENT_TYPES = ["operation", "window", "control", "help"] as const;
export type EventType = typeof EVENT_TYPES[number];

/** `lost`: events that are not known any more; `notice`: something is not reported, and why. */
type AnyType = EventType | "lost" | "notice";

const MAX_READERS = 100;
/** Events that are kept for who comes back. */
const MAX_KEPT = 1_000;
/** What may wait for one reader, in characters, which all share: one that does not read is cut off. */
const MAX_WAITING = 1024 * 1024;
/** Proxies close what is silent for longer, in milliseconds. */
const HEARTBEAT_MS = 15_000;
/** How long windows are still watched when the last reader has left, in milliseconds. */
const LINGER_MS = 60_000;
const MAX_TITLE = 200;
const READING = "trail.events";

interface Event {
  readonly number: number;
  readonly type: EventType;
  readonly text: string;
  /** The `id` of the session of the desk on which it happened; absent for the displays of the service. */
  readonly deskId?: string | undefined;
  /** Of what: absent for all displays. */
  readonly display?: number | undefined;
  /** Whether a person in control did it, which programs are not to see. */
  readonly isHidden: boolean;
}

interface ReaderOptions {
  readonly actor: Actor;
  readonly types: ReadonlySet<EventType>;
  /** The only desk of which something is reported; absent for all, and the windows of the service. */
  readonly desk?: Desk | undefined;
  /** The display whose windows are reported. */
  readonly display: number;
  /** The last event that it has. */
  readonly after?: string | undefined;
}

export class Events implements Disposable {
  /** Ids of an earlier run of the service are none of ours. */
  readonly #run = crypto.getRandomValues(new Uint8Array(4)).toHex();
  readonly #kept: Event[] = [];
  readonly #readers = new Set<Reader>();
  /** By desk and display. */
  readonly #windows = new Map<string, { readonly stop: AbortController; reason?: string }>();
  readonly #using = new DisposableStack();
  readonly #ending = new AbortController();
  /** One after the other: texts take time to be redacted. */
  #adding: Promise<void> = Promise.resolve();
  readonly #yielder = new EventLoopYielder();
  #count = 0;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #help: ControlState["help"];
  /** Who has control, by desk: of those where it is not all programs. */
  readonly #holders = new Map<string | undefined, string>();

  constructor(private readonly session: Session) {
    const control = session.use(Control);
    this.#help = control.state.help;
    for (const [desk, state] of [[undefined, control.state] as const, ...control.deskStates]) {
      this.#holders.set(desk, holderKey(state));
    }
    this.#using.use(
      session.use(OperationLog).watch((records) => {
        for (const record of records) {
          if (record.operation === READING) continue; // who reads would cause what is read
          const { deskId, isHidden } = record;
          this.#add("operation", () => toEntry(record), { deskId, isHidden });
        }
      }),
    );
    this.#using.use(control.onChange((state, desk) => this.#noteControl(state, desk)));
    const stop = () => this[Symbol.dispose]();
    session.stopping.signal.addEventListener("abort", stop, { once: true });
  }

  /**
   * All events from now on, and those after one that the reader names. It ends with the service, with
   * the reader's token, and when the reader does not read.
   * @throws ServiceError `unavailable` when 100 read already, or the service stops
   */
  read(options: ReaderOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
    if (this.#ending.signal.aborted) {
      throw new ServiceError("unavailable", "The service is stopping");
    }
    if (this.#readers.size >= MAX_READERS) {
      throw new ServiceError("unavailable", `${MAX_READERS} already read events, the maximum`);
    }
    const following = new DisposableStack();
    const reader = new Reader(options, () => this.#leave(reader, following));
    const end = () => reader.end();
    following.use(options.desk && addMember(options.desk.running, { end }));
    following.use(this.session.use(Revocations).on(accessOf(options.actor), end));
    this.#readers.add(reader);
    this.#heartbeat ??= setInterval(() => {
      for (const each of this.#readers) each.put(": \n\n");
    }, HEARTBEAT_MS);
    reader.put("retry: 1000\n\n");
    this.#resume(reader, options);
    if (options.types.has("window")) this.#watchWindows(options, reader);
    return reader.stream;
  }

  [Symbol.dispose](): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    this.#using.dispose();
    for (const reader of [...this.#readers]) reader.end();
    for (const { stop } of this.#windows.values()) stop.abort();
    clearInterval(this.#heartbeat);
  }

  #leave(reader: Reader, following: Disposable): void {
    following[Symbol.dispose]();
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  /** What came after the last event that the reader has, or how much of that is not known any more. */
  #resume(reader: Reader, { after }: ReaderOptions): void {
    if (after === undefined) return;
    const [run, number] = after.split("-");
    const last = run === this.#run ? Number(number) : NaN;
    const first = this.#kept[0]?.number ?? this.#count + 1;
    if (!(last >= first - 1 && last <= this.#count)) {
      const count = Number.isFinite(last) && last < first ? first - 1 - last : null;
      reader.put(format("lost", JSON.stringify({ count })));
    }
    for (const event of this.#kept) if (!(event.number <= last)) reader.offer(event);
  }

  /** @param describe is called in order, after those before it */
  #add(
    type: EventType,
    describe: () => object | Promise<object>,
    { deskId, display, isHidden }: Pick<Event, "deskId" | "display" | "isHidden">,
  ): void {
    this.#adding = this.#adding.then(async () => {
      await this.#yielder.yieldIfDue(); // so that many at once can be read meanwhile
      const described = describe();
      const data = described instanceof Promise ? await described : described;
      const number = ++this.#count;
      const text = format(type, JSON.stringify(data), `${this.#run}-${number}`);
      const event = { number, type, text, deskId, display, isHidden };
      this.#kept.push(event);
      if (this.#kept.length > MAX_KEPT) this.#kept.shift();
      for (const reader of [...this.#readers]) reader.offer(event);
    }).catch(() => {}); // the service ends, or the keychain cannot be read
  }

  #noteControl(state: ControlState, desk: string | undefined): void {
    const { mode, by, since, until, reason } = state;
    const holder = holderKey(state);
    if (holder !== (this.#holders.get(desk) ?? "programs")) {
      if (mode === "programs") this.#holders.delete(desk);
      else this.#holders.set(desk, holder);
      const who = by?.name ?? null;
      this.#add("control", async () => {
        const why = await this.#redact(reason);
        return { mode, who, since, until, reason: why, ...(desk !== undefined && { desk }) };
      }, { deskId: this.#idOf(desk), isHidden: false });
    }
    const ids = (help: ControlState["help"]) => new Set(help.map(({ id }) => id));
    const before = this.#help;
    this.#help = state.help;
    const [had, has] = [ids(before), ids(state.help)];
    for (const { id, name, reason: asked, until: end } of state.help) {
      if (had.has(id)) continue;
      this.#add("help", async () => {
        return { change: "asked", id, who: name, reason: await this.#redact(asked), until: end };
      }, { isHidden: false });
    }
    for (const { id, name } of before) {
      if (!has.has(id)) {
        this.#add("help", () => ({ change: "over", id, who: name }), { isHidden: false });
      }
    }
  }

  /** Of a desk that has gone, nobody reads alone. */
  #idOf(desk: string | undefined): string | undefined {
    return desk === undefined ? undefined : this.session.desks.get(desk)?.session.id ?? "gone";
  }

  async #redact(text: string | null): Promise<string | null> {
    if (text === null) return null;
    const { session } = this;
    const context = { config: session, session, signal: this.#ending.signal };
    return cutText(await redactText(context, text), MAX_TITLE);
  }

  // The windows of the displays that somebody wants to know of.

  #watchWindows(screen: WatchedScreen, reader: Reader): void {
    const key = keyOf(screen);
    const watched = this.#windows.get(key);
    if (watched === undefined || watched.stop.signal.aborted) void this.#watch(screen, key);
    else if (watched.reason !== undefined) reader.put(noWindows(screen.display, watched.reason));
  }

  /** Until nobody wants to know of them any more, or the desk ends. */
  async #watch(screen: WatchedScreen, key: string): Promise<void> {
    const { desk, display } = screen;
    const stop = new AbortController();
    const { signal } = stop;
    const watching: { readonly stop: AbortController; reason?: string } = { stop };
    this.#windows.set(key, watching);
    const end = () => stop.abort();
    using _following = desk && addMember(desk.running, { end });
    const isUnread = () => this.#readersOf(key).length === 0;
    poll(isUnread, { everyMs: LINGER_MS, timeoutMs: Infinity, signal }).then(end, () => {});
    await this.#followWindows(screen, signal).catch(async ({ message }: Error) => {
      if (signal.aborted) return;
      watching.reason = message;
      for (const each of this.#readersOf(key)) each.put(noWindows(display, message));
      await pause(LINGER_MS, signal).catch(() => {});
    });
    end();
    if (this.#windows.get(key) === watching) this.#windows.delete(key);
  }

  #readersOf(key: string): readonly Reader[] {
    return [...this.#readers].filter(({ options }) =>
      keyOf(options) === key && options.types.has("window")
    );
  }

  /** @throws ServiceError `unsupported` where windows cannot be seen; `unavailable` */
  async #followWindows({ desk, display }: WatchedScreen, signal: AbortSignal): Promise<void> {
    const { platform } = desk ?? this.session;
    const { windows } = await platform.displays.open(display);
    if (!windows.ready) throw new ServiceError("unsupported", windows.reason);
    let before: ReadonlyMap<WindowId, object> | undefined;
    await pollUntil(windows.use, signal, async () => {
      before = await this.#compareWindows(windows.use, { desk, display, before, signal });
      return false;
    });
  }

  async #compareWindows(
    windows: Windows,
    { desk, display, before, signal }: WatchedScreen & {
      readonly before: ReadonlyMap<WindowId, object> | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<ReadonlyMap<WindowId, object>> {
    const { session } = this;
    const listed = await windows.list(signal);
    const isHidden = session.use(Curtain).isClosed;
    const deskId = desk?.session.id;
    const added = listed.filter(({ id }) => !before?.has(id));
    const entries = await toEntries({ config: session, session, signal }, added);
    const { typed } = session.use(OperationLog);
    const described = new Map(entries.map(({ id, title, app, pid }) => {
      const shown = cutText(typed.hide(title), MAX_TITLE);
      return [id, { id, title: shown, app, pid, display_num: display }];
    }));
    const now = new Map(listed.map(({ id }) => [id, before?.get(id) ?? described.get(id)!]));
    if (before === undefined) return now;
    for (const [id, window] of now) {
      if (before.has(id)) continue;
      this.#add("window", () => ({ change: "opened", ...window }), { deskId, display, isHidden });
    }
    for (const [id, window] of before) {
      if (now.has(id)) continue;
      this.#add("window", () => ({ change: "closed", ...window }), { deskId, display, isHidden });
    }
    return now;
  }
}

function holderKey({ mode, by }: ControlState): string {
  return by === null ? mode : `${mode} ${by.id}`;
}

type WatchedScreen = Pick<ReaderOptions, "desk" | "display">;

function keyOf({ desk, display }: WatchedScreen): string {
  return `${desk?.session.id ?? ""}/${display}`;
}

function noWindows(display_num: number, reason: string): string {
  return format("notice", JSON.stringify({ display_num, reason: `No windows: ${reason}` }));
}

/** JSON has no line breaks, so its data is one line. */
function format(type: AnyType, data: string, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;
}

/** One who reads: what waits for it is bounded. */
class Reader {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  #waiting = "";
  #hasEnded = false;
  #wake = () => {};
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

  constructor(readonly options: ReaderOptions, private readonly left: () => void) {
    this.stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#pull(),
      cancel: () => this.#leave(),
    }, { highWaterMark: 0 });
  }

  offer({ type, text, deskId, display, isHidden }: Event): void {
    const { types, actor } = this.options;
    if (!types.has(type) || isHidden && actor.kind === "program") return;
    const own = this.options.desk?.session.id;
    const isAnywhere = own === undefined && display === undefined;
    const isOfAll = type === "control" && deskId === undefined; // on desks, too
    if (!isOfAll && !isAnywhere && deskId !== own) return;
    if (display === undefined || display === this.options.display) this.put(text);
  }

  put(text: string): void {
    if (this.#hasEnded) return;
    if (this.#waiting.length + text.length > MAX_WAITING) {
      this.#controller.error(new Error("The reader of the events does not read"));
      return this.#leave();
    }
    this.#waiting += text;
    this.#wake();
  }

  /** What waits is still sent. */
  end(): void {
    this.#hasEnded = true;
    this.#wake();
    this.left();
  }

  #leave(): void {
    this.#waiting = "";
    this.end();
  }

  async #pull(): Promise<void> {
    if (this.#waiting === "" && !this.#hasEnded) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    const text = this.#waiting;
    this.#waiting = "";
    if (text !== "") this.#controller.enqueue(new TextEncoder().encode(text));
    else if (this.#hasEnded) this.#controller.close();
  }
}
