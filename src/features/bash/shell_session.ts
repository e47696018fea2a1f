/**
 * A shell that keeps its folder, variables and functions from one command to the next. It reads
 * commands from its input, each quoted as one word for `eval`, so that no unbalanced quote can
 * swallow what follows. After each command it writes a mark with the exit code.
 */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { omissionMark, quoteForShell } from "../../core/texts.ts";
import type { Context } from "../context.ts";
import type { ManagedProcess } from "./managed_process.ts";
import { executeCommand } from "./execute_command.ts";
import { Shell } from "./shell.ts";

export interface ShellCommandResult {
  /** What the command wrote; the middle of a long text is left out. */
  readonly output: string;
  /**
   * `ended`: the shell itself has ended, by `exit` for example; `timed_out`: it was ended because
   * the command took too long.
   */
  readonly status: "completed" | "ended" | "timed_out";
  /** Of the command, or of the shell when that has ended. */
  readonly exitCode: number | undefined;
  /** Why the output may contain stored values; `undefined` if it cannot. */
  readonly redactionGap: string | undefined;
}

interface SessionOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Starts a shell that takes commands from its input. */
  launch(): Promise<ManagedProcess>;
}

/**
 * Keeps the output of the shell as descriptor 9, so that marks arrive even after `exec >file`. The
 * commands themselves do not get it.
 */
const PREPARE = "exec 9>&1\n";

class ShellSession {
  readonly #order = new Semaphore({ capacity: 1 });
  #process: ManagedProcess | undefined;
  /** Where the output continues that no command has returned yet. */
  #offset = 0;
  /** Output after the last mark: of a process in the background. */
  #remainder = "";

  /**
   * Runs a command, after all earlier ones; starts the shell if there is none.
   * @throws what `launch` throws; the reason of the signal
   */
  async run(command: string, options: SessionOptions): Promise<ShellCommandResult> {
    using _permit = await this.#order.acquire(options.signal);
    const process = await this.#start(options);
    const mark = `${MARK}${crypto.randomUUID()} `; // the exit code and `MARK` follow
    process.input!.write(toScript(command, mark));
    try {
      const ended = await this.#follow(process, mark, options);
      return { ...ended, redactionGap: process.redactionGap };
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  /** Ends the shell and everything that it has started, also a command that still runs. */
  async restart(signal: AbortSignal): Promise<void> {
    await this.#process?.terminate();
    using _permit = await this.#order.acquire(signal);
    await this.#end();
  }

  async #start({ launch }: SessionOptions): Promise<ManagedProcess> {
    if (this.#process !== undefined && this.#process.exitCode === undefined) return this.#process;
    this.#forget();
    const process = this.#process = await launch();
    process.writesMarks = true;
    process.input!.write(PREPARE);
    return process;
  }

  async #follow(
    process: ManagedProcess,
    mark: string,
    { timeoutMs, signal }: SessionOptions,
  ): Promise<Omit<ShellCommandResult, "redactionGap">> {
    const deadline = performance.now() + timeoutMs;
    const output = new BoundedText(this.#remainder);
    this.#remainder = "";
    for (;;) {
      const { change } = process;
      const hasEnded = process.exitCode !== undefined;
      if (hasEnded) await process.answered; // the rest of its output has been read then
      output.add(await this.#read(process));
      const found = output.cutAt(mark);
      if (found !== undefined) {
        const [exitCode, rest] = splitMark(found);
        this.#remainder = rest;
        return { output: output.toString(), status: "completed", exitCode };
      }
      if (hasEnded) {
        this.#forget(); // what it has left running in the background goes on
        return { output: output.toString(), status: "ended", exitCode: process.exitCode };
      }
      const remaining = deadline - performance.now();
      const changed = await within(Promise.race([change, process.answered]), remaining, signal);
      signal.throwIfAborted();
      if (changed) continue;
      await process.terminate();
      output.add(await this.#read(process));
      this.#forget();
      return { output: output.toString(), status: "timed_out", exitCode: undefined };
    }
  }

  async #read(process: ManagedProcess): Promise<string> {
    const { text, nextOffset } = await process.output.readYielding(this.#offset);
    this.#offset = nextOffset;
    return text;
  }

  async #end(): Promise<void> {
    const process = this.#process;
    this.#forget();
    await process?.terminate();
  }

  #forget(): void {
    this.#process = undefined;
    this.#offset = 0;
    this.#remainder = "";
  }
}

/**
 * One line, because a syntax error in `eval` spoils the shell's reading of the next one. What
 * writes the mark is silent while the shell traces.
 */
function toScript(command: string, mark: string): string {
  const format = `\\036${mark.slice(MARK.length)}%d\\036`;
  return `eval ${quoteForShell(command)} </dev/null 9>&-; ` +
    `{ printf '${format}' "$?" >&9; } 2>/dev/null\n`;
}

/** `0\x1erest` */
function splitMark(found: string): [number, string] {
  const end = found.indexOf(MARK);
  return [Number(found.slice(0, end)), found.slice(end + MARK.length)];
}

// The beginning and the end of a text that arrives in pieces and may be of any length.

/** Characters that are kept of the beginning, and of the end. */
const KEPT = 32_000;
/** Longest mark with what follows it up to its end. */
const MARK_LENGTH = 64;

class BoundedText {
  #head = "";
  #tail = "";
  #leftOut = 0;

  constructor(text = "") {
    this.add(text);
  }

  add(text: string): void {
    const room = KEPT - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail += text.slice(Math.max(0, room));
    // the end stays long enough for a mark that has arrived in part
    const surplus = this.#tail.length - 2 * KEPT - MARK_LENGTH;
    if (surplus > 0) this.#leaveOut(surplus + KEPT);
  }

  /**
   * Ends the text before `mark`, and gives what comes after it; `undefined` while the mark, or the
   * record separator that ends it, has not arrived.
   */
  cutAt(mark: string): string | undefined {
    const text = this.#head + this.#tail;
    const at = text.lastIndexOf(mark);
    if (at < 0 || !text.includes("\x1e", at + mark.length)) return undefined;
    const after = text.slice(at + mark.length);
    this.#head = text.slice(0, Math.min(at, this.#head.length));
    this.#tail = text.slice(this.#head.length, at);
    return after;
  }

  toString(): string {
    if (this.#leftOut === 0 && this.#tail.length <= KEPT) return this.#head + this.#tail;
    const surplus = this.#tail.length - KEPT;
    if (surplus > 0) this.#leaveOut(surplus);
    return `${this.#head}\n${omissionMark(this.#leftOut)}\n${this.#tail}`
      .toWellFormed();
  }

  #leaveOut(count: number): void {
    this.#tail = this.#tail.slice(count);
    this.#leftOut += count;
  }
}

// The shells that keep their state, each under a name.

/** The most that exist at once; for another one, the one that was unused for longest is ended. */
const MAX_SESSIONS = 16;

interface Named {
  readonly session: ShellSession;
  /** How many commands run in it or wait for it. */
  users: number;
}

export class ShellSessions {
  /** In the order of their last use. */
  readonly #sessions = new Map<string, Named>();

  /**
   * Uses the shell of this name, which starts with its first command.
   * @throws ServiceError `unavailable` when there are too many, which are all in use
   */
  async use<T>(name: string, work: (session: ShellSession) => Promise<T>): Promise<T> {
    const used = this.#sessions.get(name) ?? this.#add();
    this.#sessions.delete(name);
    this.#sessions.set(name, used);
    used.users++;
    try {
      return await work(used.session);
    } finally {
      used.users--;
    }
  }

  #add(): Named {
    if (this.#sessions.size >= MAX_SESSIONS) this.#endOldest();
    return { session: new ShellSession(), users: 0 };
  }

  #endOldest(): void {
    for (const [name, { session, users }] of this.#sessions) {
      if (users > 0) continue;
      this.#sessions.delete(name);
      session.restart(new AbortController().signal).catch(() => {}); // it stays listed as a process
      return;
    }
    const message = `${MAX_SESSIONS} shells are in use, the maximum: use one ` +
      "of them, or try again later";
    throw new ServiceError("unavailable", message);
  }
}

// The marks that a {@link ShellSession} has its shell write after each command.

/** Begins and ends a mark; no shell prints it while it traces (`set -x`). */
const MARK = "\x1e";

/** Whole marks, and what a part of the output has of one that was cut. */
const MARKS =
  // deno-lint-ignore no-control-regex -- the character that begins and ends a mark
  /\x1e[0-9a-f-]{36} \d{1,3}\x1e|^(?:[0-9a-f-]{0,36} )?\d{0,3}\x1e|\x1e[0-9a-f-]{0,36}(?: \d{0,3})?$/g;

/** A part of the output of a process as users see it: without marks. */
export function withoutMarks({ writesMarks }: ManagedProcess, text: string): string {
  return writesMarks ? text.replaceAll(MARKS, "") : text;
}

// Starts the shell of a {@link ShellSession}.

/** The shell that runs commands, if it is a bash. */
const COMMAND = 'exec "${BASH:-/bin/sh}"';

/**
 * A shell that takes commands from its input; whoever runs one in it has entered for that.
 * @throws ServiceError as `bash/command` does, `unsupported` on Windows
 */
export async function launchShell(context: Context): Promise<ManagedProcess> {
  const { calls, session, platform } = context;
  if (platform.system === "windows") {
    throw new ServiceError(
      "unsupported",
      "Shells that keep their state are not available on Windows",
    );
  }
  const input = { command: COMMAND, timeout: 0, stdin_open: true };
  calls.prepare("executeCommand", input); // unless a flag forbids commands
  const { process_id } = await executeCommand(context, input);
  return session.use(Shell).find(process_id!);
}
