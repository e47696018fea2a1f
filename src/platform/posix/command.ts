/** One command on Linux and macOS: a child process, its output and its group. */

import { CommandOutput } from "../command_output.ts";
import type { Command, CommandInput } from "../types/mod.ts";
import { waitForExit } from "./wait_for_exit.ts";
import { type DroppableInput, takeInput } from "./input_pipe.ts";
import type { OpenPipe } from "./pipe.ts";
import { ProcessGroup, type ProcessTable } from "./process_group.ts";

export interface PosixCommandOptions {
  readonly table: ProcessTable | undefined;
  /** Whether the command has an input that we write to. */
  readonly input: boolean;
  /** Called when the command is released. */
  readonly onClose: () => void;
  readonly openPipe: OpenPipe;
}

export class PosixCommand implements Command {
  readonly pid: number;
  readonly ended: Promise<number>;
  readonly #input: DroppableInput | undefined;
  readonly #output: CommandOutput;
  readonly #group: ProcessGroup;
  readonly #onClose: () => void;

  constructor(child: Deno.ChildProcess, { table, input, onClose, openPipe }: PosixCommandOptions) {
    this.pid = child.pid;
    this.ended = waitForExit(child);
    this.#input = input ? takeInput(child, openPipe) : undefined;
    this.#output = new CommandOutput(child.stdout);
    this.#group = new ProcessGroup(child.pid, this.ended, table);
    this.#onClose = onClose;
  }

  get input(): CommandInput | undefined {
    return this.#input;
  }

  async read(): Promise<Uint8Array | undefined> {
    const bytes = await this.#output.read();
    if (bytes === undefined) this.#group.hurry();
    return bytes;
  }

  isAlive(): Promise<boolean> {
    return this.#group.isAlive({ outputOpen: !this.#output.ended });
  }

  holds(pid: number): Promise<boolean> {
    return this.#group.holds(pid);
  }

  gone(): Promise<void> {
    return this.#group.gone();
  }

  signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    return this.#group.signal(signal);
  }

  async close(): Promise<void> {
    this.#onClose();
    this.#input?.drop();
    await this.#output.close();
  }
}
