/** Operations that wait until a person allows them (`--approve`). */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { addMember } from "../../core/shared_run.ts";
import { cutRawText, showHidden } from "../../core/texts.ts";
import { accessOf, type Actor } from "../actor.ts";
import { callName } from "../call_names.ts";
import { shownValue } from "../shown_fields.ts";
import { cutMargin, type Redacting, redactTexts } from "../secrets/redact_texts.ts";
import type { ControlledOperation, Passage } from "./passage.ts";
import { likeGroup } from "../permissions.ts";

const MAX_WAITING = 32;
/** Of one program. */
const MAX_WAITING_EACH = 8;
const WAIT_MS = 5 * 60_000;
/** The most operations that are allowed for the session, of all programs together. */
const MAX_ALLOWED = 1_000;

/** An operation that waits, as the console shows it. Times are in ISO 8601. */
export interface PendingApproval {
  readonly id: string;
  /** `bash.command` */
  readonly operation: string;
  /** Who asks. */
  readonly name: string;
  /** All of its fields. */
  readonly fields: readonly DecidedField[];
  /** Whether it may be allowed for the session: not where a part of it is not shown. */
  readonly session: boolean;
  readonly since: string;
  readonly until: string;
}

/** `session` allows the same operation of the same program until the service ends. */
export type Decision = "once" | "session" | "refuse";

interface Decided {
  readonly decision: Decision;
  readonly by: Actor;
  readonly reason?: string;
}

interface Pending {
  readonly actor: Actor;
  readonly item: PendingApproval;
  readonly key: string;
  readonly settle: (decided?: Decided) => void;
}

export class Approvals implements Disposable {
  readonly #pending = new Map<string, Pending>();
  readonly #listeners = new Set<(pending: readonly PendingApproval[]) => void>();
  /** By program, operation and the groups that it uses. */
  readonly #allowed = new Set<string>();
  /** Whether an operation is named, by id: names are not made for each call. */
  readonly #named = new Map<string, boolean>();
  readonly #asking = new Set<Passage>();

  /** Whether another token than this one makes a person. */
  hasOtherPerson: (token: string) => boolean = () => false;

  /** @param names groups, and operations as they are called: `bash`, `filesystem.delete` */
  constructor(private readonly names: ReadonlySet<string>) {}

  /** What waits now, in the order in which it came. */
  list(): readonly PendingApproval[] {
    return [...this.#pending.values()].map(({ item }) => item);
  }

  /** Calls `listener`, which must not throw, with all that waits whenever that changes. */
  onChange(listener: (pending: readonly PendingApproval[]) => void): Disposable {
    return addMember(this.#listeners, listener);
  }

  /**
   * Whether the operation still waits.
   * @throws ServiceError `forbidden` for the token of the program that asks, where another token makes
   * a person, and `invalid` for the session where not all is shown; it waits on then
   */
  decide(id: string, by: Actor, decision: Decision, reason?: string): boolean {
    if (by.kind !== "person") throw new TypeError("Only a person decides");
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    const { actor, item, key } = pending;
    const isOwn = actor.token !== undefined && actor.token === by.token;
    if (decision !== "refuse" && isOwn && this.hasOtherPerson(actor.token)) {
      throw forbidden("The program asks by your own token: somebody with another one decides");
    }
    if (decision === "session" && !item.session) {
      throw new ServiceError("invalid", "Not all of it is shown: allow it once");
    }
    this.#pending.delete(id);
    if (decision === "session" && this.#allowed.size < MAX_ALLOWED) this.#allowed.add(key);
    pending.settle({ decision, by, ...(reason && { reason }) });
    this.#notify();
    return true;
  }

  /**
   * Whether an operation has to wait: it, or a group that it uses, is named. What an MCP tool or a
   * batch calls is asked for by itself.
   */
  needs(operation: ControlledOperation, actor: Actor, input: unknown): boolean {
    if (actor.kind === "person") return false;
    const used = operation.uses?.(input) ?? [];
    if (!this.#isNamed(operation) && !used.some((group) => this.names.has(group))) return false;
    return !this.#allowed.has(keyOf(operation, actor, input));
  }

  #isNamed(operation: ControlledOperation): boolean {
    const { id, group, path } = operation;
    return this.#named.getOrInsertComputed(id, () => {
      const names = [group, likeGroup(operation), callName(operation)];
      return !path.startsWith("/mcp/") && names.some((name) => this.names.has(name));
    });
  }

  /**
   * Resolves with the passage when a person has allowed it.
   * @throws ServiceError `forbidden` when a person refuses, or nobody answers; `locked` when it is
   * over; `unavailable` when too many wait; the signal's reason
   */
  async ask(passage: Passage, context: Redacting, input: unknown): Promise<Passage> {
    try {
      this.#checkRoom(passage.actor);
      using _asking = addMember(this.#asking, passage);
      await this.#wait(passage, context, input);
      return passage;
    } catch (error) {
      passage[Symbol.dispose]();
      throw error;
    }
  }

  #checkRoom(asking: Actor): void {
    const account = accessOf(asking);
    const own = [...this.#asking].filter(({ actor }) => accessOf(actor) === account);
    if (own.length < MAX_WAITING_EACH && this.#asking.size < MAX_WAITING) return;
    const message = `${own.length} operations of this program, and ${this.#asking.size} in all, ` +
      "already wait for a person: try again later";
    throw new ServiceError("unavailable", message);
  }

  async #wait(passage: Passage, context: Redacting, input: unknown): Promise<void> {
    const { operation, actor } = passage;
    const { signal } = context;
    const fields = await describeFields(context, operation.group, input);
    const name = callName(operation);
    const now = Date.now();
    const item: PendingApproval = {
      id: crypto.randomUUID(),
      operation: name,
      name: actor.name,
      fields,
      session: areAllShown(fields),
      since: new Date(now).toISOString(),
      until: new Date(now + WAIT_MS).toISOString(),
    };
    const { promise, resolve } = Promise.withResolvers<Decided | undefined>();
    passage.onOver(() => resolve(undefined));
    passage.check();
    const key = keyOf(operation, actor, input);
    this.#pending.set(item.id, { actor, item, key, settle: resolve });
    this.#notify();
    try {
      await within(promise, WAIT_MS, signal);
    } finally {
      if (this.#pending.delete(item.id)) this.#notify();
    }
    passage.check();
    signal.throwIfAborted();
    resolve(undefined);
    const decided = await promise;
    if (decided === undefined) {
      const minutes = WAIT_MS / 60_000;
      throw forbidden(`Nobody has allowed "${name}" within ${minutes} minutes`);
    }
    if (decided.decision !== "refuse") return passage.check();
    const why = decided.reason === undefined ? "" : `: ${decided.reason}`;
    throw forbidden(`${decided.by.name} has refused "${name}"${why}`);
  }

  /** The service ends: nobody will answer. */
  [Symbol.dispose](): void {
    for (const { settle } of this.#pending.values()) settle();
  }

  #notify(): void {
    if (this.#listeners.size === 0) return;
    const pending = this.list();
    for (const listener of [...this.#listeners]) listener(pending);
  }
}

function keyOf({ id, uses }: ControlledOperation, actor: Actor, input: unknown): string {
  return JSON.stringify([actor.id, id, uses?.(input) ?? []]);
}

function forbidden(message: string): ServiceError {
  return new ServiceError("forbidden", message);
}

// What a person sees of a call that waits: all that others may see, with nothing hidden in it.

/** Characters that are shown of a value, and of all values together. */
const MAX_SHOWN = 4_096;
const MAX_SHOWN_IN_ALL = 16_384;
const MAX_ADDRESS = 200;
const MAX_FIELDS = 50;
/** What is run, and which stored value is used. */
const DECISIVE: ReadonlySet<string> = new Set(["args", "expression", "field"]);
/** Names below these are anybody's. */
const FREE_NAMES: ReadonlySet<string> = new Set(["env", "item"]);

interface DecidedField {
  /** `until.file.path` */
  readonly name: string;
  /** Absent where others may not see it. */
  readonly value?: string;
  /** How many characters of it are not shown, if any are. */
  readonly more?: number;
}

/** Never what is typed, stored or written. */
async function describeFields(
  context: Redacting,
  group: string,
  input: unknown,
): Promise<readonly DecidedField[]> {
  const margin = await cutMargin(context);
  const leaves = eachLeaf(input, "", "").take(MAX_FIELDS + 1).toArray();
  const given = leaves.slice(0, MAX_FIELDS).map(({ path, name, value }) => {
    const shown = DECISIVE.has(name) && typeof value === "string"
      ? value
      : shownValue(group, name, value);
    return { path, text: shown?.toString(), length: String(value).length };
  });
  const texts = given.map(({ text = "" }) => cutRawText(text, MAX_SHOWN + margin));
  const { redacted } = await redactTexts(context, texts);
  let room = MAX_SHOWN_IN_ALL;
  const fields = given.map(({ path, text, length }, index): DecidedField => {
    const name = showHidden(path);
    const readable = redacted[index]!;
    if (text === undefined) return { name };
    const max = Math.min(room, path.endsWith("url") ? MAX_ADDRESS : MAX_SHOWN);
    const start = readable.slice(0, max);
    const value = showHidden(start);
    room = Math.max(0, room - value.length);
    const more = Math.max(length, readable.length) - start.length;
    return { name, value, ...(more > 0 && { more }) };
  });
  return leaves.length > MAX_FIELDS ? [...fields, { name: "..." }] : fields;
}

/** Whether nothing of a call is left for the person to guess. */
function areAllShown(fields: readonly DecidedField[]): boolean {
  return fields.every(({ value, more }) => value !== undefined && more === undefined);
}

interface Leaf {
  readonly path: string;
  /** Of the field, or of the list that it is in. */
  readonly name: string;
  readonly value: unknown;
}

function* eachLeaf(value: unknown, path: string, name: string): Generator<Leaf> {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") {
    yield { path, name, value };
    return;
  }
  const isNamed = !Array.isArray(value) && !FREE_NAMES.has(name);
  for (const [key, each] of Object.entries(value)) {
    yield* eachLeaf(each, path === "" ? key : `${path}.${key}`, isNamed ? key : name);
  }
}
