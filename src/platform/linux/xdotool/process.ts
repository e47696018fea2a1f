/** Runs the xdotool program: never through a shell, texts by standard input only. */

import { ServiceError } from "../../../core/errors.ts";

/** How long a process that is to stop may go on: long enough to release what it presses and to put the map back. */
const END_MS = 1_000;

/** One process: a chain of commands, and what it reads. */
export interface XdotoolProcess {
  readonly args: readonly string[];
  readonly stdin?: string;
}

/**
 * Runs one process and returns what it printed.
 * @throws the reason of `signal` when that ends the process, else ServiceError `unavailable`.
 */
export async function runXdotool(
  xDisplay: string,
  process: XdotoolProcess,
  signal: AbortSignal,
): Promise<string> {
  const { code, stdout } = await output(xDisplay, process, signal);
  if (code === 0) return new TextDecoder().decode(stdout);
  signal.throwIfAborted();
  // What it says is left out: it may quote what was typed.
  throw new ServiceError(
    "unavailable",
    `xdotool cannot control the X display "${xDisplay}" (it ended with ${code}): ` +
      `check that its X server runs, or use --input-driver x11`,
  );
}

async function output(
  xDisplay: string,
  { args, stdin }: XdotoolProcess,
  signal: AbortSignal,
): Promise<Deno.CommandOutput> {
  try {
    const child = new Deno.Command("xdotool", {
      args: [...args],
      // Without a UTF-8 locale it refuses every character beyond ASCII.
      env: { DISPLAY: xDisplay, LC_ALL: "C.UTF-8" },
      stdin: stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "null",
      detached: true,
    }).spawn();
    using _ = endOnAbort(child, signal);
    if (stdin !== undefined) await send(child, stdin);
    return await child.output();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new ServiceError(
      "unavailable",
      "xdotool is not installed: run sudo apt-get install -y xdotool, or use --input-driver x11",
      { cause: error },
    );
  }
}

/** Killed in the middle of a stroke it would leave the key down, so it gets the time to finish. */
function endOnAbort(child: Deno.ChildProcess, signal: AbortSignal): Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => timer = setTimeout(() => kill(child), END_MS);
  signal.addEventListener("abort", end, { once: true });
  return {
    [Symbol.dispose]() {
      signal.removeEventListener("abort", end);
      clearTimeout(timer);
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

/** A process that ends early closes its pipe; its exit code tells why. */
async function send(child: Deno.ChildProcess, text: string): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
