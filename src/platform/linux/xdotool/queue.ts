/** Queues the commands of xdotool in order; commands that are sent together go to one process. */

import { Semaphore } from "../../../core/semaphore.ts";
import { ProcessQueue } from "../../process_queue.ts";
import { runXdotool, type XdotoolProcess } from "./process.ts";

/** The most arguments per process, far below the system's limit. */
const ARGUMENTS_PER_PROCESS = 4_000;

export class CommandQueue implements AsyncDisposable {
  readonly #queue: ProcessQueue<readonly string[]>;

  constructor(private readonly xDisplay: string) {
    this.#queue = new ProcessQueue({
      lane: new Semaphore({ places: 1 }),
      runSteps: (commands, signal) => this.#runAll(chained(commands), signal),
      closed: `The connection to the X display "${xDisplay}" was closed: try again`,
    });
  }

  /**
   * Queues a command. It runs at the next microtask, so that a pause that follows takes effect, or
   * after the running process.
   */
  add(...command: readonly string[]): void {
    this.#queue.add(command);
  }

  /**
   * Resolves when everything that was sent so far has run.
   * @throws ServiceError of the first failure since the last confirmation.
   */
  confirm(): Promise<void> {
    return this.#queue.confirm();
  }

  /**
   * Runs separate processes after everything that was sent, and returns the output of the last one.
   */
  run(...processes: readonly XdotoolProcess[]): Promise<string> {
    return this.#queue.run((signal) => this.#runAll(processes, signal));
  }

  /**
   * Drops the commands that have not started, ends the running process, and resolves when nothing
   * runs any more.
   */
  drop(): Promise<void> {
    return this.#queue.drop();
  }

  /** Does the same as `drop()`; nothing runs from then on. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
  }

  async #runAll(processes: readonly XdotoolProcess[], signal: AbortSignal): Promise<string> {
    let printed = "";
    for (const process of processes) {
      signal.throwIfAborted();
      printed = await runXdotool(this.xDisplay, process, signal);
    }
    return printed;
  }
}

function chained(commands: readonly (readonly string[])[]): XdotoolProcess[] {
  const chains: string[][] = [];
  for (const command of commands) {
    const last = chains.at(-1);
    if (last !== undefined && last.length + command.length <= ARGUMENTS_PER_PROCESS) {
      last.push(...command);
    } else {
      chains.push([...command]);
    }
  }
  return chains.map((args) => ({ args }));
}
