/**
 * All commands of the service: starts them in order, finds them by number, and ends them with the
 * service.
 */

import type { Place } from "../../core/semaphore.ts";
import { ServiceError } from "../../core/errors.ts";
import { requirePort } from "../../platform/open_port.ts";
import type { Limits } from "../../config/limits.ts";
import type { CommandLine, Port, Processes } from "../../platform/types/mod.ts";
import type { Redactor } from "../secrets/redact.ts";
import { CommandSlots } from "./command_slots.ts";
import { DrainPace } from "./drain_pace.ts";
import { ManagedProcess } from "./managed_process.ts";
import { ProcessTable } from "./process_table.ts";

export interface StartOptions {
  /** Aborts when the client disconnects; a command that still waits is then not started. */
  readonly signal: AbortSignal;
  /** Maximum run time before the command is ended, in milliseconds. */
  readonly maxRuntimeMs: number | undefined;
  readonly redactor: Redactor;
}

export class Shell implements AsyncDisposable {
  readonly #table: ProcessTable;
  readonly #slots: CommandSlots;
  readonly #pace = new DrainPace();
  #stopped = false;

  constructor(private readonly port: Port<Processes>, private readonly limits: Limits) {
    this.#table = new ProcessTable(limits);
    this.#slots = new CommandSlots(limits);
  }

  /** The folder in which commands start. */
  get home(): string {
    return this.#processes.home;
  }

  /**
   * Starts a command as soon as there is a slot for it.
   * @throws ServiceError for the same reasons as {@link CommandSlots.take} and
   * {@link Processes.start}.
   */
  async start(line: CommandLine, options: StartOptions): Promise<ManagedProcess> {
    const { signal, maxRuntimeMs, redactor } = options;
    const processes = this.#processes;
    const place = await this.#slots.take(signal);
    try {
      if (this.#stopped) throw new ServiceError("unavailable", "The service is being stopped");
      if (signal.aborted) throw new ServiceError("conflict", "The client went away");
      const child = processes.start(line);
      const { command } = line;
      const { limits } = this;
      const process = new ManagedProcess(child, { command, limits, pace: this.#pace, redactor });
      this.#follow(process, place, maxRuntimeMs);
      return process;
    } catch (error) {
      place[Symbol.dispose]();
      throw error;
    }
  }

  /** @throws ServiceError `not_found` when no command of the service has this number. */
  find(pid: number): ManagedProcess {
    const process = this.#table.find(pid);
    if (process !== undefined) return process;
    throw new ServiceError("not_found", `There is no process ${pid} of this service`);
  }

  /** Number of commands that wait for a slot. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  running(): readonly ManagedProcess[] {
    return this.#table.running();
  }

  /** Ended processes, oldest first. */
  ended(): readonly ManagedProcess[] {
    return this.#table.ended();
  }

  /** Ends all commands, drops those that wait, and forgets everything. */
  async restart(): Promise<void> {
    this.#slots.dropWaiting(new ServiceError("conflict", "Dropped: the shell was restarted"));
    const running = this.#table.running();
    const ends = await Promise.allSettled(running.map((process) => process.terminate()));
    this.#table.clear();
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.restart();
  }

  get #processes(): Processes {
    return requirePort(this.port);
  }

  #follow(process: ManagedProcess, place: Place, maxRuntimeMs: number | undefined): void {
    this.#table.add(process);
    const end = () => process.terminate().catch(() => {}); // on failure it stays listed
    const timer = maxRuntimeMs === undefined ? undefined : setTimeout(end, maxRuntimeMs);
    process.done.then(() => {
      using _place = place;
      clearTimeout(timer);
      this.#table.end(process);
    });
  }
}
