/** One open page: what it sends is done for the person before it, and it is sent what happens. */

import type { InputScope } from "../features/input_scope.ts";
import { ServiceError } from "../core/errors.ts";
import { addMember, SharedRun } from "../core/shared_run.ts";
import { RateLimit } from "../core/locks.ts";
import { type Actor, mayControl } from "../features/actor.ts";
import type { Calls } from "../features/context.ts";
import type { Control } from "../features/control/control.ts";
import { requireScope } from "../features/permissions.ts";
import type { LiveDisplays, LiveMessage, LiveViewer } from "../features/live/live_displays.ts";
import type { Activity } from "./activity.ts";
import {
  type IncomingMessage,
  type InputMessage,
  type OutgoingMessage,
  readMessage,
} from "./messages.ts";

/** A page for which more waits, in bytes, besides two pictures, does not read: it is closed. */
const MAX_UNSENT = 8 * 1024 * 1024;
/** With more than this no other picture is begun, and the page is closed when memory is short. */
const MUCH_UNSENT = 1024 * 1024;
/** With more than this, news of what is done are left out. */
const BUSY_UNSENT = 256 * 1024;
/** How often a page may take over and hand back. */
const TURNS = { perSecond: 5, burst: 10 } as const;
const SHOWN_AT_FIRST = 200;
const MAX_DETAIL = 500;
const UNKNOWN_ERROR = { code: "internal", message: "Internal error: see the log" } as const;

/** Codes of the WebSocket protocol (RFC 6455, 7.4.1). */
const CLOSE = { leaving: 1001, garbage: 1008, slow: 1013 } as const;

/** What sends to a page, and ends for certain; the service's own WebSockets do. */
export interface PageSocket {
  /** How many bytes wait to be sent. */
  readonly unsent: number;
  /** Resolves when they are sent, or it is closed. */
  readonly written: Promise<void>;
  /** @param events `onClose` is called once, by whichever side it is closed */
  start(events: { onMessage(message: string | Uint8Array): void; onClose(): void }): void;
  send(message: string | ArrayBuffer): void;
  close(code: number, reason: string): void;
}

interface WatchedDesk {
  readonly live: Pick<LiveDisplays, "watch">;
  /** What ends with it. */
  readonly running: Set<{ end(reason: ServiceError): void }>;
}

interface ConnectionOptions {
  readonly actor: Actor;
  readonly calls: Calls;
  readonly activity: Activity;
  readonly control: Control;
  readonly live: Pick<LiveDisplays, "watch">;
  /** @throws ServiceError `not_found` where there is no such desk */
  desk(name: string): WatchedDesk;
  /** Its name. */
  readonly computer: string | null;
  /** Why there are no pictures, where a flag says so. */
  readonly refuseLive?: ServiceError | undefined;
  /** Whether there is no memory for more that waits to be sent, to all pages together. */
  isCrowded(): boolean;
}

type WatchMessage = Extract<IncomingMessage, { t: "watch" }>;

export class ConsoleConnection implements Disposable {
  /** Resolves when the page has gone. */
  readonly closed: Promise<void>;
  readonly #gone = new AbortController();
  readonly #input: InputQueue;
  readonly #using = new DisposableStack();
  readonly #turns = new RateLimit(TURNS.perSecond, TURNS.burst);
  /** One picture is begun at a time; of those that are wanted meanwhile, the last one is next. */
  readonly #beginning = new SharedRun(() => this.#beginPicture());
  #largestPicture = 0;
  #viewer: LiveViewer | undefined;
  /** What the page wants to see. */
  #wanted: WatchMessage | undefined;
  /** Whether it is hidden from the page now. */
  #isHidden = false;
  /** While a desk is watched. */
  #onDesk: Disposable | undefined;
  /** Which request for a picture is the last one. */
  #watches = 0;

  constructor(private readonly socket: PageSocket, private readonly options: ConnectionOptions) {
    const { actor, calls } = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    const failed = (op: string, error: unknown) => this.#fail(op, error);
    const { signal } = this.#gone;
    this.#input = this.#using.use(new InputQueue({ calls, actor, signal, failed }));
    socket.start({
      onMessage: (message) => this.#receive(message),
      onClose: () => {
        this.#end();
        resolve();
      },
    });
    this.#begin();
  }

  [Symbol.dispose](): void {
    this.socket.close(CLOSE.leaving, "The service ends");
  }

  #begin(): void {
    const { actor, activity, control, computer } = this.options;
    this.#send({
      t: "hello",
      you: { id: actor.id, name: actor.name },
      scopes: actor.scopes === undefined ? null : [...actor.scopes],
      watch_only: actor.watchOnly !== undefined,
      computer,
    });
    this.#sendState();
    this.#using.use(control.onChange(() => {
      if (!this.#hasControl()) this.#input.release();
      this.#sendState();
      this.#showOrHide();
    }));
    if (!mayControl(actor)) return;
    const { approvals } = control;
    if (approvals !== undefined) {
      this.#send({ t: "approvals", pending: approvals.list() });
      this.#using.use(approvals.onChange((pending) => this.#send({ t: "approvals", pending })));
    }
    this.#send({ t: "activity", entries: activity.kept.slice(-SHOWN_AT_FIRST) });
    this.#using.use(activity.watch((entries) => {
      if (this.socket.unsent < BUSY_UNSENT) this.#send({ t: "activity", entries });
    }));
  }

  #end(): void {
    this.#gone.abort(new ServiceError("conflict", "The page has gone"));
    this.#unwatch();
    this.#using.dispose();
  }

  #receive(data: string | Uint8Array): void {
    const message = readMessage(data);
    if (message === undefined) {
      return this.socket.close(CLOSE.garbage, "This is no message of the console");
    }
    this.#handle(message).catch((error) => this.#fail(message.t, error));
  }

  async #handle(message: IncomingMessage): Promise<void> {
    const { actor, control } = this.options;
    switch (message.t) {
      case "watch":
        return this.#watch(message);
      case "ack":
        return this.#viewer?.acknowledge(message.id);
    }
    if (!mayControl(actor)) {
      throw new ServiceError("forbidden", 'This needs a token with the scope "control"');
    }
    if ((message.t === "take" || message.t === "hand_back") && !this.#turns.take()) {
      return this.socket.close(CLOSE.garbage, "Too many messages");
    }
    switch (message.t) {
      case "take":
        this.#input.release();
        return await control.takeOver(actor);
      case "hand_back":
        this.#input.release();
        return void await control.handBack(actor, message.reason);
      case "input":
        if (!this.#hasControl()) {
          throw new ServiceError("conflict", "Take over first: programs have control");
        }
        if (message.fields["desk"] !== this.#wanted?.desk) {
          throw new ServiceError("conflict", "The page does not show that desk");
        }
        control.noteActivity(actor);
        return this.#input.add(message);
      case "release":
        return this.#input.release();
      case "answer":
        return void control.approvals?.decide(message.id, actor, message.answer, message.reason);
      case "decline":
        return void control.help.decline(message.id, actor, message.reason);
      case "pictures":
        return await this.#sendPictures(message.id);
    }
  }

  #watch(wanted: WatchMessage): void {
    const before = this.#wanted?.desk;
    this.#unwatch();
    this.#wanted = wanted;
    if (wanted.desk !== before) this.#sendState();
    void this.#beginning.run();
  }

  /** Never rejects. */
  async #beginPicture(): Promise<void> {
    const [number, wanted] = [this.#watches, this.#wanted];
    if (wanted === undefined) return; // not any more
    const { actor, refuseLive, live } = this.options;
    try {
      if (refuseLive !== undefined) throw refuseLive;
      requireScope(actor, "view", "The picture");
      if (this.#hiddenBy() !== undefined) return this.#showOrHide();
      if (this.socket.unsent > MUCH_UNSENT) await this.socket.written;
      if (number !== this.#watches) return; // another one is next
      const { display, window } = actor.watchOnly ?? wanted;
      const isOfDesk = actor.watchOnly === undefined && wanted.desk !== undefined;
      const watched = isOfDesk ? this.#enterDesk(wanted.desk!) : live;
      const viewer = await watched.watch(
        { display_num: display, window, pid: actor.watchOnly?.pid },
        (sent) => this.#pass(number, sent),
      );
      if (number === this.#watches) this.#viewer = viewer;
      else viewer[Symbol.dispose](); // it was too late
    } catch (error) {
      if (number === this.#watches) this.#fail("watch", error);
    }
  }

  /** Its picture ends with the desk. @throws ServiceError `not_found` */
  #enterDesk(name: string): WatchedDesk["live"] {
    const { live, running } = this.options.desk(name);
    this.#onDesk = addMember(running, {
      end: ({ message }) => {
        this.#unwatch();
        this.#send({ t: "live", kind: "gone", reason: message });
      },
    });
    return live;
  }

  /** Takes the picture from who may not see it now, and gives it back afterwards. */
  #showOrHide(): void {
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    const refusal = this.#hiddenBy();
    if (refusal !== undefined) {
      this.#unwatch();
      this.#wanted = wanted;
      this.#isHidden = true;
      this.#send({ t: "live", kind: "gone", reason: refusal.message });
    } else if (this.#isHidden) this.#watch(wanted);
  }

  #unwatch(): void {
    this.#watches++;
    this.#wanted = undefined;
    this.#onDesk?.[Symbol.dispose]();
    this.#isHidden = false;
    this.#viewer?.[Symbol.dispose]();
    this.#viewer = undefined;
  }

  /** Passes on what belongs to the picture that is watched now. */
  #pass(number: number, message: LiveMessage): void {
    if (number !== this.#watches) return;
    if (message instanceof ArrayBuffer) this.#sendData(message);
    else this.#send({ t: "live", ...message });
  }

  /** Soon after the operation has ended, when the second one is there. */
  async #sendPictures(id: number): Promise<void> {
    const { actor, activity } = this.options;
    requireScope(actor, "view", "The picture");
    const { before, after } = await activity.pictures.of(id);
    const refusal = this.#hiddenBy();
    if (refusal !== undefined) throw refusal;
    const [first = null, second = null] = [before, after].map((each) => each?.file.toBase64());
    const size = (before ?? after)?.size ?? null;
    this.#send({ t: "pictures", id, before: first, after: second, size });
  }

  #hasControl(): boolean {
    const { mode, by } = this.options.control.state;
    return mode === "person" && by?.id === this.options.actor.id;
  }

  /** Why the picture is hidden; who watches by a link is not told the reason of a pause. */
  #hiddenBy(): ServiceError | undefined {
    const { actor, control } = this.options;
    const refusal = control.refusalToWatch(actor, this.#wanted?.desk);
    if (refusal === undefined || actor.watchOnly === undefined) return refusal;
    return new ServiceError("locked", "The picture is hidden while programs may not act");
  }

  /** That of the desk which the page shows. Who watches by a link is told nothing but who has control. */
  #sendState(): void {
    const { actor, control } = this.options;
    const state = control.stateOf(actor.watchOnly === undefined ? this.#wanted?.desk : undefined);
    if (actor.watchOnly === undefined) return this.#send({ t: "state", ...state });
    const by = state.by && { id: "", name: state.by.name };
    const hidden = { until: null, warning: false, reason: null, help: [] };
    this.#send({ t: "state", mode: state.mode, by, since: state.since, ...hidden });
  }

  #fail(to: string, error: unknown): void {
    if (this.#gone.signal.aborted) return;
    const { code, message } = error instanceof ServiceError ? error : UNKNOWN_ERROR;
    this.#send({ t: "error", to, code, detail: message.slice(0, MAX_DETAIL) });
  }

  #send(message: OutgoingMessage): void {
    this.#sendData(JSON.stringify(message));
  }

  #sendData(data: string | ArrayBuffer): void {
    if (this.#gone.signal.aborted) return;
    if (data instanceof ArrayBuffer) {
      this.#largestPicture = Math.max(this.#largestPicture, data.byteLength);
    }
    const { unsent } = this.socket;
    const isTooMuch = unsent > MAX_UNSENT + 2 * this.#largestPicture ||
      unsent > MUCH_UNSENT && this.options.isCrowded();
    if (isTooMuch) return this.socket.close(CLOSE.slow, "The page does not read what it is sent");
    this.socket.send(data);
  }
}

// A person's input: one operation after the other, in the order of the page. Of movements that wait,
// only the last one counts.

const MAX_WAITING = 256;

interface QueueOptions {
  readonly calls: Calls;
  readonly actor: Actor;
  /** Aborts when the page has gone. */
  readonly signal: AbortSignal;
  failed(operation: string, error: unknown): void;
}

class InputQueue implements Disposable {
  readonly #waiting: InputMessage[] = [];
  #isRunning = false;
  /** What this person's operations leave pressed; a new one after everything was released. */
  #scope: InputScope | undefined;

  constructor(private readonly options: QueueOptions) {}

  /** @throws ServiceError `too_many_requests` when the page sends more than can be done */
  add(message: InputMessage): void {
    const last = this.#waiting.at(-1);
    if (message.op === "mouse.move" && last?.op === "mouse.move") this.#waiting.pop();
    if (this.#waiting.length >= MAX_WAITING) {
      throw new ServiceError("too_many_requests", "More input than can be sent: it was dropped");
    }
    this.#waiting.push(message);
    if (!this.#isRunning) this.#run();
  }

  /** Drops what waits, ends what runs, and releases all that this person holds. */
  release(): void {
    this.#waiting.length = 0;
    const scope = this.#scope;
    this.#scope = undefined;
    if (scope === undefined) return;
    scope.end(new ServiceError("conflict", "Dropped: the page has let go of everything"));
    scope.leave();
  }

  [Symbol.dispose](): void {
    this.release();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await this.#send(next);
      } catch (error) {
        if (!this.options.signal.aborted) this.options.failed(next.op, error);
      }
    }
    this.#isRunning = false;
  }

  async #send({ op, fields }: InputMessage): Promise<void> {
    const { calls, actor, signal } = this.options;
    const inputScope = this.#openScope();
    await calls.prepare(op, fields).run({ actor, signal: inputScope.signal, inputScope });
    signal.throwIfAborted();
  }

  #openScope(): InputScope {
    if (this.#scope?.signal.aborted) this.release(); // everything was released
    return this.#scope ??= this.options.calls.openInputScope(this.options.signal);
  }
}
