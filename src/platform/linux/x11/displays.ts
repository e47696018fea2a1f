/**
 * Maps display numbers to X displays and manages the connections to them, which open on demand and
 * reopen.
 */

import { ServiceError } from "../../../core/errors.ts";
import type { Log } from "../../../core/log.ts";
import type { Display, DisplayInfo, Displays, Readiness } from "../../types/mod.ts";
import { describeOpenFailure } from "./open_failure.ts";

/** An open display that detects when its server goes away. */
export interface Connection extends Display, AsyncDisposable {
  readonly connected: boolean;
  readonly name: string;
}

/** @throws XOpenError or ServiceError when the display cannot be opened. */
export type OpenConnection = (displayNum: number, xDisplay: string) => Promise<Connection>;

export interface OpenFailure {
  readonly xDisplay: string;
  readonly error: unknown;
}

export interface LinuxDisplaysOptions {
  /** Numbers that are bound from the start. */
  readonly bound: ReadonlyMap<number, string>;
  /** The X displays to try for number 1, in this order, unless `bound` contains it. */
  readonly candidates: readonly string[];
  /** Throws when a candidate must not be used. */
  readonly checkCandidate: (xDisplay: string) => Promise<void>;
  /** Creates the error for number 1 while it is not bound, from the failures of the candidates. */
  readonly unbound: (failures: readonly OpenFailure[]) => ServiceError;
  readonly open: OpenConnection;
  readonly log: Log;
}

/** The state of an X display at its last use. */
export interface DisplayState {
  readonly open: boolean;
  /** Why it is not open: half a sentence. */
  readonly why: string;
}

/**
 * One X display. Numbers that mean the same X display share it, and with it the order of its input.
 */
interface Slot {
  connection?: Connection;
  /** The attempt under way, shared by all callers that ask meanwhile. */
  opening?: Promise<Connection> | undefined;
}

export class LinuxDisplays implements Displays, AsyncDisposable {
  readonly #bound: Map<number, string>;
  readonly #slots = new Map<string, Slot>();
  /** Why the last attempt to open a bound X display failed. */
  readonly #failures = new Map<string, unknown>();
  #binding: Promise<Connection> | undefined;

  constructor(private readonly options: LinuxDisplaysOptions) {
    this.#bound = new Map(options.bound);
  }

  /** The X display of a number, once it is bound. */
  boundTo(displayNum: number): string | undefined {
    return this.#bound.get(displayNum);
  }

  /** The last known state of an X display; sends no request. */
  describeState(xDisplay: string): DisplayState {
    const key = slotKey(xDisplay);
    const connection = this.#slots.get(key)?.connection;
    if (connection?.connected) return { open: true, why: "" };
    if (connection !== undefined) return { open: false, why: "its X server went away" };
    if (!this.#failures.has(key)) return { open: false, why: "it has not answered yet" };
    return { open: false, why: describeOpenFailure(xDisplay, this.#failures.get(key)) };
  }

  /** Binds a number for as long as the service runs. */
  bind(displayNum: number, xDisplay: string): void {
    if (this.#bound.has(displayNum)) return;
    this.#bound.set(displayNum, xDisplay);
    this.options.log.info("display bound", { display: displayNum, to: xDisplay });
  }

  open(displayNum: number): Display | Promise<Display> {
    const bound = this.#bound.get(displayNum);
    if (displayNum === 1 && bound === undefined) {
      this.#binding ??= this.#bindFirst().finally(() => this.#binding = undefined);
      return this.#binding;
    }
    const xDisplay = bound ?? `:${displayNum}`;
    if (this.#mayBeFirst(xDisplay)) return this.#openAfterFirst(displayNum, xDisplay);
    if (bound !== undefined) return this.#connect(displayNum, bound);
    return this.#openNew(displayNum, xDisplay);
  }

  /**
   * One entry per X display: under number 1 if that is one of its numbers, otherwise under the
   * lowest.
   */
  async list(): Promise<DisplayInfo[]> {
    const numbers = new Set([1, ...this.#numbers()]);
    const opened = await Promise.allSettled([...numbers].map(async (displayNum) => {
      const display = await this.open(displayNum);
      return { displayNum, xDisplay: this.#bound.get(displayNum)!, ...display.size };
    }));
    const seen = new Set<string>();
    return opened.flatMap((result) => {
      if (result.status === "rejected") return [];
      const { xDisplay, ...info } = result.value;
      if (seen.has(slotKey(xDisplay))) return [];
      seen.add(slotKey(xDisplay));
      return [{ ...info, name: xDisplay, scale: 1, primary: info.displayNum === 1 }];
    }).sort((a, b) => a.displayNum - b.displayNum);
  }

  async readiness(): Promise<Readiness> {
    try {
      const { size } = await this.open(1);
      const reason = `Display 1 is "${this.#bound.get(1)}", ${size.width}x${size.height}`;
      return { ready: true, reason };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    await Promise.all(slots.map(async ({ connection, opening }) => {
      const last = await opening?.catch(() => undefined) ?? connection;
      await last?.[Symbol.asyncDispose]();
    }));
  }

  /** Tries the candidates for number 1 and binds the first that opens. */
  async #bindFirst(): Promise<Connection> {
    const failures: OpenFailure[] = [];
    for (const xDisplay of this.options.candidates) {
      try {
        await this.options.checkCandidate(xDisplay);
        const connection = await this.#slotOf(1, xDisplay);
        this.bind(1, xDisplay);
        return connection;
      } catch (error) {
        failures.push({ xDisplay, error });
      }
    }
    throw this.options.unbound(failures);
  }

  /** Whether number 1 can still be bound to this X display. */
  #mayBeFirst(xDisplay: string): boolean {
    if (this.#bound.has(1)) return false;
    return this.options.candidates.some((each) => slotKey(each) === slotKey(xDisplay));
  }

  /**
   * Lets number 1 bind first, then opens the display, which shares a connection with number 1 if
   * they are the same.
   */
  async #openAfterFirst(displayNum: number, xDisplay: string): Promise<Connection> {
    await Promise.resolve(this.open(1)).catch(() => {}); // reported to callers of number 1
    return await this.#openNew(displayNum, xDisplay);
  }

  async #openNew(displayNum: number, xDisplay: string): Promise<Connection> {
    const connection = await this.#connect(displayNum, xDisplay);
    this.bind(displayNum, xDisplay);
    return connection;
  }

  #connect(displayNum: number, xDisplay: string): Connection | Promise<Connection> {
    const connection = this.#slots.get(slotKey(xDisplay))?.connection;
    if (connection?.connected) return connection;
    return this.#slotOf(displayNum, xDisplay).catch((error) => {
      if (error instanceof ServiceError) throw error;
      const failure = describeOpenFailure(xDisplay, error);
      throw new ServiceError("unavailable", `Cannot open display ${displayNum}: ${failure}`, {
        cause: error,
      });
    });
  }

  #slotOf(displayNum: number, xDisplay: string): Promise<Connection> {
    const key = slotKey(xDisplay);
    const slot = this.#slots.get(key) ?? {};
    this.#slots.set(key, slot);
    if (slot.connection?.connected) return Promise.resolve(slot.connection);
    slot.opening ??= this.#openAgain(displayNum, xDisplay, slot)
      .finally(() => {
        slot.opening = undefined;
        if (slot.connection === undefined) this.#slots.delete(key);
      });
    return slot.opening;
  }

  async #openAgain(displayNum: number, xDisplay: string, slot: Slot): Promise<Connection> {
    const lost = slot.connection;
    delete slot.connection;
    await lost?.[Symbol.asyncDispose]();
    const key = slotKey(xDisplay);
    const bound = this.#numbers().find((each) => slotKey(this.#bound.get(each)!) === key);
    // A reopened display keeps its number for those who know it; a new one is 1 where possible.
    const number = lost?.displayNum ?? (displayNum === 1 ? 1 : bound ?? displayNum);
    try {
      slot.connection = await this.options.open(number, xDisplay);
      this.#failures.delete(key);
    } catch (error) {
      if (bound !== undefined) this.#failures.set(key, error);
      throw error;
    }
    if (lost !== undefined) this.options.log.info("display opened again", { to: xDisplay });
    return slot.connection;
  }

  /**
   * The bound numbers: 1 first, then ascending. The first one that means an X display is its
   * number.
   */
  #numbers(): number[] {
    return [...this.#bound.keys()].sort((a, b) => Number(b === 1) - Number(a === 1) || a - b);
  }
}

/** `:1` and `:1.0` are the same display. */
function slotKey(xDisplay: string): string {
  return xDisplay.replace(/\.0$/, "");
}
