/** One run of Xvfb: ready when it accepts connections, and ended with the service however that ends. */

import { admitUser, createCookie } from "./x_access.ts";

export interface XvfbOptions {
  /** `1280x800`. */
  readonly size: string;
  /** The X display to be (`:7`); without it the next free number. */
  readonly display?: string;
  readonly uid: number;
}

export interface XvfbProcess {
  /** `:7`. */
  readonly display: string;
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the server and waits until it is gone. */
  end(): Promise<void>;
}

/**
 * Runs the server as a child that dies with us. The standard input of this script is a pipe whose
 * other end only the service holds: the system closes it when the service ends, even by SIGKILL,
 * and then the script ends the server. It keeps no process group or terminal of ours, so that Ctrl+C
 * reaches the service alone.
 */
const SUPERVISED = `
exec 3<&0
"$@" </dev/null 2>/dev/null 3<&- &
server=$!
{ read -r _ <&3; kill "$server"; sleep 2; kill -KILL "$server"; } >/dev/null 2>&1 &
watcher=$!
exec 3<&- >/dev/null
wait "$server"
code=$?
kill "$watcher"
exit "$code"
`;

/** How long an ended server may take before it is killed. */
const END_MS = 3_000;

/** @throws Error when the server does not start. */
export async function startXvfb({ size, display, uid }: XvfbOptions): Promise<XvfbProcess> {
  using cookie = createCookie();
  const child = new Deno.Command("/bin/sh", {
    args: [
      ...["-c", SUPERVISED, "sh", "Xvfb", ...(display === undefined ? [] : [display])],
      ...["-displayfd", "1", "-screen", "0", `${size}x24`, "-auth", cookie.path],
      ...["-noreset", "-nolisten", "tcp"],
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    detached: true,
  }).spawn();
  const process = { child, ended: child.status.then(() => {}) };
  try {
    const number = await firstLine(child.stdout);
    if (!/^\d+$/.test(number)) throw new Error("Xvfb ended before it was ready");
    // The server has read the cookie when the first client has connected with it.
    await admitUser(`:${number}`, cookie, uid);
    return { display: `:${number}`, ended: process.ended, end: () => end(process) };
  } catch (error) {
    await end(process);
    throw error;
  }
}

interface Running {
  readonly child: Deno.ChildProcess;
  readonly ended: Promise<void>;
}

async function end({ child, ended }: Running): Promise<void> {
  await child.stdin.close().catch(() => {});
  const timer = setTimeout(() => killGroup(child.pid), END_MS);
  await ended;
  clearTimeout(timer);
}

function killGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.trim();
}
