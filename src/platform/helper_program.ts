/** Runs a helper program to its end: never through a shell, killed when it hangs, its words never passed on to a log. */

export interface HelperRun {
  /** Its path, or a name on PATH. */
  readonly program: string;
  /** Visible to every user of the computer: never a typed text or a secret. */
  readonly args: readonly string[];
  /** Added to the environment, which is visible, too. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads; nothing when it is absent. */
  readonly stdin?: string;
  /** The program is killed after this; it may take any time where it is left out. */
  readonly timeoutMs?: number;
  /** Gives it a moment to finish, then kills it: killed in the middle of a stroke it would leave a key down. */
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
}

/** How long a program that is to stop may go on, in milliseconds. */
const END_MS = 1_000;

/** @throws what `failure` makes; the reason of `signal` when that has killed it. */
export async function runHelper(run: HelperRun): Promise<HelperResult> {
  const child = start(run);
  using end = endWhenDue(child, run);
  const ended = Promise.all([child.output(), feed(child, run.stdin)]);
  // what it has started itself may hold its output open when it is killed
  const [{ code, stdout, stderr }] = await Promise.race([ended, end.killed]);
  if (end.why !== undefined) throw end.why;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

function start(
  { program, args, env = {}, stdin, detached = false, failure }: HelperRun,
): Deno.ChildProcess {
  try {
    return new Deno.Command(program, {
      args: [...args],
      env: { ...env },
      stdin: stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
      detached,
    }).spawn();
  } catch (cause) {
    const isMissing = cause instanceof Deno.errors.NotFound;
    throw failure(isMissing ? "not installed" : "not started", cause);
  }
}

interface End extends Disposable {
  /** Why it was killed. */
  readonly why: unknown;
  /** Rejects with that when it has ended, whatever became of its output. */
  readonly killed: Promise<never>;
}

function endWhenDue(child: Deno.ChildProcess, { timeoutMs, signal, failure }: HelperRun): End {
  let why: unknown;
  const killed = Promise.withResolvers<never>();
  const timers: ReturnType<typeof setTimeout>[] = [];
  const killAfter = (ms: number, reason: () => unknown) => {
    timers.push(setTimeout(() => {
      why ??= reason();
      kill(child);
      child.status.finally(() => killed.reject(why));
    }, ms));
  };
  const stop = () => killAfter(END_MS, () => signal?.reason);
  if (timeoutMs !== undefined) killAfter(timeoutMs, () => failure("late"));
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
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
