/** The service on a Windows that wine gives, as a user starts it there, called from this system. */

import { dirname } from "node:path";
import { lineReader } from "./lines.ts";
import { waitFor } from "./wait.ts";
import type { Wine } from "./wine.ts";
import { runningIn } from "./wine/running.ts";
import { STUCK_SIGNAL } from "./wine/stuck.ts";

/** A request that wine has locked up then fails with its name, long before the tests are ended. */
const MAX_CALL_MS = 120_000;

export interface WineService extends AsyncDisposable {
  /** `http://127.0.0.1:40123` */
  readonly address: string;
  /** Sends a request: a POST where there is a body. */
  send(path: string, body?: unknown, init?: RequestInit): Promise<Response>;
  /** Calls an operation that must succeed; gives its JSON, or `undefined` for 204. */
  // deno-lint-ignore no-explicit-any -- each test knows the shape
  call(path: string, body?: unknown): Promise<any>;
  /** Calls an operation that must fail with the status; gives the text of `detail`. */
  refused(status: number, path: string, body?: unknown): Promise<string>;
  /** Ends it at once, as the task manager does. */
  kill(): Promise<void>;
  /** Presses Ctrl+C; gives the exit code, and all that was written. */
  stop(): Promise<{ readonly code: number; readonly output: readonly string[] }>;
}

export interface WineServiceOptions {
  readonly args?: readonly string[];
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `main.ts` on any free port and waits until it listens. */
export async function startWineService(
  wine: Wine,
  { args = [], env = {} }: WineServiceOptions = {},
): Promise<WineService> {
  const run = ["run", "-A", "--no-check", "--cached-only", "--frozen", "main.ts", "--port", "0"];
  return await wineServiceOf(wine.deno([...run, ...args], { env }));
}

/**
 * Starts the service by a command that ends with it, and waits until it listens.
 * @param interrupt presses Ctrl+C, of which wine tells one process only
 */
export async function wineServiceOf(
  command: Deno.Command,
  interrupt = (started: Deno.ChildProcess) => started.kill("SIGINT"),
): Promise<WineService> {
  const process = command.spawn();
  const lines = lineReader(process.stdout);
  const errors = lineReader(process.stderr);
  const [, address] = await lines.until(/^Address +(http:\/\/[^/\s]+)/).catch(async (cause) => {
    throw new Error(`The service did not start: ${(await errors.rest()).join("\n")}`, { cause });
  });
  await lines.until(/^Found/);

  const send = (path: string, body?: unknown, init: RequestInit = {}) => {
    const posted = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const headers = { "content-type": "application/json", ...init.headers };
    const limited = { signal: AbortSignal.timeout(MAX_CALL_MS), ...posted, ...init, headers };
    return fetch(address + path, limited).catch((cause) => {
      throw new Error(`${path} was not answered`, { cause });
    });
  };

  // what wine itself has started with the program holds its output open
  const letGo = () => Promise.all([lines.cancel(), errors.cancel()]);

  const kill = async () => {
    try {
      process.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended already
    }
    await process.status;
    await letGo();
  };

  return {
    address: address!,
    send,
    async call(path, body) {
      const response = await send(path, body);
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    async refused(status, path, body) {
      const response = await send(path, body);
      const text = await response.text();
      if (response.status === status) return JSON.stringify(JSON.parse(text).detail);
      throw new Error(`${path} answered ${response.status}, not ${status}: ${text}`);
    },
    kill,
    async stop() {
      interrupt(process);
      const { code: told, signal } = await process.status;
      const code = signal === STUCK_SIGNAL ? 0 : told; // it has said that it has stopped, or the next line fails
      if (code === 0) await errors.until(/ stopped\r?$/);
      await letGo();
      return { code, output: [...lines.seen, ...errors.seen] };
    },
    [Symbol.asyncDispose]: kill,
  };
}

/** Resolves when nobody runs this program on that Windows. */
export async function waitUntilNoneRuns(wine: Wine, program: string): Promise<void> {
  await waitFor(() => countRunning(wine, program) === 0, { what: `the end of every ${program}` });
}

/** How many processes of that Windows run this program (`cmd`). */
export function countRunning(wine: Wine, program: string): number {
  return findRunning(wine, program).length;
}

/** Their numbers on this system. */
export function findRunning(wine: Wine, program: string): number[] {
  return runningIn(dirname(wine.drive), program);
}
