/** One command on Windows: output and errors in the order in which we hear of them, and `taskkill` for its tree. */

import { CommandOutput } from "../command_output.ts";
import type { Command, CommandInput } from "../types.ts";

export class WindowsCommand implements Command {
  readonly pid: number;
  readonly ended: Promise<number>;
  readonly input: CommandInput | undefined;
  readonly #outputs: readonly CommandOutput[];
  readonly #reading = new Map<CommandOutput, Promise<Chunk>>();
  #alive = true;

  constructor(child: Deno.ChildProcess, { input }: { readonly input: boolean }) {
    this.pid = child.pid;
    this.ended = child.status.then(({ code }) => code);
    this.ended.then(() => this.#alive = false);
    this.input = input ? child.stdin.getWriter() : undefined;
    this.#outputs = [new CommandOutput(child.stdout), new CommandOutput(child.stderr)];
  }

  async read(): Promise<Uint8Array | undefined> {
    while (true) {
      const open = this.#outputs.filter((output) => !output.ended);
      if (open.length === 0) return undefined;
      const { from, bytes } = await Promise.race(open.map((output) => this.#nextOf(output)));
      this.#reading.delete(from);
      if (bytes !== undefined) return bytes;
    }
  }

  /** Of the shell alone: the system does not tell who it has started. */
  isAlive(): Promise<boolean> {
    return Promise.resolve(this.#alive);
  }

  async gone(): Promise<void> {
    await this.ended;
  }

  async signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (!this.#alive) return;
    // only a program with a window can be asked to end
    const force = signal === "SIGKILL" ? ["/F"] : [];
    await new Deno.Command("taskkill", {
      args: ["/PID", String(this.pid), "/T", ...force],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().status;
  }

  async close(): Promise<void> {
    this.input?.close().catch(() => {}); // it may be closed, or its reader gone
    await Promise.all(this.#outputs.map((output) => output.close()));
  }

  /** A read that goes on until it is taken. */
  #nextOf(output: CommandOutput): Promise<Chunk> {
    const reading = this.#reading.get(output) ??
      output.read().then((bytes) => ({ from: output, bytes }));
    this.#reading.set(output, reading);
    return reading;
  }
}

interface Chunk {
  readonly from: CommandOutput;
  readonly bytes: Uint8Array | undefined;
}
