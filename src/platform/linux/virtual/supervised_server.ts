/** Runs a display server as a child that ends together with the service, however that ends. */

import { inTime, pause, within } from "../../../core/deadline.ts";
import { nextTurn } from "../../../core/event_loop_yielder.ts";
import type { Log } from "../../../core/log.ts";
import { lastLine } from "../../../core/texts.ts";
import { captureTail, PIPED, spawnInSession } from "../../helper_program.ts";
import { killSession, sendSignal } from "../../posix/process_table.ts";

interface ServerCommand {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Its complete environment; the service's own when absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** A file or folder that is removed when the server has ended, also after the service was killed. */
  readonly temporary?: string;
  /** Whether these lines of its standard output, which may be incomplete, say that it is ready. */
  isReady(lines: readonly string[]): boolean;
  /** How long startup is allowed to take, in milliseconds. */
  readonly startMs?: number;
  /** What errors call it: `Xvfb`. */
  readonly name: string;
}

export interface SupervisedServer extends Server {
  /** The process id of the server itself. */
  readonly pid: number;
  /** Kills it at once and waits until it is gone. */
  kill(): Promise<void>;
}

/** The server has ended before it was ready; what it wrote explains why. */
export class EndedEarlyError extends Error {
  constructor(name: string, readonly said: string) {
    super(
      `${name} ended before it was ready: ${
        lastLine(said.replaceAll(/^\(EE\)\s*/gm, "")) || "it printed nothing"
      }`,
    );
  }
}

/**
 * Runs the server as a child that ends with the service. The standard input of this script is a
 * pipe whose other end only the service holds. The kernel closes it when the service ends, even by
 * SIGKILL, and the script then ends the server. The script leaves our process group and our
 * terminal, so that Ctrl+C reaches only the service; at its end it ends what is left of its own group.
 */
const SUPERVISED = `
temporary=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
echo "process $server"
exec 2>/dev/null
{ read -r _ <&3; kill "$server"; sleep 2; kill -KILL "$server"; } >/dev/null 2>&1 &
exec 3<&- >/dev/null
wait "$server"
code=$?
trap "" TERM
kill 0
[ -z "$temporary" ] || rm -rf "$temporary"
exit "$code"
`;

const START_TIMEOUT_MS = 20_000;
/** How long the server has to end before it is killed. */
const EXIT_TIMEOUT_MS = 3_000;

/** @throws EndedEarlyError, or Error when it is not ready in time: then it has been killed. */
export async function startSupervised(options: ServerCommand): Promise<SupervisedServer> {
  const { command, env, temporary = "", startMs = START_TIMEOUT_MS, name } = options;
  const child = await spawnInTurn(["/bin/sh", "-c", SUPERVISED, "sh", temporary, ...command], {
    ...(env === undefined ? {} : { env: { ...env }, clearEnv: true }),
    ...PIPED,
  });
  // a script that was killed has left its group
  const ended = child.status.then(() => void sendSignal(-child.pid, "SIGKILL"));
  const errors = captureTail(child.stderr);
  const kill = async () => {
    killSession(child);
    await child.stdin.close().catch(() => {});
    await ended;
  };
  const end = async () => {
    await child.stdin.close().catch(() => {});
    if (!await within(ended, EXIT_TIMEOUT_MS)) await kill();
  };
  try {
    const late = () =>
      new Error(`${name} was not ready within ${startMs / 1_000} s and was killed`);
    const pid = await inTime(readyServer(child.stdout, options), startMs, late);
    return { pid, ended, end, kill };
  } catch (error) {
    await kill();
    if (!(error instanceof OutputEndedError)) throw error;
    await errors.ended;
    throw new EndedEarlyError(name, errors.text);
  }
}

class OutputEndedError extends Error {}

/** Resolves with the server's process id once complete lines report that the server is ready. */
async function readyServer(
  stream: ReadableStream<Uint8Array>,
  { isReady }: ServerCommand,
): Promise<number> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split("\n").slice(0, -1);
    const process = lines.find((line) => line.startsWith("process "));
    if (process && isReady(lines)) return Number(process.slice(8));
  }
  throw new OutputEndedError();
}

/** For a program that has nothing to read or to say. */
export const SILENT = { stdin: "null", stdout: "null", stderr: "null" } as const;

/** Starts a program in a session of its own, and in a turn of the event loop of its own. */
export async function spawnInTurn(
  ...spawn: Parameters<typeof spawnInSession>
): Promise<Deno.ChildProcess> {
  await nextTurn();
  return spawnInSession(...spawn);
}

// Keeps a program of a virtual display running: it is started again when it dies.

export interface Server {
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends it and waits until it is gone. */
  end(): Promise<void>;
}

export interface RestartedServer extends AsyncDisposable {
  readonly running: boolean;
}

interface RestartOptions {
  /** What the log calls it: `virtual display`. */
  readonly name: string;
  /** The name of the display, for the log. */
  readonly display: string;
  /** Starts the same again. */
  readonly start: () => Promise<Server>;
  readonly log: Log;
}

/**
 * The pause before the first restart; it doubles up to `MAX_BACKOFF_MS`, and a long run resets it.
 */
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;
const LONG_RUN_MS = 5_000;

/** Disposing it ends the server. */
export function keepRunning(
  first: Server,
  { name, display, start, log }: RestartOptions,
): RestartedServer {
  const stopping = new AbortController();
  let current: Server | undefined = first;
  const supervision = supervise();

  async function supervise(): Promise<void> {
    let pauseMs = FIRST_BACKOFF_MS;
    while (true) {
      const startedAt = performance.now();
      await current?.ended;
      current = undefined;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > LONG_RUN_MS) pauseMs = FIRST_BACKOFF_MS;
      log.warn(`${name} ended`, { display, restartInMs: pauseMs });
      await pause(pauseMs, stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, MAX_BACKOFF_MS);
      current = await restart();
    }
  }

  async function restart(): Promise<Server | undefined> {
    try {
      const server = await start();
      if (stopping.signal.aborted) {
        await server.end();
        return undefined;
      }
      log.info(`${name} was restarted`, { display });
      return server;
    } catch (error) {
      log.warn(`${name} did not start`, { display, error: (error as Error).message });
      return undefined;
    }
  }

  return {
    get running() {
      return current !== undefined;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await current?.end();
      await supervision;
    },
  };
}
