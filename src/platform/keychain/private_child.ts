/** Runs a program that handles secrets: they go in by its standard input, and nothing it says is logged or quoted. */

import { ServiceError } from "../../core/errors.ts";

export interface PrivateRun {
  readonly program: string;
  /** Visible to every user of the computer. */
  readonly args: readonly string[];
  /** Added to the environment, which is visible, too. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The program is killed after this: it may wait for a person. */
  readonly timeoutMs: number;
}

export interface PrivateResult {
  readonly code: number;
  readonly stdout: string;
  /** Whether it complained. */
  readonly complained: boolean;
}

/** @throws ServiceError `unavailable` when it is not installed or takes too long. */
export async function runPrivately(run: PrivateRun): Promise<PrivateResult> {
  const { program, timeoutMs } = run;
  const child = start(run);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    kill(child);
    // not when its output ends: something that it has started may hold that open
    late.reject(unavailable(program, `has not answered within ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    return await Promise.race([converse(child, run.stdin), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function converse(child: Deno.ChildProcess, text: string | undefined) {
  const [{ code, stdout, stderr }] = await Promise.all([child.output(), feed(child, text)]);
  return {
    code,
    stdout: new TextDecoder().decode(stdout),
    complained: stderr.byteLength > 0,
  };
}

function start({ program, args, env = {}, stdin }: PrivateRun): Deno.ChildProcess {
  try {
    return new Deno.Command(program, {
      args: [...args],
      env: { ...env },
      stdin: stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw unavailable(program, "is not installed");
    throw unavailable(program, "cannot be started");
  }
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended meanwhile.
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

function unavailable(program: string, state: string): ServiceError {
  return new ServiceError("unavailable", `Cannot use the keychain: "${program}" ${state}`);
}
