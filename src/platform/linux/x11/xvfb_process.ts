/**
 * Runs one Xvfb process: ready when it accepts connections, and ended together with the service,
 * however that ends.
 */

import { inTime, within } from "../../../core/deadline.ts";
import { NumberTakenError } from "./display_number.ts";
import { type ProcessIdentity, readIdentity } from "../process_identity.ts";
import { admitUser, createCookie } from "./x_access.ts";

export interface XvfbOptions {
  /** `1280x800`. */
  readonly size: string;
  /** The X display to create: `:99`. */
  readonly display: string;
  readonly uid: number;
  /** How long startup is allowed to take, in milliseconds. */
  readonly startMs?: number;
  /** A program to run instead of Xvfb, with the same arguments. */
  readonly program?: string;
}

export interface XvfbProcess {
  /** `:99`. */
  readonly display: string;
  readonly cookie: string;
  /** The server process, if it can be identified. */
  readonly identity: ProcessIdentity | undefined;
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the server and waits until it is gone. */
  end(): Promise<void>;
}

/**
 * Runs the server as a child that ends with the service. The standard input of this script is a
 * pipe whose other end only the service holds. The kernel closes it when the service ends, even by
 * SIGKILL, and the script then ends the server. The script leaves our process group and our
 * terminal, so that Ctrl+C reaches only the service.
 */
const SUPERVISED = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
echo "process $server"
exec 2>/dev/null
{ read -r _ <&3; kill "$server"; sleep 2; kill -KILL "$server"; } >/dev/null 2>&1 &
watcher=$!
exec 3<&- >/dev/null
wait "$server"
code=$?
kill "$watcher"
exit "$code"
`;

const START_MS = 20_000;
/** How long the server has to end before it is killed. */
const END_MS = 3_000;
/** How many characters of the server's last error output are kept. */
const LAST_WORDS = 2_000;
/** The error output of a server whose display number is taken. */
const TAKEN = /already running|already active/i;

/**
 * @throws NumberTakenError when another server has the display; Error when this one does not start.
 */
export async function startXvfb(options: XvfbOptions): Promise<XvfbProcess> {
  const { size, display, uid, startMs = START_MS, program = "Xvfb" } = options;
  using cookie = createCookie();
  const child = new Deno.Command("/bin/sh", {
    args: [
      ...["-c", SUPERVISED, "sh", program, display, "-displayfd", "1"],
      ...["-screen", "0", `${size}x24`, "-auth", cookie.path, "-noreset", "-nolisten", "tcp"],
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  const process = { child, ended: child.status.then(() => {}) };
  const words = lastWords(child.stderr);
  try {
    const pid = await inTime(
      readyServer(child.stdout, display),
      startMs,
      () => new Error(`Xvfb was not ready within ${startMs / 1_000} s and was killed`),
    );
    // The server has read the cookie file once the first client has connected with it.
    await admitUser(display, cookie, uid);
    return {
      ...{ display, cookie: cookie.value, ended: process.ended },
      identity: readIdentity(pid),
      end: () => end(process),
    };
  } catch (error) {
    killGroup(child.pid);
    await end(process);
    if (!(error instanceof NotReadyError)) throw error;
    const said = await words;
    if (TAKEN.test(said)) throw new NumberTakenError(`"${display}" is taken`);
    throw new Error(`Xvfb ended before it was ready: ${lastLine(said)}`);
  }
}

/** The server has ended; its last error output explains why. */
class NotReadyError extends Error {}

/** Resolves with the server's process id once a complete line reports that the server is ready. */
async function readyServer(stream: ReadableStream<Uint8Array>, display: string): Promise<number> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split("\n").slice(0, -1);
    const process = lines.find((line) => line.startsWith("process "));
    if (process && lines.includes(display.slice(1))) return Number(process.slice(8));
  }
  throw new NotReadyError();
}

/** Reads to the end, so that the server never blocks on a full pipe. */
async function lastWords(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of stream) {
      text = (text + decoder.decode(chunk, { stream: true })).slice(-LAST_WORDS);
    }
  } catch {
    // the pipe broke: keep what was read
  }
  return text;
}

function lastLine(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^\(EE\)\s*/, "").trim());
  return lines.findLast((line) => line !== "") ?? "it said nothing";
}

interface Running {
  readonly child: Deno.ChildProcess;
  readonly ended: Promise<void>;
}

async function end({ child, ended }: Running): Promise<void> {
  await child.stdin.close().catch(() => {});
  if (await within(ended, END_MS)) return;
  killGroup(child.pid);
  await ended;
}

function killGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
