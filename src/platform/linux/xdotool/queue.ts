/** The commands of xdotool in their order: what is sent at once goes to one process. */

import { Semaphore } from "../../../core/semaphore.ts";
import { ProcessQueue } from "../../process_queue.ts";
import { runXdotool, type XdotoolProcess } from "./process.ts";

/** Arguments of one process; the system's bound is far above. */
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

  /** Sends a command: at the next microtask, so that a pause that follows is one, or behind what runs. */
  add(...command: readonly string[]): void {
    this.#queue.add(command);
  }

  /**
   * Resolves when everything that was sent so far has run.
   * @throws ServiceError of what failed since the last confirmation.
   */
  confirm(): Promise<void> {
    return this.#queue.confirm();
  }

  /** Runs processes of their own after everything that was sent, and returns what the last one prints. */
  run(...processes: readonly XdotoolProcess[]): Promise<string> {
    return this.#queue.run((signal) => this.#runAll(processes, signal));
  }

  /** Drops what has not started, ends what runs, and resolves when all is quiet. */
  drop(): Promise<void> {
    return this.#queue.drop();
  }

  /** The same, and nothing runs from now on. */
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
