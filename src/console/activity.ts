/**
 * What is being done: each operation as it begins and ends, by whom, on what, and with which outcome.
 * The last ones are kept from the first visit of the console on. Typed text, stored values and the
 * contents of files are never among it: of the fields, only numbers, switches and names of things are.
 */

import { ServiceError } from "../core/errors.ts";
import { CUT_MARK, cutRawText, cutText } from "../core/texts.ts";
import type { Actor } from "../features/actor.ts";
import { callName } from "../features/call_names.ts";
import { type Redacting, redactTexts } from "../features/secrets/redact_texts.ts";
import type { CalledNote, Session } from "../features/session.ts";
import { mayHaveSecrets, type ShownValue, shownValue } from "../features/shown_fields.ts";
import { Pictures } from "./pictures.ts";

export interface ActivityEntry {
  readonly id: number;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly actor: string;
  /** `mouse.left-click` */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** What it was called with, as far as that may be seen by others. */
  readonly fields: Readonly<Record<string, ShownValue>>;
  /** The fields that it had besides. */
  readonly omitted: readonly string[];
  /** `null` while it runs, `done`, or the code of its error. */
  readonly outcome: string | null;
  /** `null` while it runs. */
  readonly ms: number | null;
}

type Listener = (entries: readonly ActivityEntry[]) => void;

const KEPT = 1_000;
/** News are gathered for so long, in milliseconds. */
const GATHERED_MS = 100;
const MAX_TEXT = 200;
const HANDS: ReadonlySet<string> = new Set(["mouse", "keyboard"]);

export class Activity implements Disposable {
  readonly pictures: Pictures;
  /** In the order in which they began. */
  readonly #kept = new Map<number, ActivityEntry>();
  readonly #listeners = new Set<Listener>();
  readonly #news = new Set<number>();
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  constructor(private readonly parts: Pick<Redacting, "config" | "session">) {
    this.pictures = new Pictures(parts.session);
    parts.session.noteCall = (operation, input, actor) => this.#begin(operation, input, actor);
  }

  /** All that is kept, the oldest first. */
  get kept(): readonly ActivityEntry[] {
    return [...this.#kept.values()];
  }

  /** @param listener gets each entry when it begins and when it has ended, or only once, soon after */
  watch(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  [Symbol.dispose](): void {
    this.#ending.abort();
    clearTimeout(this.#timer);
    this.#listeners.clear();
    delete (this.parts.session as Partial<Pick<Session, "noteCall">>).noteCall;
  }

  #begin(operation: CalledNote, input: unknown, actor: Actor): (error?: unknown) => void {
    // a person's hands would be all there is to see, and the text would show by its rhythm
    if (actor.kind === "person" && HANDS.has(operation.group)) return () => {};
    if (operation.unnamed) return () => {}; // probes, by which anybody could push out all the rest
    const id = ++this.#count;
    const isSeen = this.#listeners.size > 0;
    const takeAfter = isSeen ? this.pictures.begin(id, operation, input) : undefined;
    const began = performance.now();
    const entry = {
      id,
      at: Date.now(),
      actor: actor.name,
      operation: callName(operation),
      method: operation.method,
      path: operation.path,
      ...visibleFields(operation.group, input),
      outcome: null,
      ms: null,
    };
    void this.#keep(entry);
    return (error) => {
      takeAfter?.();
      const ms = Math.round((performance.now() - began) * 10) / 10;
      const last = this.#kept.get(id);
      if (last !== undefined) this.#note({ ...last, outcome: outcomeOf(error), ms });
    };
  }

  /** What has texts is not visible before they are redacted. */
  async #keep(entry: ActivityEntry): Promise<void> {
    this.#note(entry);
    const texts = Object.entries(entry.fields).filter((field): field is [string, string] =>
      typeof field[1] === "string" && (mayHaveSecrets(field[0]) || field[1].length > MAX_TEXT)
    );
    if (texts.length === 0) return;
    const names = texts.map(([name]) => name);
    this.#change(entry.id, names.map((name) => [name, CUT_MARK]));
    try {
      const context = { ...this.parts, signal: this.#ending.signal };
      const { redacted } = await redactTexts(context, texts.map(([, text]) => text));
      const shown = redacted.map((text) => cutText(text, MAX_TEXT));
      this.#change(entry.id, names.map((name, index) => [name, shown[index]!]));
    } catch {
      // the service ends, or the keychain cannot be read: they stay hidden
    }
  }

  #change(id: number, changes: readonly (readonly [name: string, text: string])[]): void {
    const last = this.#kept.get(id);
    if (last === undefined) return;
    this.#note({ ...last, fields: { ...last.fields, ...Object.fromEntries(changes) } });
  }

  #note(entry: ActivityEntry): void {
    this.#kept.set(entry.id, entry);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    if (this.#listeners.size === 0 || this.#ending.signal.aborted) return;
    this.#news.add(entry.id);
    this.#timer ??= setTimeout(() => this.#report(), GATHERED_MS);
  }

  #report(): void {
    this.#timer = undefined;
    const entries = [...this.#news].flatMap((id) => this.#kept.get(id) ?? []);
    this.#news.clear();
    for (const listener of [...this.#listeners]) listener(entries);
  }
}

function outcomeOf(error: unknown): string {
  if (error === undefined) return "done";
  return error instanceof ServiceError ? error.code : "internal";
}

// What is kept of the fields.

const MAX_FIELDS = 30;
/** More than is shown, so that a stored value is known that begins before the end. */
const MAX_READ = 4_096;

export function visibleFields(
  group: string,
  input: unknown,
): Pick<ActivityEntry, "fields" | "omitted"> {
  const fields: Record<string, ShownValue> = {};
  const omitted: string[] = [];
  const given = typeof input === "object" && input !== null ? Object.entries(input) : [];
  for (const [name, value] of given.slice(0, MAX_FIELDS)) {
    if (value === undefined) continue;
    const shown = shownValue(group, name, value);
    if (shown === undefined) omitted.push(name);
    else fields[name] = typeof shown === "string" ? cutRawText(shown, MAX_READ) : shown;
  }
  return { fields, omitted };
}
