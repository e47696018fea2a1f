/** The service as a process of its own, as a user starts it. */

import { lineReader } from "./lines.ts";
import { ownPlaces } from "./own_places.ts";

export interface Program extends AsyncDisposable {
  /** `http://127.0.0.1:40123` */
  readonly address: string;
  readonly process: Deno.ChildProcess;
  post(path: string, body: unknown): Promise<Response>;
  /** Kills it at once, as a crash does. */
  kill(): Promise<void>;
}

/** Starts `main.ts` on any free port and waits until it listens. */
export async function startProgram(args: readonly string[]): Promise<Program> {
  const main = new URL("../../main.ts", import.meta.url).pathname;
  const places = await ownPlaces();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", main, "--port", "0", ...args],
    env: places.env,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = lineReader(process.stdout);
  const [, address] = await lines.until(/^Address +(http:\S+)/);
  let ended = false; // a test may kill it before its scope ends
  const end = async (signal: Deno.Signal) => {
    try {
      process.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended already
    }
    await lines.rest();
    await process.status;
    if (!ended) await places[Symbol.asyncDispose]();
    ended = true;
  };
  return {
    address: address!,
    process,
    post: (path, body) =>
      fetch(address + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    kill: () => end("SIGKILL"),
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  };
}
