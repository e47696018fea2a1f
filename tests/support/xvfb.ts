/**
 * Starts a real X server without a screen (Xvfb), for one test. Its number is one of thousands: tests run
 * side by side, and the number of a server that was killed must stay free until it is started again.
 */

import { lineReader } from "./lines.ts";

const MAX_ATTEMPTS = 5;

export interface XvfbOptions {
  /** `1280x800`. */
  readonly size?: string;
  /** Bits per pixel of the root window: 8, 16, 24 or 30. */
  readonly depth?: number;
  /** More arguments for Xvfb. */
  readonly args?: readonly string[];
  /** A program that starts it: `["unshare", "--ipc"]`. */
  readonly through?: readonly string[];
  /** The number to take (to start a killed server again); without it one that is free. */
  readonly display?: string;
}

export interface Xvfb extends AsyncDisposable {
  /** `:7`. */
  readonly display: string;
  readonly pid: number;
  /** Kills the server at once, as a crash does, and waits until it is gone. */
  kill(): Promise<void>;
}

export async function startXvfb(options: XvfbOptions = {}): Promise<Xvfb> {
  if (options.display !== undefined) return await startOn(options.display, options);
  for (let attempt = 1;; attempt++) {
    try {
      return await startOn(anyNumber(), options);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error; // else the number was probably taken
    }
  }
}

/** Above what people and other programs use; its TCP port is below those of outgoing connections. */
function anyNumber(): string {
  return `:${1_000 + Math.floor(Math.random() * 25_000)}`;
}

async function startOn(display: string, options: XvfbOptions): Promise<Xvfb> {
  const { size = "1280x800", depth = 24, args = [] } = options;
  const [program, ...before] = [...(options.through ?? []), "Xvfb"];
  const child = new Deno.Command(program!, {
    args: [
      ...before,
      ...[
        display,
        "-displayfd",
        "1",
        "-screen",
        "0",
        `${size}x${depth}`,
        "-noreset",
        "-nolisten",
        "tcp",
      ],
      ...args,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const number = await lineReader(child.stdout).next();
  if (number === undefined) {
    const { code } = await child.status;
    throw new Error(`Xvfb did not start: it ended with ${code}`);
  }
  const end = async (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended already
    }
    await child.status;
  };
  return {
    display: `:${number.trim()}`,
    pid: child.pid,
    kill: () => end("SIGKILL"),
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  };
}
