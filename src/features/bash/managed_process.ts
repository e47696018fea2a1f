/** One command from its start until it is forgotten: its output, its input and how it ends. */

import { Buffer } from "node:buffer";
import type { Limits } from "../../config/limits.ts";
import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { log } from "../../core/log.ts";
import { encodeText } from "../../core/texts.ts";
import type { Command, CommandInput } from "../../platform/types/mod.ts";
import { NOTHING, type Redactor } from "../secrets/redact.ts";
import { KeptOutput } from "./kept_output.ts";

/** Reads that each command may make without waiting: enough for one with little output. */
const FREE_READS = 4;

/** How long a killed process has to exit; only one that waits for a device needs any time. */
const EXIT_TIMEOUT_MS = 5_000;
/**
 * Interval between kills until then: a child that was just being started may have escaped the
 * first.
 */
const KILL_AGAIN_MS = 50;

/** The most that a pipe holds, and thus the most that can be ready to read. */
const MAX_PIPE_BYTES = 2 ** 20;
/**
 * Reads without new output before the pipe counts as drained, and the pause between them in
 * milliseconds.
 */
const IDLE_READS = 5;
const IDLE_READ_INTERVAL_MS = 10;
/** A pause that took longer than this says nothing: a busy event loop reads late, too. */
const MAX_PAUSE_MS = 3 * IDLE_READ_INTERVAL_MS;
/** How long the event loop may be too busy to read, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/** How long output is held back because it may be the start of a stored value, in milliseconds. */
const HELD_OUTPUT_MS = 100;

/** The most that one character of a string takes in memory. */
const BYTES_PER_CHARACTER = 2;

interface ProcessOptions {
  readonly command: string;
  readonly limits: Limits;
  readonly pace: DrainPace;
  /** Removes stored secrets from the output before any of it is kept. */
  readonly redactor: Redactor;
}

export class ManagedProcess {
  readonly pid: number;
  readonly command: string;
  readonly startedAt = new Date();
  readonly output: KeptOutput;
  readonly input: InputQueue | undefined;
  /** Resolves when the shell has ended and its output has been read. */
  readonly answered: Promise<void>;
  /** Resolves when no process of the group is left. */
  readonly done: Promise<void>;
  /** Whether the process is remembered after its end: a client may know its number. */
  remembered = false;
  /** Whether its output has marks, which users do not see. */
  writesMarks = false;
  #status: "running" | "completed" = "running";
  #exitCode: number | undefined;
  #readToEnd = false;
  #hurried = false;
  #goOn: (() => void) | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #change = Promise.withResolvers<void>();

  constructor(private readonly child: Command, private readonly options: ProcessOptions) {
    const { keptHeadBytes, keptTailBytes, maxBodyBytes } = options.limits;
    this.pid = child.pid;
    this.command = options.command;
    this.output = new KeptOutput({ headBytes: keptHeadBytes, tailBytes: keptTailBytes });
    this.input = child.input && new InputQueue(child.input, maxBodyBytes);
    const answered = Promise.withResolvers<void>();
    this.answered = answered.promise;
    const reading = this.#readAll();
    this.done = Promise.all([this.#follow(reading, answered.resolve), reading])
      .catch((error) => this.#giveUp(error))
      .then(() => answered.resolve());
  }

  get status(): "running" | "completed" {
    return this.#status;
  }

  /** The exit code of the shell, available as soon as the shell has ended. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Why the output may contain stored values; `undefined` if it cannot. */
  get redactionGap(): string | undefined {
    return this.options.redactor.gap;
  }

  /** Memory in use after the process has ended, in bytes. */
  get memoryBytes(): number {
    return this.output.memoryBytes + this.command.length * BYTES_PER_CHARACTER;
  }

  /** Whether a process that runs now belongs to it. */
  holds(pid: number): Promise<boolean> {
    return this.child.holds(pid);
  }

  /** Resolves with the next output, or when the output ends. */
  get change(): Promise<void> {
    return this.#change.promise;
  }

  /**
   * Ends the whole process group: requests termination, then kills it if it does not exit in time.
   * @throws ServiceError `permission_denied` or `timed_out` when it cannot be ended.
   */
  async terminate(): Promise<void> {
    if (this.#status === "completed") return;
    await this.child.signal("SIGTERM");
    if (await within(this.done, this.options.limits.killAfterMs)) return;
    const deadline = performance.now() + EXIT_TIMEOUT_MS;
    while (performance.now() < deadline) {
      await this.child.signal("SIGKILL");
      if (await within(this.done, KILL_AGAIN_MS)) return;
    }
    throw new ServiceError("timed_out", `Process ${this.pid} does not end, even when killed`);
  }

  async #follow(reading: Promise<void>, answered: () => void): Promise<void> {
    const exitCode = await this.child.ended;
    await this.options.redactor.ready; // the redactor holds all output back until then
    this.#exitCode = exitCode;
    await this.#drain(reading);
    if (await this.child.isAlive()) {
      this.remembered = true;
      answered();
      await this.child.gone();
      await this.#drain(reading);
    }
    if (!this.#readToEnd) this.output.cut();
    await this.child.close();
    await reading;
    this.#complete();
  }

  /**
   * Ends a process that can no longer be read or watched, so that no part of it keeps running
   * unseen. Never throws.
   */
  async #giveUp(error: unknown): Promise<void> {
    log.error("lost track of a command and ended it", {
      pid: this.pid,
      error: error instanceof Error ? error.message : String(error),
    });
    this.remembered = true;
    await this.child.signal("SIGKILL").catch(() => {});
    await this.child.close().catch(() => {});
    this.output.cut();
    this.#complete();
  }

  #complete(): void {
    clearTimeout(this.#silence);
    this.output.complete();
    this.#status = "completed";
    this.#notifyChange();
  }

  async #readAll(): Promise<void> {
    const { redactor } = this.options;
    redactor.ready.then(() => this.#take(NOTHING));
    for (let reads = 0;; reads++) {
      if (reads >= FREE_READS) await this.#awaitPace();
      const bytes = await this.child.read();
      if (bytes === undefined) break;
      await this.#take(bytes);
    }
    await redactor.ready;
    this.#keep(await redactor.end());
    this.#readToEnd = true;
  }

  /**
   * Keeps the output that the redactor releases. A prompt that only resembles the start of a stored
   * value is released when nothing follows.
   */
  async #take(bytes: Uint8Array): Promise<void> {
    const { redactor } = this.options;
    clearTimeout(this.#silence);
    this.#keep(await redactor.push(bytes));
    if (!redactor.keeps) return;
    this.#silence = setTimeout(
      async () => this.#keep(await redactor.releaseStart()),
      HELD_OUTPUT_MS,
    );
  }

  #keep(bytes: Uint8Array): void {
    if (this.options.redactor.lost) this.output.cut();
    if (bytes.byteLength === 0) return; // all of it may be the start of a secret
    this.output.append(bytes);
    this.#notifyChange();
  }

  /**
   * Reads the remaining output for a limited time, then whatever is already in the pipe: only our
   * own reading can have delayed that.
   */
  async #drain(reading: Promise<void>): Promise<void> {
    if (await within(reading, this.options.limits.drainMs)) return;
    const enough = this.output.total + MAX_PIPE_BYTES;
    const end = performance.now() + BUSY_TIMEOUT_MS;
    this.#hurried = true;
    this.#goOn?.();
    for (let idle = 0; idle < IDLE_READS && this.output.total < enough;) {
      const { total } = this.output;
      const pausedAt = performance.now();
      if (await within(reading, IDLE_READ_INTERVAL_MS)) return;
      const now = performance.now();
      if (this.output.total > total) idle = 0;
      else if (now - pausedAt <= MAX_PAUSE_MS || now > end) idle++;
    }
    this.#hurried = false;
  }

  /** Waits until it may read, unless the remainder must be read immediately. */
  async #awaitPace(): Promise<void> {
    const admission = this.#hurried ? undefined : this.options.pace.admit();
    if (admission === undefined) return;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
      admission.then(resolve);
    });
  }

  #notifyChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}

// Writes text to a command in order, without blocking on a command that does not read.

class InputQueue {
  readonly #order = new Semaphore({ capacity: 1 });
  #pendingBytes = 0;
  #closed = false;

  constructor(private readonly input: CommandInput, private readonly maxPendingBytes: number) {}

  /**
   * Queues the text for the command.
   * @throws ServiceError `conflict` when its input is closed, `unavailable` when it does not read.
   */
  write(text: string): void {
    if (this.#closed) throw new ServiceError("conflict", "Cannot write: the input is closed");
    const size = Buffer.byteLength(text);
    if (this.#pendingBytes > 0 && this.#pendingBytes + size > this.maxPendingBytes) {
      throw new ServiceError(
        "unavailable",
        `Cannot write: the process has not read ${this.#pendingBytes} bytes of earlier input`,
      );
    }
    this.#pendingBytes += size;
    this.#then(async () => {
      for (const bytes of encodeText(text)) {
        await this.input.write(bytes);
        this.#pendingBytes -= bytes.length;
      }
    });
  }

  /** Closes the input after everything that was queued. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#then(() => this.input.close());
  }

  #then(work: () => Promise<void>): void {
    this.#order.run(work).catch(() => {
      this.#closed = true; // the command no longer reads
    });
  }
}

// Shares the time for reading output among all commands, so that noisy ones do not delay the
// others.

/**
 * Reads of up to 64 KiB per tick: about 250 MiB per second for all commands together, using a tenth
 * of one core.
 */
const READS = 4;
const TICK_MS = 2;

export class DrainPace {
  #left = READS;
  readonly #waiting: (() => void)[] = [];
  #ticking = false;

  /**
   * Resolves when the caller may read once more, in order of arrival; `undefined` when it may read
   * immediately.
   */
  admit(): Promise<void> | undefined {
    if (!this.#ticking) this.#startTick();
    if (this.#left > 0) {
      this.#left--;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #startTick(): void {
    this.#ticking = true;
    setTimeout(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    const next = this.#waiting.splice(0, READS);
    this.#left = READS - next.length;
    this.#ticking = false;
    if (next.length > 0) this.#startTick();
    for (const resolve of next) resolve();
  }
}
