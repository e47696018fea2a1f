/** Runs the xdotool program: never through a shell, texts by standard input only. */

import { ServiceError } from "../../../errors.ts";

/** Runs one process with a chain of commands and returns what it printed. */
export async function runXdotool(
  xDisplay: string,
  args: readonly string[],
  stdin?: string,
): Promise<string> {
  const { code, stdout } = await output(xDisplay, args, stdin);
  if (code === 0) return new TextDecoder().decode(stdout);
  // What it says is left out: it may quote what was typed.
  throw new ServiceError(
    "unavailable",
    `xdotool cannot control the X display "${xDisplay}" (it ended with ${code}): ` +
      `check that its X server runs, or use --input-driver x11`,
  );
}

async function output(
  xDisplay: string,
  args: readonly string[],
  stdin: string | undefined,
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
