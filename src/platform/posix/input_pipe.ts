/** The input pipe of a child process: written without waiting, and droppable at any time. */

import { within } from "../../core/deadline.ts";
import { tryTo } from "../../core/errors.ts";
import type { CommandInput } from "../types/mod.ts";

/** An input that can be dropped together with its unread bytes. */
export interface DroppableInput extends CommandInput {
  drop(): void;
}

/** Bytes written before other work gets a turn. */
const BYTES_PER_WRITE = 2 ** 20;
/**
 * First and longest pause before a full pipe is tried again: the system does not report here that
 * it has room.
 */
const FIRST_BACKOFF_MS = 1;
const MAX_BACKOFF_MS = 100;

/** The empty line that the child waits for before it reads its input. */
const GO = new Uint8Array([10]);

/**
 * Takes over the input of a child that waits for an empty line before it starts. Deno's own stream
 * is used only where the pipe cannot be opened a second time: an unfinished write to the stream
 * cannot be cancelled.
 */
export function takeInput(child: Deno.ChildProcess, openPipe: OpenPipe): DroppableInput {
  const pipe = openPipe(child.pid);
  if (pipe === undefined) return new StreamInput(child.stdin);
  child.stdin.close().catch(() => {});
  return new PipeInput(pipe);
}

class PipeInput implements DroppableInput {
  #goOn: (() => void) | undefined;

  constructor(private readonly pipe: Pipe) {
    tryTo(() => pipe.write(GO)); // where it has already ended, its status reports that
  }

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    let pauseMs = FIRST_BACKOFF_MS;
    for (let done = 0;;) {
      const written = this.pipe.write(bytes.subarray(done, done + BYTES_PER_WRITE));
      done += written;
      if (done === bytes.length) return;
      if (written > 0) pauseMs = FIRST_BACKOFF_MS;
      const woken = Promise.withResolvers<void>();
      this.#goOn = woken.resolve;
      await within(woken.promise, pauseMs);
      pauseMs = Math.min(pauseMs * 2, MAX_BACKOFF_MS);
    }
  }

  close(): Promise<void> {
    this.drop();
    return Promise.resolve();
  }

  drop(): void {
    this.pipe.close();
    this.#goOn?.();
  }
}

class StreamInput implements DroppableInput {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
    this.write(GO).catch(() => {}); // it has already ended: its status reports that
  }

  write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#writer.write(bytes);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  drop(): void {
    this.#writer.abort().catch(() => {});
  }
}

// The input pipe of a process, opened a second time for non-blocking writes where possible.

export interface Pipe {
  /**
   * Writes as many bytes as fit and returns their number.
   * @throws Error when no process reads the pipe.
   */
  write(bytes: Uint8Array<ArrayBuffer>): number;
  close(): void;
}

/** `undefined` when the input of the process cannot be opened. */
export type OpenPipe = (pid: number) => Pipe | undefined;
