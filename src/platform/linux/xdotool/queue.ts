/** The commands that were sent and not yet run, and the processes that run them one after the other. */

import { runXdotool } from "./process.ts";

/** Arguments of one process; the system's bound is far above. */
const ARGUMENTS_PER_PROCESS = 4_000;

export class CommandQueue {
  #pending: string[][] = [];
  /** Settles when everything that was handed over so far has run. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly xDisplay: string) {}

  /** Appends a command to the chain of the next process. */
  add(...command: readonly string[]): void {
    this.#pending.push([...command]);
  }

  /** Runs what is pending, in one process where it fits, after everything that runs already. */
  flush(): Promise<void> {
    const commands = this.#pending;
    this.#pending = [];
    return this.#after(async () => {
      for (const args of chains(commands)) await runXdotool(this.xDisplay, args);
    });
  }

  /** Runs what is pending, then one process of its own, and returns what it prints. */
  run(args: readonly string[], stdin?: string): Promise<string> {
    const flushed = this.flush();
    return this.#after(async () => {
      await flushed;
      return await runXdotool(this.xDisplay, args, stdin);
    });
  }

  /** An error belongs to the caller whose commands failed; those behind go on. */
  #after<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

function chains(commands: readonly string[][]): string[][] {
  const result: string[][] = [];
  for (const command of commands) {
    const last = result.at(-1);
    if (last !== undefined && last.length + command.length <= ARGUMENTS_PER_PROCESS) {
      last.push(...command);
    } else {
      result.push([...command]);
    }
  }
  return result;
}
