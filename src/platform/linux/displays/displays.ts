/**
 * Maps display numbers to the displays of the backend and to X displays, which open on demand and
 * reopen.
 */

import { ServiceError } from "../../../core/errors.ts";
import type { Log } from "../../../core/log.ts";
import type { Display, DisplayInfo, Displays, Readiness } from "../../types/mod.ts";
import { type LinuxDisplay, type OpenDisplay, ownName } from "../linux_display.ts";
import { describeOpenFailure } from "../x11/setup.ts";
import type { ChosenBackend } from "./backends.ts";

export interface OpenFailure {
  readonly name: string;
  readonly error: unknown;
}

interface LinuxDisplaysOptions {
  readonly bound: ReadonlyMap<number, string>;
  /** The X displays to try for number 1, in this order, unless `bound` contains it. */
  readonly candidates: readonly string[];
  /** Why a display must not be used, whatever its number: half a sentence. */
  readonly refusal?: ((name: string) => string | undefined) | undefined;
  /** Throws when a candidate must not be used. */
  readonly checkCandidate: (name: string) => Promise<void>;
  /** Creates the error for number 1 while it is not bound, from the failures of the candidates. */
  readonly unbound: (failures: readonly OpenFailure[]) => ServiceError;
  readonly open: OpenDisplay;
  /** One that can have several displays has the further numbers; otherwise these are X displays. */
  readonly backend: Pick<ChosenBackend, "ownDisplay" | "ownDisplays">;
  readonly log: Log;
}

/**
 * One display. Numbers that mean the same display share it, and with it the order of its input.
 */
interface Slot {
  display?: LinuxDisplay;
  /** The attempt under way, shared by all callers that ask meanwhile. */
  opening?: Promise<LinuxDisplay> | undefined;
}

export class LinuxDisplays implements Displays, AsyncDisposable {
  readonly #bound: Map<number, string>;
  readonly #slots = new Map<string, Slot>();
  /** Why the last attempt to open a bound display failed. */
  readonly #failures = new Map<string, unknown>();
  /** Lost displays on which keys or buttons may be down: that of a client that is gone stays so. */
  readonly #pressed = new Set<string>();
  #binding: Promise<LinuxDisplay> | undefined;

  constructor(private readonly options: LinuxDisplaysOptions) {
    this.#bound = new Map(options.bound);
  }

  /** The name of the display of a number, once it is bound. */
  boundTo(displayNum: number): string | undefined {
    return this.#bound.get(displayNum);
  }

  /** The last known state of a display, and why it is not open: half a sentence. Sends no request. */
  describeState(name: string) {
    const key = slotKey(name);
    const display = this.#slots.get(key)?.display;
    if (display?.connected) return { open: true, why: "" };
    if (display !== undefined) return { open: false, why: "its server went away" };
    if (!this.#failures.has(key)) return { open: false, why: "it has not responded yet" };
    return { open: false, why: describeOpenFailure(name, this.#failures.get(key)) };
  }

  /** Binds a number for as long as the service runs. */
  bind(displayNum: number, name: string): void {
    if (this.#bound.has(displayNum)) return;
    this.#bound.set(displayNum, name);
    this.options.log.info("display assigned", { display: displayNum, to: name });
  }

  open(displayNum: number): Display | Promise<Display> {
    const bound = this.#bound.get(displayNum);
    if (displayNum === 1 && bound === undefined) {
      this.#binding ??= this.#bindFirst().finally(() => this.#binding = undefined);
      return this.#binding;
    }
    const name = bound ?? this.#nameOf(displayNum);
    const refusal = this.options.refusal?.(slotKey(name));
    if (refusal !== undefined) return Promise.reject(refused(displayNum, refusal));
    if (this.#mayBeFirst(name)) return this.#openAfterFirst(displayNum, name);
    if (bound !== undefined) return this.#connect(displayNum, bound);
    return this.#openNew(displayNum, name);
  }

  /**
   * One entry per display: under number 1 if that is one of its numbers, otherwise under the
   * lowest.
   */
  async list(): Promise<DisplayInfo[]> {
    await Promise.resolve(this.open(1)).catch(() => {}); // a backend then knows its displays
    const numbers = new Set([
      1,
      ...this.#numbers(),
      ...this.options.backend.ownDisplays?.numbers() ?? [],
    ]);
    const opened = await Promise.allSettled([...numbers].map(async (displayNum) => {
      const display = await this.open(displayNum) as LinuxDisplay;
      const name = this.#bound.get(displayNum)!;
      return { displayNum, name, output: display.output, ...display.size };
    }));
    const seen = new Set<string>();
    return opened.flatMap((result) => {
      if (result.status === "rejected") return [];
      const { displayNum, name, output = { name, scale: 1 }, width, height } = result.value;
      if (seen.has(slotKey(name))) return [];
      seen.add(slotKey(name));
      return [{ displayNum, width, height, ...output, primary: displayNum === 1 }];
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
    await Promise.all(slots.map(async ({ display, opening }) => {
      const last = await opening?.catch(() => undefined) ?? display;
      await last?.[Symbol.asyncDispose]();
    }));
  }

  /** Tries the candidates for number 1 and binds the first that opens. */
  async #bindFirst(): Promise<LinuxDisplay> {
    const failures: OpenFailure[] = [];
    for (const name of this.options.candidates) {
      try {
        await this.options.checkCandidate(name);
        const display = await this.#openSlot(1, name);
        this.bind(1, name);
        return display;
      } catch (error) {
        failures.push({ name, error });
      }
    }
    throw this.options.unbound(failures);
  }

  /** Every number that is not bound is that of an output of the backend, or of an X display. */
  #nameOf(displayNum: number): string {
    const { ownDisplay, ownDisplays } = this.options.backend;
    return ownDisplays === undefined ? `:${displayNum}` : ownName(ownDisplay!, displayNum);
  }

  /** Whether number 1 can still be bound to this X display. */
  #mayBeFirst(name: string): boolean {
    if (this.#bound.has(1)) return false;
    return this.options.candidates.some((each) => slotKey(each) === slotKey(name));
  }

  /**
   * Lets number 1 bind first, then opens the display, which shares a slot with number 1 if
   * they are the same.
   */
  async #openAfterFirst(displayNum: number, name: string): Promise<LinuxDisplay> {
    await Promise.resolve(this.open(1)).catch(() => {}); // reported to callers of number 1
    return await this.#openNew(displayNum, name);
  }

  async #openNew(displayNum: number, name: string): Promise<LinuxDisplay> {
    const display = await this.#connect(displayNum, name);
    this.bind(displayNum, name);
    return display;
  }

  #connect(displayNum: number, name: string): LinuxDisplay | Promise<LinuxDisplay> {
    const display = this.#slots.get(slotKey(name))?.display;
    if (display?.connected) return display;
    return this.#openSlot(displayNum, name).catch((error) => {
      if (error instanceof ServiceError) throw error;
      const failure = describeOpenFailure(name, error);
      throw new ServiceError("unavailable", `Cannot open display ${displayNum}: ${failure}`, {
        cause: error,
      });
    });
  }

  #openSlot(displayNum: number, name: string): Promise<LinuxDisplay> {
    const key = slotKey(name);
    const slot = this.#slots.getOrInsertComputed(key, () => ({}));
    if (slot.display?.connected) return Promise.resolve(slot.display);
    slot.opening ??= this.#openAgain(displayNum, name, slot)
      .finally(() => {
        slot.opening = undefined;
        if (slot.display === undefined) this.#slots.delete(key);
      });
    return slot.opening;
  }

  async #openAgain(displayNum: number, name: string, slot: Slot): Promise<LinuxDisplay> {
    const lost = slot.display;
    delete slot.display;
    await lost?.[Symbol.asyncDispose]();
    const key = slotKey(name);
    const bound = this.#numbers().find((each) => slotKey(this.#bound.get(each)!) === key);
    // A reopened display keeps its number for those who know it; a new one is 1 where possible.
    const number = lost?.displayNum ?? (displayNum === 1 ? 1 : bound ?? displayNum);
    try {
      slot.display = await this.#openReleased(number, name);
      this.#failures.delete(key);
    } catch (error) {
      if (bound !== undefined) this.#failures.set(key, error);
      throw error;
    }
    this.#follow(slot, name);
    if (lost !== undefined) this.options.log.info("display reopened", { to: name });
    return slot.display;
  }

  /** Opens a display; what a lost connection has left down there is released before anything else is sent. */
  async #openReleased(displayNum: number, name: string): Promise<LinuxDisplay> {
    const key = slotKey(name);
    const display = await this.options.open(displayNum, name);
    if (!this.#pressed.has(key)) return display;
    try {
      if (display.input.ready) await display.input.use.releaseAll();
    } catch (error) {
      await display[Symbol.asyncDispose]();
      throw error;
    }
    this.#pressed.delete(key);
    return display;
  }

  /** A display that is lost while something may be down is opened again at once, without waiting for its next use. */
  #follow(slot: Slot, name: string): void {
    const display = slot.display!;
    display.onLoss?.(({ mayBePressed }) => {
      const key = slotKey(name);
      if (!mayBePressed || this.#slots.get(key) !== slot) return; // closed by us, it holds nothing
      this.#pressed.add(key);
      this.#openSlot(display.displayNum, name).catch(() => {}); // its next use tries again
    });
  }

  /**
   * The bound numbers: 1 first, then ascending. The first one that means a display is its
   * number.
   */
  #numbers(): number[] {
    return [...this.#bound.keys()].sort((a, b) => Number(b === 1) - Number(a === 1) || a - b);
  }
}

function refused(displayNum: number, why: string): ServiceError {
  return new ServiceError("unavailable", `Cannot open display ${displayNum}: ${why}`);
}

/** `:1` and `:1.0` are the same X display. */
function slotKey(name: string): string {
  return name.replace(/\.0$/, "");
}
