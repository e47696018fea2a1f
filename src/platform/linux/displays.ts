/** Which X display stands behind each number, and the connections to them, opened on demand and again. */

import { ServiceError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Display, DisplayInfo, Displays, Readiness } from "../types.ts";
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
  /** The error of number 1 as long as it is not bound, made of the failures of the candidates. */
  readonly unbound: (failures: readonly OpenFailure[]) => ServiceError;
  readonly open: OpenConnection;
  readonly log: Log;
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
  #binding: Promise<Connection> | undefined;

  constructor(private readonly options: LinuxDisplaysOptions) {
    this.#bound = new Map(options.bound);
  }

  /** The X display behind a number, if that is settled. */
  boundTo(displayNum: number): string | undefined {
    return this.#bound.get(displayNum);
  }

  /** Binds a number for as long as the service runs. */
  bind(displayNum: number, xDisplay: string): void {
    if (this.#bound.has(displayNum)) return;
    this.#bound.set(displayNum, xDisplay);
    this.options.log.info("display bound", { display: displayNum, to: xDisplay });
  }

  open(displayNum: number): Display | Promise<Display> {
    const xDisplay = this.#bound.get(displayNum);
    if (xDisplay !== undefined) return this.#connect(displayNum, xDisplay);
    if (displayNum !== 1) return this.#openNew(displayNum, `:${displayNum}`);
    this.#binding ??= this.#bindFirst().finally(() => this.#binding = undefined);
    return this.#binding;
  }

  async list(): Promise<DisplayInfo[]> {
    const numbers = [...new Set([1, ...this.#bound.keys()])].sort((a, b) => a - b);
    const opened = await Promise.allSettled(numbers.map(async (displayNum) => {
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
    });
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
        const connection = await this.#slotOf(1, xDisplay);
        this.bind(1, xDisplay);
        return connection;
      } catch (error) {
        failures.push({ xDisplay, error });
      }
    }
    throw this.options.unbound(failures);
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
    const number = lost?.displayNum ?? displayNum;
    slot.connection = await this.options.open(number, xDisplay);
    if (lost !== undefined) this.options.log.info("display opened again", { to: xDisplay });
    return slot.connection;
  }
}

/** `:1` and `:1.0` are the same. */
function slotKey(xDisplay: string): string {
  return xDisplay.replace(/\.0$/, "");
}
