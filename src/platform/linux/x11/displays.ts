/** Which X display stands behind each number, and the connections to them, opened on demand and again. */

import { ServiceError } from "../../../core/errors.ts";
import type { Log } from "../../../core/log.ts";
import type { Display, DisplayInfo, Displays, Readiness } from "../../types/mod.ts";
import { describeOpenFailure } from "./open_failure.ts";

/** An open display that notices when its server goes away. */
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
  /** What number 1 may be bound to, in this order, where `bound` does not say it. */
  readonly candidates: readonly string[];
  /** Throws where a candidate may not be taken. */
  readonly checkCandidate: (xDisplay: string) => Promise<void>;
  /** The error of number 1 as long as it is not bound, made of the failures of the candidates. */
  readonly unbound: (failures: readonly OpenFailure[]) => ServiceError;
  readonly open: OpenConnection;
  readonly log: Log;
}

/** How an X display is now, as far as it has been used. */
export interface DisplayState {
  readonly open: boolean;
  /** Why it is not open: half a sentence. */
  readonly why: string;
}

/** One X display; numbers that mean the same X display share it, and with it the order of its input. */
interface Slot {
  connection?: Connection;
  /** The attempt under way, which all who ask meanwhile share. */
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

  /** The X display behind a number, if that is settled. */
  boundTo(displayNum: number): string | undefined {
    return this.#bound.get(displayNum);
  }

  /** What is known of an X display without asking it. */
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

  /** One entry for each X display: under number 1 where that is one of its numbers, else under the lowest. */
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

  /** Tries the candidates for number 1; the first that opens is it from now on. */
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

  /** Whether number 1 may turn out to be this X display. */
  #mayBeFirst(xDisplay: string): boolean {
    if (this.#bound.has(1)) return false;
    return this.options.candidates.some((each) => slotKey(each) === slotKey(xDisplay));
  }

  /** Opens a display as number 1 where it is. */
  async #openAfterFirst(displayNum: number, xDisplay: string): Promise<Connection> {
    await Promise.resolve(this.open(1)).catch(() => {}); // told to those who ask for number 1
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
    // A display keeps its number for those who know it by that; a new one is 1 where it can be.
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

  /** The bound numbers, in the order in which an X display that has several of them is called by one. */
  #numbers(): number[] {
    return [...this.#bound.keys()].sort((a, b) => Number(b === 1) - Number(a === 1) || a - b);
  }
}

/** `:1` and `:1.0` are the same. */
function slotKey(xDisplay: string): string {
  return xDisplay.replace(/\.0$/, "");
}
