/**
 * What is being done: each operation as it begins and ends, by whom, on what, and with which outcome.
 * This is the one place where operations are noted: the console, the audit file, `GET /api/trail`, the
 * events and the recorded steps all have it from here. A request only pays for an object: everything
 * else is done some time later, for many at once. Typed text, stored values and the contents of files
 * are never among it: of the fields, only numbers, switches and names of things are.
 */

import { CALLER_LEFT, poll } from "../../core/deadline.ts";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import { ServiceError } from "../../core/errors.ts";
import { addMember, SharedRun } from "../../core/shared_run.ts";
import { CUT_MARK, cutRawText, cutText } from "../../core/texts.ts";
import { callName } from "../call_names.ts";
import { Curtain } from "../curtain.ts";
import { Refs } from "../input/targets/refs.ts";
import { redactTexts } from "../secrets/redact_texts.ts";
import type { CalledNote, NotedCall, NotedCaller, Session } from "../session.ts";
import { mayHaveSecrets, type ShownValue, shownValue } from "../shown_fields.ts";
import type { OperationRecord } from "./entry.ts";
import { TypedWords } from "./typed_words.ts";

/** What is told about each call at once, in the request's way; it must be quick. */
export interface CallObserver {
  /** A call begins; the result is told of its end. */
  begin(id: number, operation: CalledNote, input: unknown, caller: NotedCaller):
    | NotedCall
    | undefined;
}

interface Watching {
  readonly listener: (records: readonly OperationRecord[]) => void;
  /** Whether it is also told of what has begun and runs. */
  readonly running: boolean;
}

/** Records that are kept in memory. */
const MAX_KEPT = 10_000;
/** Records that are made, and reported, in one piece. */
const MAX_AT_ONCE = 2_000;
/** What takes microseconds is done so often before other work may have its turn. */
const MANY = 32;
/** Records are gathered for so long, in milliseconds. */
const GATHERED_MS = 100;
const MAX_TEXT = 200;
/** How long the end of the service waits for what still runs. */
const END_TIMEOUT_MS = 1_000;
const HANDS: ReadonlySet<string> = new Set(["mouse", "keyboard"]);

export class OperationLog implements AsyncDisposable {
  static readonly ofService = true;
  readonly typed = new TypedWords();
  /** Since when operations are noted. */
  readonly since = Date.now();
  /** Those that run or have ended, by id, in the order in which they were first reported. */
  readonly #kept = new Map<number, OperationRecord>();
  readonly #watching = new Set<Watching>();
  readonly #observers = new Set<CallObserver>();
  /** Begun, and not yet reported as such. */
  readonly #begun = new Set<Call>();
  readonly #ended: Call[] = [];
  /** Many operations begin in one millisecond. */
  #time = { at: NaN, text: "" };
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #reporting = new SharedRun(() => this.#report());
  #count = 0;
  #closing: Promise<void> | undefined;

  constructor(private readonly session: Session) {
    session.noteCall = (operation, input, caller) => this.#note(operation, input, caller);
  }

  /** All that is kept and has been reported, the oldest first. */
  get kept(): Iterable<OperationRecord> {
    return this.#kept.values();
  }

  /** How many records are kept at most. */
  static readonly maxKept = MAX_KEPT;

  /**
   * @param listener gets each record soon after its operation has ended; it must not throw
   * @param options `running`: also when the operation has begun, if it has not ended by then
   */
  watch(
    listener: Watching["listener"],
    { running = false }: Partial<Pick<Watching, "running">> = {},
  ): Disposable {
    return addMember(this.#watching, { listener, running });
  }

  /** Tells `observer` of every call at once, until the result is disposed of. */
  observe(observer: CallObserver): Disposable {
    return addMember(this.#observers, observer);
  }

  /** Resolves when everything is reported that has ended by now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#reporting.run();
  }

  /** What still runs has a moment to end, and is reported. May be called more than once. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    await poll(() => this.#begun.size === 0, { everyMs: 20, timeoutMs: END_TIMEOUT_MS });
    for (const call of this.#begun) this.#settle(call); // as one that runs
    delete this.session.noteCall;
    await this.flush();
    this.#ending.abort();
    clearTimeout(this.#timer);
    this.#watching.clear();
    this.#observers.clear();
  }

  #note(operation: CalledNote, input: unknown, caller: NotedCaller): NotedCall | undefined {
    const { group } = operation;
    const { actor, requestId, desk } = caller; // the rest of a request is let go with its answer
    if (!operation.readOnly) this.typed.note(group, input);
    // a person's hands would be all there is to see, and the text would show by its rhythm
    if (actor.kind === "person" && HANDS.has(group)) return undefined;
    if (operation.unnamed) return undefined; // probes, by which anybody could push out all the rest
    const called = { operation, input, actor, requestId, desk };
    const call = new Call(++this.#count, called, this.#settle);
    if (actor.kind === "person") call.isHidden = this.session.use(Curtain).isClosed;
    for (const observer of this.#observers) {
      const noted = observer.begin(call.id, operation, input, caller);
      if (noted !== undefined) call.add(noted);
    }
    this.#begun.add(call);
    this.#schedule();
    return call;
  }

  readonly #settle = (call: Call): void => {
    this.#begun.delete(call);
    // what it was given may be large, and this may wait for the keychain; a move has only numbers
    if (call.called.operation.group !== "mouse") call.visible();
    this.#ended.push(call);
    this.#schedule();
  };

  #schedule(): void {
    if (this.#timer !== undefined || this.#ending.signal.aborted) return;
    this.#timer = setTimeout(() => void this.flush(), GATHERED_MS);
  }

  async #report(): Promise<void> {
    const ended = this.#ended.splice(0, MAX_AT_ONCE);
    const areMore = this.#ended.length > 0;
    const begun = [...this.#begun].filter((call) => !call.isReported);
    for (const call of begun) call.isReported = true;
    const yielder = new EventLoopYielder();
    const texts: Text[] = [];
    const drafts: OperationRecord[] = [];
    for (const call of [...begun, ...ended]) {
      drafts.push(this.#draft(call, texts));
      if (drafts.length % MANY === 0) await yielder.yieldIfDue();
    }
    await this.#redact(texts);
    // what has ended while the drafts were made is in the next report
    const running = drafts.slice(0, begun.length).filter(({ outcome }) => outcome === "running");
    const over = drafts.slice(begun.length);
    const records = [...running, ...over];
    for (const record of records.toSorted((one, other) => one.id - other.id)) {
      this.#kept.set(record.id, record);
    }
    const tooMany = Math.max(0, this.#kept.size - MAX_KEPT);
    for (const id of this.#kept.keys().take(tooMany)) this.#kept.delete(id);
    for (const { listener, running } of [...this.#watching]) {
      const told = running ? records : over;
      if (told.length > 0) listener(told);
    }
    if (areMore) await this.#report();
  }

  /** @param texts gets what is not visible before it is redacted */
  #draft(call: Call, texts: Text[]): OperationRecord {
    const { operation, actor, requestId, desk } = call.called;
    const { omitted, fields: visible } = call.visible();
    const fields = { ...visible };
    const record: OperationRecord & { element?: string | undefined } = {
      id: call.id,
      time: this.#timeOf(call.at),
      request_id: requestId,
      who: actor.name,
      kind: actor.kind,
      desk: desk?.name,
      deskId: desk?.session?.id,
      operation: callName(operation),
      method: operation.method,
      path: operation.path,
      fields,
      omitted,
      outcome: call.outcome,
      effect: call.effect,
      duration_ms: call.ms,
      isHidden: call.isHidden,
    };
    for (const name in fields) {
      const text = fields[name];
      if (typeof text !== "string") continue;
      const isRefused = name === "key" && call.outcome !== "done"; // it may be no key, but a text
      if (!isRefused && !mayHaveSecrets(name, text) && text.length <= MAX_TEXT) continue;
      fields[name] = CUT_MARK;
      const put = (shown: string) => fields[name] = cutText(shown, MAX_TEXT);
      if (!isRefused) texts.push({ text, put });
    }
    const ref = fields["ref"];
    const session = desk === undefined ? this.session : desk.session;
    const element = typeof ref === "string" ? session?.use(Refs).find(ref) : undefined;
    if (element !== undefined) {
      const put = (shown: string) => record.element = cutText(this.typed.hide(shown), MAX_TEXT);
      texts.push({ text: element.description, put });
    }
    return record;
  }

  #timeOf(at: number): string {
    if (at !== this.#time.at) this.#time = { at, text: new Date(at).toISOString() };
    return this.#time.text;
  }

  async #redact(texts: readonly Text[]): Promise<void> {
    if (texts.length === 0) return;
    const { session } = this;
    try {
      const { redacted } = await redactTexts(
        { config: session, session, signal: this.#ending.signal },
        texts.map(({ text }) => text),
      );
      texts.forEach(({ put }, index) => put(redacted[index]!));
    } catch {
      // the service ends, or the keychain cannot be read: they stay hidden
    }
  }
}

interface Text {
  readonly text: string;
  readonly put: (shown: string) => void;
}

/** Not the context of the request: that would keep the whole request until it is reported. */
interface Called extends Pick<NotedCaller, "actor" | "requestId" | "desk"> {
  readonly operation: CalledNote;
  input: unknown;
}

/** One that runs, or has ended and is not reported yet. */
class Call implements NotedCall {
  readonly at = Date.now();
  readonly #began = performance.now();
  outcome = "running";
  ms: number | undefined;
  effect: OperationRecord["effect"];
  isHidden = false;
  isReported = false;
  #observers: NotedCall[] | undefined;
  #visible: ReturnType<typeof visibleFields> | undefined;
  prepare?: () => Promise<void>;

  constructor(
    readonly id: number,
    readonly called: Called,
    private readonly settle: (call: Call) => void,
  ) {}

  add(observer: NotedCall): void {
    (this.#observers ??= []).push(observer);
    if (observer.prepare === undefined) return;
    this.prepare = async () => {
      await Promise.all(this.#observers!.map((each) => each.prepare?.()));
    };
  }

  end(error?: unknown, answer?: unknown): void {
    if (this.outcome !== "running") return;
    this.ms = Math.round((performance.now() - this.#began) * 10) / 10;
    this.outcome = error === undefined ? "done" : codeOf(error);
    if (typeof answer === "object" && answer !== null) this.effect = effectOf(answer)?.effect;
    if (this.#observers !== undefined) {
      for (const each of this.#observers) each.end(error, answer);
    }
    this.settle(this);
  }

  /** What others may see of its fields; all of them are forgotten then. */
  visible(): ReturnType<typeof visibleFields> {
    if (this.#visible !== undefined) return this.#visible;
    const { operation: { group }, input } = this.called;
    this.called.input = undefined;
    return this.#visible = visibleFields(group, input);
  }
}

export function codeOf(error: unknown): string {
  if (error === CALLER_LEFT) return "cancelled";
  return error instanceof ServiceError ? error.code : "internal";
}

/** What an operation that was asked for it says about its effect. */
export interface EffectAnswer {
  readonly effect: "confirmed" | "unverified";
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  readonly window?: string | undefined;
}

/** What an answer says about the effect of its operation, in whichever form it says so. */
export function effectOf(answer: object): EffectAnswer | undefined {
  const { outcome, body } = answer as { readonly outcome?: unknown; readonly body?: object };
  const said = outcome === "effect" && body !== undefined ? body : answer;
  const { effect, result } = said as { readonly effect?: unknown; readonly result?: unknown };
  if (effect === "confirmed" || effect === "unverified") return said as EffectAnswer;
  if (result !== "confirmed" && result !== "unverified") return undefined;
  return { ...said, effect: result };
}

// What is kept of the fields.

const MAX_FIELDS = 30;
/** More than is shown, so that a stored value is known that begins before the end. */
const MAX_READ = 4_096;

export function visibleFields(
  group: string,
  input: unknown,
): { fields: Record<string, ShownValue>; omitted: string[] } {
  const fields: Record<string, ShownValue> = {};
  const omitted: string[] = [];
  if (typeof input !== "object" || input === null) return { fields, omitted };
  const given = input as Readonly<Record<string, unknown>>;
  let count = 0;
  for (const name in given) {
    if (++count > MAX_FIELDS) break;
    const value = given[name];
    if (value === undefined) continue;
    const shown = shownValue(group, name, value);
    if (shown === undefined) omitted.push(name);
    else fields[name] = typeof shown === "string" ? cutRawText(shown, MAX_READ) : shown;
  }
  return { fields, omitted };
}
