/**
 * All commands of the service: starts them in order, finds them by number, and ends them with the
 * service.
 */

import type { Limits } from "../../config/limits.ts";
import { abortAfter, TIME_IS_UP } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { type Permit, Semaphore } from "../../core/locks.ts";
import { requireCapability } from "../../platform/capability.ts";
import type { Capability, CommandLine, Processes } from "../../platform/types/mod.ts";
import type { Redactor } from "../secrets/redact.ts";
import { Figures } from "../figures.ts";
import type { Session } from "../session.ts";
import { DrainPace, ManagedProcess } from "./managed_process.ts";

interface StartOptions {
  /** Aborts when the client disconnects; a command that still waits is then not started. */
  readonly signal: AbortSignal;
  /** Maximum run time before the command is ended, in milliseconds. */
  readonly maxRuntimeMs: number | undefined;
  readonly redactor: Redactor;
}

type Timer = ReturnType<typeof setTimeout>;

export class Shell implements AsyncDisposable {
  /** By number, in order of start. */
  readonly #running = new Map<number, ManagedProcess>();
  /** All that run, and those whose number the system has reused while their output is still read. */
  readonly #open = new Set<ManagedProcess>();
  /** By number, in order of their end, oldest first; each with the timer that removes it. */
  readonly #ended = new Map<number, { process: ManagedProcess; timer: Timer }>();
  /** Memory in use by ended processes, in bytes. */
  #endedBytes = 0;
  readonly #slots: CommandSlots;
  readonly #pace = new DrainPace();
  #stopped = false;

  constructor(private readonly port: Capability<Processes>, private readonly limits: Limits) {
    this.#slots = new CommandSlots(limits);
  }

  static openIn(session: Session): Shell {
    const shell = new Shell(session.platform.processes, session.limits);
    const { now } = session.use(Figures);
    now.set("commands_running", () => shell.#running.size);
    now.set("commands_waiting", () => shell.waiting);
    return shell;
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
    const permit = await this.#slots.take(signal);
    try {
      if (this.#stopped) throw new ServiceError("unavailable", "The service is being stopped");
      if (signal.aborted) throw new ServiceError("conflict", "The client disconnected");
      const child = processes.start(line);
      const { command } = line;
      const { limits } = this;
      const process = new ManagedProcess(child, { command, limits, pace: this.#pace, redactor });
      this.#follow(process, permit, maxRuntimeMs);
      return process;
    } catch (error) {
      permit[Symbol.dispose]();
      throw error;
    }
  }

  /** @throws ServiceError `not_found` when no command of the service has this number. */
  find(pid: number): ManagedProcess {
    const process = this.#running.get(pid) ?? this.#ended.get(pid)?.process;
    if (process !== undefined) return process;
    throw new ServiceError("not_found", `There is no process ${pid} of this service`);
  }

  /** Number of commands that wait for a slot. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  running(): readonly ManagedProcess[] {
    return [...this.#running.values()];
  }

  /** Ended processes, oldest first. */
  ended(): readonly ManagedProcess[] {
    return [...this.#ended.values()].map(({ process }) => process);
  }

  /** Ends all commands, drops those that wait, and forgets everything. */
  async restart(): Promise<void> {
    this.#slots.dropWaiting(new ServiceError("conflict", "Dropped: the shell was restarted"));
    const ends = await Promise.allSettled([...this.#open].map((process) => process.terminate()));
    for (const pid of [...this.#ended.keys()]) this.#forget(pid);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.restart();
  }

  get #processes(): Processes {
    return requireCapability(this.port);
  }

  /** If the system reuses a number, it refers to the newest process. */
  #follow(process: ManagedProcess, permit: Permit, maxRuntimeMs: number | undefined): void {
    this.#forget(process.pid);
    this.#running.delete(process.pid); // the new one comes last
    this.#running.set(process.pid, process);
    this.#open.add(process);
    const end = () => process.terminate().catch(() => {}); // on failure it stays listed
    const timer = maxRuntimeMs === undefined ? undefined : setTimeout(end, maxRuntimeMs);
    process.done.then(() => {
      using _permit = permit;
      clearTimeout(timer);
      this.#open.delete(process);
      this.#keepEnded(process);
    });
  }

  /** Records that the process has ended, and keeps it for a while if it should be remembered. */
  #keepEnded(process: ManagedProcess): void {
    if (this.#running.get(process.pid) !== process) return;
    this.#running.delete(process.pid);
    if (!process.remembered) return;
    const timer = setTimeout(() => this.#forget(process.pid), this.limits.keepEndedMs);
    this.#ended.set(process.pid, { process, timer });
    this.#endedBytes += process.memoryBytes;
    if (this.#ended.size > this.limits.maxEndedProcesses) this.#forget(this.#oldest);
    this.#saveMemory();
  }

  /**
   * Drops the output of the oldest processes first, so that their exit codes stay available longer;
   * then forgets the processes.
   */
  #saveMemory(): void {
    const { maxEndedBytes } = this.limits;
    for (const { process: { output } } of this.#ended.values()) {
      if (this.#endedBytes <= maxEndedBytes) return;
      this.#endedBytes -= output.memoryBytes;
      output.drop();
    }
    while (this.#endedBytes > maxEndedBytes) this.#forget(this.#oldest);
  }

  get #oldest(): number {
    const [oldest] = this.#ended.keys();
    return oldest!;
  }

  #forget(pid: number): void {
    const ended = this.#ended.get(pid);
    if (ended === undefined) return;
    clearTimeout(ended.timer);
    this.#endedBytes -= ended.process.memoryBytes;
    this.#ended.delete(pid);
  }
}

// Limits how many commands run at the same time; further ones wait for a slot in order of arrival.

type SlotLimits = Pick<Limits, "maxCommands" | "maxWaitingCommands" | "commandWaitMs">;

export class CommandSlots {
  readonly #permits: Semaphore;

  constructor(private readonly limits: SlotLimits) {
    const { maxCommands, maxWaitingCommands } = limits;
    const text = `Cannot queue the command: ${maxWaitingCommands} are already queued`;
    this.#permits = new Semaphore({
      capacity: maxCommands,
      maxWaiting: maxWaitingCommands,
      full: () => new ServiceError("unavailable", text),
    });
  }

  /** Number of commands that wait for a slot. */
  get waiting(): number {
    return this.#permits.waiting;
  }

  /**
   * Resolves with a slot; waits while all slots are taken.
   * @throws ServiceError `unavailable` when too many commands wait or the wait takes too long,
   * `conflict` when the client disconnects or {@link dropWaiting} is called.
   */
  async take(signal: AbortSignal): Promise<Permit> {
    const free = this.#permits.tryAcquire();
    if (free !== undefined) return free;
    using waiting = abortAfter(this.limits.commandWaitMs, signal);
    try {
      return await this.#permits.acquire(waiting.signal);
    } catch (error) {
      if (signal.aborted) throw new ServiceError("conflict", "The client disconnected");
      throw error === TIME_IS_UP ? this.#late() : error;
    }
  }

  dropWaiting(reason: ServiceError): void {
    this.#permits.drop(reason);
  }

  #late(): ServiceError {
    const { maxCommands, commandWaitMs } = this.limits;
    const state = `${maxCommands} are running and none has ended for ${commandWaitMs / 1000} s`;
    const text = `Cannot start the command: ${state}: end one by DELETE /api/bash/process/{pid}`;
    return new ServiceError("unavailable", text);
  }
}
