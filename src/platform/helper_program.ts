/**
 * Runs a helper program to its end: without a shell, killed if it hangs, its output never logged.
 */

import { tryTo } from "../core/errors.ts";
import { thisHost } from "./host.ts";
import type { Parts } from "./types/mod.ts";

export interface HelperRun {
  /** Its path, or a name on PATH. */
  readonly program: string;
  /** Visible to every user of the computer: never text to type, never a secret. */
  readonly args: readonly string[];
  /** Added to the environment, which other programs can read too. */
  readonly env?: Readonly<Record<string, string>>;
  /** For its standard input; empty when absent. */
  readonly stdin?: string | Parts;
  /** The program is killed after this time; no limit by default. */
  readonly timeoutMs?: number;
  /**
   * Aborting kills the program, but only after {@link EXIT_TIMEOUT_MS}: an immediate kill in the middle of a
   * stroke would leave a key down.
   */
  readonly signal?: AbortSignal;
  /** In a process group of its own, which Ctrl+C does not reach. */
  readonly detached?: boolean;
  /** The error for a program that could not be used. */
  failure(state: HelperFailure, cause?: unknown): unknown;
}

export type HelperFailure = "not installed" | "not started" | "late";

export interface HelperResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Its standard output as it came. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Time that an aborted program gets to finish by itself, in milliseconds. */
const EXIT_TIMEOUT_MS = 1_000;

/** @throws the error of `failure`; the reason of `signal` when an abort killed the program. */
export async function runHelper(run: HelperRun): Promise<HelperResult> {
  const child = start(run);
  using end = endWhenDue(child, run);
  const ended = Promise.all([child.output(), feed(child, run.stdin)]);
  // a killed program's own children may still hold its output open
  const [{ code, stdout, stderr }] = await Promise.race([ended, end.killed]);
  if (end.why !== undefined) throw end.why;
  const decoder = new TextDecoder();
  return {
    code,
    get stdout() {
      return decoder.decode(stdout);
    },
    stderr: decoder.decode(stderr),
    bytes: stdout,
  };
}

function start(
  { program, args, env = {}, stdin, detached = false, failure }: HelperRun,
): Deno.ChildProcess {
  const options = {
    env: { ...env },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  } as const;
  try {
    if (detached) return spawnInSession([program, ...args], options);
    return new Deno.Command(program, { ...options, args: [...args] }).spawn();
  } catch (cause) {
    const isMissing = cause instanceof Deno.errors.NotFound;
    throw failure(isMissing ? "not installed" : "not started", cause);
  }
}

/** The path of setsid(1): empty on macOS, and where util-linux is not installed. */
let setsid: string | undefined;

/**
 * Starts a program in a session and a process group of its own, which Ctrl+C in the terminal does not reach. By
 * setsid(1) where that is installed: `detached` copies the page tables of the service, which holds up the main thread
 * for 3 ms for each 100 MB of its memory. The group is there a moment later: end it by `killSession`.
 * @param command the program by name or by path, and its arguments
 * @throws as Deno.Command does: Deno.errors.NotFound when the program is not installed
 */
export function spawnInSession(
  [program, ...args]: readonly [string, ...string[]],
  options: Omit<Deno.CommandOptions, "args" | "detached">,
): Deno.ChildProcess {
  const host = thisHost();
  setsid ??= host.which("setsid") ?? "";
  const path = setsid === "" ? undefined : host.which(program);
  const [first, all, detached] = path === undefined
    ? [program, args, true]
    : [setsid, [path, ...args], false];
  return new Deno.Command(first, { ...options, args: all, detached }).spawn();
}

function endWhenDue(child: Deno.ChildProcess, { timeoutMs, signal, failure }: HelperRun) {
  let why: unknown;
  const killed = Promise.withResolvers<never>();
  const timers: ReturnType<typeof setTimeout>[] = [];
  const killAfter = (ms: number, reason: () => unknown) => {
    timers.push(setTimeout(() => {
      why ??= reason();
      killChild(child);
      child.status.finally(() => killed.reject(why));
    }, ms));
  };
  const stop = () => killAfter(EXIT_TIMEOUT_MS, () => signal?.reason);
  if (timeoutMs !== undefined) killAfter(timeoutMs, () => failure("late"));
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  return {
    /** The error to throw, once the program has been killed. */
    get why() {
      return why;
    },
    /** Rejects with it when the killed program has ended, even if its output is still open. */
    killed: killed.promise,
    [Symbol.dispose]() {
      signal?.removeEventListener("abort", stop);
      timers.forEach(clearTimeout);
    },
  };
}

/** Unlike a signal to its id, this never reaches a later process of the same number. */
export function killChild(child: Deno.ChildProcess): void {
  tryTo(() => child.kill("SIGKILL")); // it may have ended already
}

/** A program that ends early closes its pipe; its exit code says why. */
async function feed(child: Deno.ChildProcess, input: string | Parts | undefined): Promise<void> {
  if (input === undefined) return;
  const parts = typeof input === "string" ? [new TextEncoder().encode(input)] : input;
  const writer = child.stdin.getWriter();
  try {
    for (const part of parts) await writer.write(part);
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

// Reads the output of a child process into one reused buffer.

const BUFFER_BYTES = 64 * 1024;

export class CommandOutput {
  readonly #reader: ReadableStreamBYOBReader;
  #buffer = new ArrayBuffer(0);
  #ended = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader({ mode: "byob" });
  }

  /** Whether the write end is closed, or we have stopped reading. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The next bytes, valid until the next call; `undefined` at the end. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined;
    if (this.#buffer.byteLength === 0) this.#buffer = new ArrayBuffer(BUFFER_BYTES);
    try {
      const { done, value } = await this.#reader.read(new Uint8Array(this.#buffer));
      if (!done) {
        this.#buffer = value.buffer;
        return value;
      }
    } catch {
      // a read error counts as the end of the pipe
    }
    this.#ended = true;
    return undefined;
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#reader.cancel().catch(() => {});
  }
}

// What a program that runs on writes, which is kept for the message about its end.

/** How such a program is started: with pipes to it. */
export const PIPED = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;

/** Characters that are kept. */
const TAIL = 8_192;

/** Reads to the end, so that no program waits for a full pipe, and keeps the last characters. */
export function captureTail(stream: ReadableStream<Uint8Array>) {
  let text = "";
  const decoder = new TextDecoder();
  async function read(): Promise<void> {
    for await (const chunk of stream) {
      text = (text + decoder.decode(chunk, { stream: true })).slice(-TAIL);
    }
  }
  const ended = read().catch(() => {}); // the pipe broke: keep what was read
  return {
    get text() {
      return text;
    },
    /** Resolves when nothing more can come. */
    ended,
  };
}
