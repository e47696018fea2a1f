/** Pauses programs while a person uses the computer's own mouse or keyboard (`--yield-to-person`). */

import { poll, within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import { requireCapability } from "../../platform/capability.ts";
import type { RealInputWatch } from "../../platform/types/mod.ts";
import type { Actor } from "../actor.ts";
import type { Session } from "../session.ts";
import { Control } from "./control.ts";
import type { Pause } from "./state.ts";

/** How often it is looked for displays that are new, or there again. */
const CHECK_INTERVAL_MS = 1_000;
/** The start waits so long for displays; one that is there later is watched then. */
const FIRST_CHECK_MS = 5_000;

const PERSON: Actor = Object.freeze({
  id: "local",
  name: "the computer's own mouse or keyboard",
  kind: "person",
});

interface YieldOptions {
  /** Programs may act again after so long without real input, in milliseconds. */
  readonly restMs: number;
  readonly log: Pick<Log, "warn">;
}

export class YieldToPerson implements Disposable {
  readonly #ended = new AbortController();
  /** By display; `null` for one of which the log says that it is not watched. */
  readonly #watches = new Map<number, RealInputWatch | null>();
  /** When the use is over, unless it goes on: a time of `performance.now()`. */
  #end = 0;
  /** Looks whether it is over; `undefined` while there is none. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(private readonly session: Session, private readonly options: YieldOptions) {}

  /**
   * Watches all displays of the service until it ends.
   * @throws ServiceError `unsupported`: one that is there does not tell who uses it
   */
  static async begin(session: Session, options: YieldOptions): Promise<void> {
    const own = session.use({ openIn: () => new YieldToPerson(session, options) });
    const { signal } = own.#ended;
    const first = own.#watchAll();
    const refusal = await within(first, FIRST_CHECK_MS, signal) ? await first : undefined;
    if (refusal !== undefined) {
      own[Symbol.dispose]();
      throw refusal;
    }
    const again = async () => void await own.#watchAll();
    first.then(() => poll(again, { everyMs: CHECK_INTERVAL_MS, timeoutMs: Infinity, signal }))
      .catch(() => {}); // the service ends
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    clearTimeout(this.#timer);
    for (const watch of this.#watches.values()) watch?.[Symbol.dispose]();
  }

  /** Watches what is not watched yet. Never rejects; gives why that is never possible, if so. */
  async #watchAll(): Promise<ServiceError | undefined> {
    const displays = await this.session.platform.displays.list().catch(() => []);
    const all = await Promise.all(displays.map(({ displayNum }) => this.#watch(displayNum)));
    return all.find((refusal) => refusal !== undefined);
  }

  async #watch(displayNum: number): Promise<ServiceError | undefined> {
    if (this.#watches.get(displayNum)?.connected) return undefined;
    try {
      const { realInput } = await this.session.platform.displays.open(displayNum);
      const watch = await requireCapability(realInput).watch(() => this.#noteUse());
      this.#watches.set(displayNum, watch);
      if (this.#ended.signal.aborted) watch[Symbol.dispose]();
      return undefined;
    } catch (error) {
      if (this.#watches.get(displayNum) !== null) {
        const why = String((error as Error).message);
        this.options.log.warn("does not yield to a person", { display: displayNum, why });
      }
      this.#watches.set(displayNum, null);
      return error instanceof ServiceError && error.code === "unsupported" ? error : undefined;
    }
  }

  #noteUse(): void {
    const { restMs } = this.options;
    this.#end = performance.now() + restMs;
    if (this.#timer !== undefined || this.#ended.signal.aborted) return;
    this.#look();
    const reason = "a person uses the computer's mouse or keyboard; programs go on after " +
      `${restMs / 1_000} s without that`;
    this.#setPause({ by: PERSON, since: new Date(), reason, following: undefined });
  }

  #look(): void {
    const leftMs = Math.ceil(this.#end - performance.now());
    this.#timer = leftMs > 0 ? setTimeout(() => this.#look(), leftMs) : undefined;
    if (this.#timer === undefined) this.#setPause(undefined);
  }

  /** Never throws: a driver calls it. */
  #setPause(pause: Pause | undefined): void {
    this.session.use(Control).pauseForUse(pause).catch((error) => {
      this.options.log.warn("cannot yield to a person", { why: String(error) });
    });
  }
}
