/** One command from its start until it is forgotten: its output, its input and how it ends. */

import { ServiceError } from "../../errors.ts";
import type { Limits } from "../../limits.ts";
import type { Command } from "../../platform/types.ts";
import type { DrainPace } from "./drain_pace.ts";
import { InputQueue } from "./input_queue.ts";
import type { Redactor } from "../keychain/redact.ts";
import { KeptOutput } from "./kept_output.ts";
import { within } from "./within.ts";

/** Reads that a command has without waiting: enough for one that says little. */
const FREE_READS = 4;

/** How long a killed process may take to go; only one that waits for a device takes any time. */
const KILL_MS = 5_000;

export interface ProcessOptions {
  readonly command: string;
  readonly limits: Limits;
  readonly pace: DrainPace;
  /** Takes stored secrets out of the output, before any of it is kept; never rejects. */
  readonly redactor: Promise<Redactor>;
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
  #change = Promise.withResolvers<void>();

  constructor(private readonly child: Command, private readonly options: ProcessOptions) {
    const { keptHeadBytes, keptTailBytes, maxBodyBytes } = options.limits;
    this.pid = child.pid;
    this.command = options.command;
    this.output = new KeptOutput({ headBytes: keptHeadBytes, tailBytes: keptTailBytes });
    this.input = child.input && new InputQueue(child.input, maxBodyBytes);
    const answered = Promise.withResolvers<void>();
    this.answered = answered.promise;
    this.done = this.#follow(answered.resolve);
  }

  get status(): "running" | "completed" {
    return this.#status;
  }

  /** Of the shell, as soon as that has ended. */
  get exitCode(): number | undefined {
    return this.#exitCode;
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
    const steps = [["SIGTERM", this.options.limits.killAfterMs], ["SIGKILL", KILL_MS]] as const;
    for (const [signal, ms] of steps) {
      if (this.#status === "completed") return;
      await this.child.signal(signal);
      if (await within(this.done, ms)) return;
    }
    throw new ServiceError("timed_out", `Process ${this.pid} does not end, not even when killed`);
  }

  async #follow(answered: () => void): Promise<void> {
    const { drainMs } = this.options.limits;
    const reading = this.#readAll();
    const exitCode = await this.child.ended;
    await this.options.redactor; // nothing is read before it is there, and a keychain may take its time
    this.#exitCode = exitCode;
    await within(reading, drainMs);
    if (await this.child.isAlive()) {
      this.remembered = true;
      answered();
      await this.child.gone();
      await within(reading, drainMs);
    }
    await this.child.close();
    await reading;
    this.output.complete();
    this.#status = "completed";
    this.#tellChange();
    answered();
  }

  async #readAll(): Promise<void> {
    const redactor = await this.options.redactor;
    for (let reads = 0;; reads++) {
      if (reads >= FREE_READS) await this.options.pace.turn();
      const bytes = await this.child.read();
      if (bytes === undefined) break;
      this.#keep(redactor.push(bytes));
    }
    this.#keep(redactor.end());
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return; // all of it may be the beginning of a secret
    this.output.append(bytes);
    this.#tellChange();
  }

  #tellChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}
