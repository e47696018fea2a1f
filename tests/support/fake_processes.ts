/** Commands that end at once, or run until they are ended or their input is closed. */

import { encodeText } from "../../src/core/texts.ts";
import type { Command, CommandLine, Processes } from "../../src/platform/types/mod.ts";

export class FakeProcesses implements Processes {
  readonly home = "/nonexistent/home";
  readonly opener = ["opener"];
  /** By number; those that run. */
  readonly running = new Map<number, FakeCommand>();
  #last = 100;

  /** `sleep` runs on; every other command writes its own text and ends. */
  start({ command, input }: CommandLine): Command {
    const pid = ++this.#last;
    const end = () => this.running.delete(pid);
    const started = new FakeCommand(pid, { text: `${command}\n`, hasInput: input, end });
    this.running.set(pid, started);
    if (command !== "sleep") started.exit(0);
    return started;
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const command of this.running.values()) command.exit(137);
    return Promise.resolve();
  }
}

interface FakeCommandOptions {
  readonly text: string;
  readonly hasInput: boolean;
  readonly end: () => void;
}

class FakeCommand implements Command {
  readonly input: Command["input"];
  readonly #exit = Promise.withResolvers<number>();
  readonly ended = this.#exit.promise;
  #isAlive = true;
  #output: Uint8Array[];

  constructor(readonly pid: number, private readonly options: FakeCommandOptions) {
    this.#output = [...encodeText(options.text)];
    this.input = !options.hasInput ? undefined : {
      write: () => Promise.resolve(),
      close: () => Promise.resolve(this.exit(0)),
    };
  }

  exit(code: number): void {
    this.#isAlive = false;
    this.options.end();
    this.#exit.resolve(code);
  }

  async read(): Promise<Uint8Array | undefined> {
    const bytes = this.#output.shift();
    if (bytes === undefined) await this.ended;
    return bytes;
  }

  isAlive(): Promise<boolean> {
    return Promise.resolve(this.#isAlive);
  }

  holds(pid: number): Promise<boolean> {
    return Promise.resolve(this.#isAlive && pid === this.pid);
  }

  async gone(): Promise<void> {
    await this.ended;
  }

  signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    this.exit(signal === "SIGTERM" ? 143 : 137);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
