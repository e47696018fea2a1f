/**
 * `Idempotency-Key`: a request that is sent again, because its answer did not arrive, gets the first
 * answer and does nothing. Only what was refused before it began may be tried again with the same key.
 */

import { Figures } from "../features/figures.ts";
import type { Session } from "../features/session.ts";
import { InputError, ServiceError } from "../core/errors.ts";
import { bytesInPieces, findSending } from "./connections/long_answers.ts";
import { CLIENT_CLOSED } from "./other_interface.ts";

export const KEY_HEADER = "idempotency-key";
/** The name that Stripe has for it: the draft of the IETF has none. */
export const REPLAYED_HEADER = "idempotent-replayed";

/** Visible characters and spaces; a quoted string of the draft is taken as it is. */
const KEY = /^[\x20-\x7e]{1,255}$/;
/** How long an answer is kept, from its end. */
export const KEPT_MS = 600_000;
/** Keys at a time, those that run included. */
const MAX_KEYS_EACH = 20_000;
const MAX_KEYS = 100_000;
/** Bodies of answers at a time, in bytes: of one, of a caller, of all. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_BYTES_EACH = 16 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

export interface KeyedRequest {
  readonly key: string;
  /** The id of who calls: everybody has keys of their own. */
  readonly caller: string;
  /** What it asks for: the same for the same method, path, query and body only. */
  readonly fingerprint: string;
  /** Whether the operation has been let in, after which something may have been done. */
  readonly hasEntered: () => boolean;
  /** Makes the answer of what it throws. */
  readonly fail: (error: unknown) => Response;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly [string, string][];
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** A key that was used. */
interface Use {
  readonly fingerprint: string;
  /** When it was over; absent while it runs. */
  endedAt?: number;
  /** What it answered, or why that is not kept. */
  answer: Answer | string;
}

interface CallerUses {
  /** Those that have ended in the order of their ends. */
  readonly byKey: Map<string, Use>;
  /** Those whose answers have bodies, from the oldest. */
  readonly withBodies: Set<Use>;
  bytes: number;
}

const RUNNING = "The first request with this Idempotency-Key is still running: try again later";
const INTERRUPTED =
  "The first request with this Idempotency-Key was interrupted, because its client had left: a part of it may have been done";
const NOT_KEPT =
  "The first request with this Idempotency-Key was carried out, but its answer was too large to be kept";

export class IdempotentRequests implements Disposable {
  readonly #callers = new Map<string, CallerUses>();
  #keys = 0;
  #bytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param now the time in milliseconds; a test may pass its own */
  constructor(session?: Session, private readonly now: () => number = () => performance.now()) {
    session?.use(Figures).now.set("idempotency_keys", () => this.size);
  }

  /** The keys that are remembered. */
  get size(): number {
    return this.#keys;
  }

  /**
   * The answer of `perform`, or that of the first request with this key. `perform` passes its answer
   * through the function that it is given, before any of it is sent.
   * @throws InputError for an impossible key, or one that was used for another request; ServiceError
   * `conflict` where the first answer is not there, `too_many_requests` for too many keys
   */
  async answer(
    request: KeyedRequest,
    perform: (keep: (response: Response) => Promise<Response>) => Promise<Response>,
  ): Promise<Response> {
    const { key, caller, fingerprint, hasEntered, fail } = request;
    if (!KEY.test(key)) throw wrongKey("Idempotency-Key should be 1 to 255 printable characters");
    this.#forgetOld();
    const uses = this.#of(caller);
    const known = uses.byKey.get(key);
    if (known !== undefined) return replay(known, fingerprint);
    if (uses.byKey.size >= MAX_KEYS_EACH || this.#keys >= MAX_KEYS) throw tooManyKeys();
    const use: Use = { fingerprint, answer: RUNNING };
    uses.byKey.set(key, use);
    this.#keys++;
    const keep = (response: Response) => this.#keep(uses, use, response);
    try {
      const response = await perform(keep);
      if (response.status === CLIENT_CLOSED) use.answer = INTERRUPTED;
      return response;
    } catch (error) {
      if (!hasEntered()) throw error;
      return await keep(fail(error));
    } finally {
      this.#end(uses, key, hasEntered());
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#callers.clear();
  }

  #of(caller: string): CallerUses {
    const make = (): CallerUses => ({ byKey: new Map(), withBodies: new Set(), bytes: 0 });
    return this.#callers.getOrInsertComputed(caller, make);
  }

  /** Remembers an answer, and gives the same one to be sent. */
  async #keep(uses: CallerUses, use: Use, response: Response): Promise<Response> {
    const { heldBytes } = findSending(response) ?? { heldBytes: 1 }; // 0: it is made while it is sent
    if (heldBytes === 0 || heldBytes > MAX_ANSWER_BYTES) {
      this.#drop(uses, use);
      return response;
    }
    const body = response.body === null ? null : await response.bytes();
    const answer: Answer = { status: response.status, headers: [...response.headers], body };
    this.#drop(uses, use);
    if (this.#makeRoom(uses, sizeOf(answer))) {
      use.answer = answer;
      uses.bytes += sizeOf(answer);
      this.#bytes += sizeOf(answer);
      if (body !== null) uses.withBodies.add(use);
    }
    return toResponse(answer);
  }

  /** Gives up the oldest answers of a caller for a new one; tells whether that may be kept. */
  #makeRoom(uses: CallerUses, size: number): boolean {
    if (size > MAX_ANSWER_BYTES) return false; // of characters that take several bytes
    for (const oldest of uses.withBodies) {
      if (uses.bytes + size <= MAX_BYTES_EACH) break;
      this.#drop(uses, oldest);
    }
    return this.#bytes + size <= MAX_BYTES;
  }

  /** From now on it is only known that the request was carried out. */
  #drop(uses: CallerUses, use: Use): void {
    uses.bytes -= sizeOf(use.answer);
    this.#bytes -= sizeOf(use.answer);
    uses.withBodies.delete(use);
    use.answer = NOT_KEPT;
  }

  #end({ byKey }: CallerUses, key: string, hasEntered: boolean): void {
    const use = byKey.get(key);
    if (use === undefined) return; // the service has ended
    byKey.delete(key);
    if (!hasEntered) return void this.#keys--;
    use.endedAt = this.now();
    byKey.set(key, use);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#forgetOld();
      if (this.#keys > 0) this.#schedule();
    }, KEPT_MS);
    Deno.unrefTimer(this.#timer);
  }

  #forgetOld(): void {
    const oldest = this.now() - KEPT_MS;
    for (const [caller, uses] of this.#callers) {
      for (const [key, use] of uses.byKey) {
        if (use.endedAt === undefined) continue;
        if (use.endedAt > oldest) break;
        this.#drop(uses, use);
        uses.byKey.delete(key);
        this.#keys--;
      }
      if (uses.byKey.size === 0) this.#callers.delete(caller);
    }
  }
}

function replay({ fingerprint, answer }: Use, asked: string): Response {
  if (fingerprint !== asked) {
    throw wrongKey("Idempotency-Key was used for another request: use a new one");
  }
  if (typeof answer === "string") throw new ServiceError("conflict", answer);
  const response = toResponse(answer);
  response.headers.set(REPLAYED_HEADER, "true");
  return response;
}

function sizeOf(answer: Use["answer"]): number {
  return typeof answer === "string" ? 0 : answer.body?.length ?? 0;
}

function toResponse({ status, headers, body }: Answer): Response {
  const init = { status, headers: headers.map(([name, value]): [string, string] => [name, value]) };
  return body === null ? new Response(null, init) : bytesInPieces(body, init);
}

function wrongKey(msg: string): InputError {
  return new InputError([{ loc: ["header", KEY_HEADER], msg, type: "value_error" }]);
}

function tooManyKeys(): ServiceError {
  const minutes = KEPT_MS / 60_000;
  return new ServiceError(
    "too_many_requests",
    `Too many keys were used within ${minutes} minutes: send requests without Idempotency-Key, or wait`,
  );
}
