/** Runs a program of macOS to its end: never through a shell, killed when it hangs, its words never passed on to a log. */

import { ServiceError } from "../../core/errors.ts";

export interface ProgramRun {
  /** Its path, or a name on PATH. */
  readonly program: string;
  /** Visible to every user of the computer: never a typed text or a secret. */
  readonly args: readonly string[];
  /** What it reads; nothing when it is absent. */
  readonly stdin?: string;
  /** The program is killed after this. */
  readonly timeoutMs: number;
  /** Gives it a moment to finish, then kills it: killed in the middle of a stroke it would leave a key down. */
  readonly signal?: AbortSignal;
}

export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How long a program that is to stop may go on. */
const END_MS = 1_000;

/**
 * @throws ServiceError `unavailable` when it is not there or hangs, and the reason of `signal` when
 * that has killed it.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramResult> {
  const child = start(run);
  using end = endWhenDue(child, run);
  const ended = Promise.all([child.output(), feed(child, run.stdin)]);
  // what a wrapper script has started holds its output open when the script is killed
  const [{ code, stdout, stderr }] = await Promise.race([ended, end.killed]);
  if (end.why !== undefined) throw end.why;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** The file name of a program. */
export function nameOf(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

function start({ program, args, stdin }: ProgramRun): Deno.ChildProcess {
  try {
    return new Deno.Command(program, {
      args: [...args],
      // pbcopy and pbpaste take text for ASCII without it
      env: { LC_ALL: "en_US.UTF-8" },
      stdin: stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (cause) {
    const state = cause instanceof Deno.errors.NotFound ? "is not there" : "cannot be started";
    throw new ServiceError("unavailable", `Cannot run "${nameOf(program)}": it ${state}`, {
      cause,
    });
  }
}

interface End extends Disposable {
  /** Why it was killed. */
  readonly why: unknown;
  /** Rejects with that when it has ended, whatever became of its output. */
  readonly killed: Promise<never>;
}

function endWhenDue(child: Deno.ChildProcess, { program, timeoutMs, signal }: ProgramRun): End {
  let why: unknown;
  const killed = Promise.withResolvers<never>();
  const killFor = (reason: unknown) => {
    why ??= reason;
    kill(child);
    child.status.finally(() => killed.reject(why));
  };
  const late = `Cannot go on: "${nameOf(program)}" has not ended within ${timeoutMs} ms`;
  const timers = [
    setTimeout(() => killFor(new ServiceError("unavailable", late)), timeoutMs),
  ];
  const stop = () => timers.push(setTimeout(() => killFor(signal?.reason), END_MS));
  signal?.addEventListener("abort", stop, { once: true });
  return {
    get why() {
      return why;
    },
    killed: killed.promise,
    [Symbol.dispose]() {
      signal?.removeEventListener("abort", stop);
      timers.forEach(clearTimeout);
    },
  };
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // it has ended meanwhile
  }
}

/** A program that ends early closes its pipe; its exit code tells why. */
async function feed(child: Deno.ChildProcess, text: string | undefined): Promise<void> {
  if (text === undefined) return;
  const writer = child.stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
