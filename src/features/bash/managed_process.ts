/** One command from its start until it is forgotten: its output, its input and how it ends. */

import { ServiceError } from "../../core/errors.ts";
import type { Limits } from "../../config/limits.ts";
import { log } from "../../core/log.ts";
import type { Command } from "../../platform/types/mod.ts";
import type { DrainPace } from "./drain_pace.ts";
import { InputQueue } from "./input_queue.ts";
import { NOTHING } from "../secrets/bytes.ts";
import type { Redactor } from "../secrets/redact.ts";
import { KeptOutput } from "./kept_output.ts";
import { within } from "../../core/deadline.ts";

/** Reads that a command has without waiting: enough for one that says little. */
const FREE_READS = 4;

/** How long a killed process may take to go; only one that waits for a device takes any time. */
const KILL_MS = 5_000;
/** How often it is killed until then: what was just being started may have escaped. */
const KILL_AGAIN_MS = 50;

/** What a pipe holds at most: all that can be ready at once. */
const MAX_PIPE_BYTES = 2 ** 20;
/** So often, for so long, nothing must come before we take it that nothing is ready. */
const IDLE_LOOKS = 5;
const LOOK_MS = 10;

/** How long the start of what may become a stored value is kept back. */
const SILENCE_MS = 100;

/** Of a text in memory, at most. */
const BYTES_PER_CHARACTER = 2;

export interface ProcessOptions {
  readonly command: string;
  readonly limits: Limits;
  readonly pace: DrainPace;
  /** Takes stored secrets out of the output, before any of it is kept. */
  readonly redactor: Redactor;
}

export class ManagedProcess {
  readonly pid: number;
  readonly command: string;
  readonly startedAt = new Date();
  readonly output: KeptOutput;
  readonly input: InputQueue | undefined;
  /** Resolves when the shell has ended and what it wrote has been read. */
  readonly answered: Promise<void>;
  /** Resolves when nothing of it lives any more. */
  readonly done: Promise<void>;
  /** Whether it is remembered after its end: somebody may know its number. */
  remembered = false;
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

  /** Of the shell, as soon as that has ended. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Why stored values may be in the output, if they may. */
  get redactionGap(): string | undefined {
    return this.options.redactor.gap;
  }

  /** How much memory it takes when it has ended, in bytes. */
  get memoryBytes(): number {
    return this.output.memoryBytes + this.command.length * BYTES_PER_CHARACTER;
  }

  /** Resolves with the next output, or the end. */
  get change(): Promise<void> {
    return this.#change.promise;
  }

  /**
   * Ends the whole group: asks it, and kills it when it does not obey in time.
   * @throws ServiceError `permission_denied` or `timed_out` when it cannot be ended.
   */
  async terminate(): Promise<void> {
    if (this.#status === "completed") return;
    await this.child.signal("SIGTERM");
    if (await within(this.done, this.options.limits.killAfterMs)) return;
    const deadline = performance.now() + KILL_MS;
    while (performance.now() < deadline) {
      await this.child.signal("SIGKILL");
      if (await within(this.done, KILL_AGAIN_MS)) return;
    }
    throw new ServiceError("timed_out", `Process ${this.pid} does not end, not even when killed`);
  }

  async #follow(reading: Promise<void>, answered: () => void): Promise<void> {
    const exitCode = await this.child.ended;
    await this.options.redactor.ready; // it holds everything back until then
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

  /** What cannot be read or watched any more is ended, so that nothing of it stays behind unseen. Never throws. */
  async #giveUp(error: unknown): Promise<void> {
    log.error("a command cannot be followed any more and is ended", {
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
    this.#tellChange();
  }

  async #readAll(): Promise<void> {
    const { redactor } = this.options;
    redactor.ready.then(() => this.#take(NOTHING));
    for (let reads = 0;; reads++) {
      if (reads >= FREE_READS) await this.#turn();
      const bytes = await this.child.read();
      if (bytes === undefined) break;
      await this.#take(bytes);
    }
    await redactor.ready;
    this.#keep(await redactor.end());
    this.#readToEnd = true;
  }

  /** Keeps what can be shown; a prompt that only begins like a stored value is shown when nothing follows. */
  async #take(bytes: Uint8Array): Promise<void> {
    const { redactor } = this.options;
    clearTimeout(this.#silence);
    this.#keep(await redactor.push(bytes));
    if (!redactor.keeps) return;
    this.#silence = setTimeout(async () => this.#keep(await redactor.showStart()), SILENCE_MS);
  }

  #keep(bytes: Uint8Array): void {
    if (this.options.redactor.lost) this.output.cut();
    if (bytes.byteLength === 0) return; // all of it may be the beginning of a secret
    this.output.append(bytes);
    this.#tellChange();
  }

  /** Reads what is left for a while, and then what is there already: if it is late, only by us. */
  async #drain(reading: Promise<void>): Promise<void> {
    if (await within(reading, this.options.limits.drainMs)) return;
    const enough = this.output.total + MAX_PIPE_BYTES;
    this.#hurried = true;
    this.#goOn?.();
    for (let idle = 0; idle < IDLE_LOOKS && this.output.total < enough; idle++) {
      const { total } = this.output;
      if (await within(reading, LOOK_MS)) return;
      if (this.output.total > total) idle = -1;
    }
    this.#hurried = false;
  }

  /** Waits for its turn to read, unless the rest is to be read at once. */
  async #turn(): Promise<void> {
    const turn = this.#hurried ? undefined : this.options.pace.turn();
    if (turn === undefined) return;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
      turn.then(resolve);
    });
  }

  #tellChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}
