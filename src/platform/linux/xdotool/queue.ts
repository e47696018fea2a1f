/** The commands that were sent and the processes that run them, one after the other and in the order of sending. */

import { ServiceError } from "../../../core/errors.ts";
import { runXdotool, type XdotoolProcess } from "./process.ts";

/** Arguments of one process; the system's bound is far above. */
const ARGUMENTS_PER_PROCESS = 4_000;

export class CommandQueue implements AsyncDisposable {
  /** The commands that the next process gets, until it starts. */
  #chain: string[][] | undefined;
  /** Settles when everything that was sent so far has run. */
  #last: Promise<unknown> = Promise.resolve();
  /** Chains that still run, and those that failed before anybody waited for them. */
  readonly #unconfirmed = new Set<Promise<unknown>>();
  #stop = new AbortController();

  constructor(private readonly xDisplay: string) {}

  /** Sends a command: at the next microtask, so that a pause that follows is one, or behind what runs. */
  add(...command: readonly string[]): void {
    if (this.#chain === undefined) this.#startChain();
    this.#chain!.push([...command]);
  }

  /**
   * Resolves when everything that was sent so far has run.
   * @throws ServiceError of what failed since the last confirmation.
   */
  async confirm(): Promise<void> {
    const sent = [...this.#unconfirmed];
    const [outcomes] = await Promise.all([Promise.allSettled(sent), this.#last]);
    for (const chain of sent) this.#unconfirmed.delete(chain);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** Runs processes of their own after everything that was sent, and returns what the last one prints. */
  run(...processes: readonly XdotoolProcess[]): Promise<string> {
    this.#chain = undefined; // what is sent from now on comes later
    return this.#enqueue(() => processes);
  }

  /** Drops what has not started, ends what runs, and resolves when all is quiet. */
  async drop(): Promise<void> {
    const stop = this.#stop;
    if (!stop.signal.aborted) this.#stop = new AbortController(); // else it was disposed, and stays so
    const reason = "Dropped: all input was released meanwhile";
    await this.#end(stop, new ServiceError("conflict", reason));
  }

  /** The same, and nothing runs from now on. */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = `The connection to the X display "${this.xDisplay}" was closed: try again`;
    await this.#end(this.#stop, new ServiceError("unavailable", reason));
  }

  #startChain(): void {
    const commands: string[][] = this.#chain = [];
    const done = this.#enqueue(() => {
      if (this.#chain === commands) this.#chain = undefined;
      return chained(commands);
    });
    this.#unconfirmed.add(done);
    done.then(() => this.#unconfirmed.delete(done), () => {}); // a failure is kept for confirm()
  }

  /** An error belongs to the caller whose processes failed; those behind go on. */
  #enqueue(processes: () => readonly XdotoolProcess[]): Promise<string> {
    const { signal } = this.#stop;
    const result = this.#last.then(async () => {
      let printed = "";
      for (const process of processes()) {
        signal.throwIfAborted();
        printed = await runXdotool(this.xDisplay, process, signal);
      }
      return printed;
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #end(stop: AbortController, reason: ServiceError): Promise<void> {
    this.#chain = undefined;
    this.#unconfirmed.clear();
    stop.abort(reason);
    await this.#last;
  }
}

function chained(commands: readonly string[][]): XdotoolProcess[] {
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
