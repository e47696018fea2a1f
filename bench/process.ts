/** Starts the servers that the bench compares, each as a process of its own. */

import { fileURLToPath } from "node:url";
import { type LineReader, lineReader } from "../tests/support/lines.ts";
import { ownPlaces } from "../tests/support/own_places.ts";

export interface Started extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** What it has written to its standard error, which is shown too. */
  readonly errors: readonly string[];
}

/** Starts `deno run` on a file and waits until it has told its port, alone on a line or in an address. */
export async function startServer(
  file: string,
  args: readonly string[],
  /** Added to the variables, such as those of a session. */
  variables: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const places = await ownPlaces();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fileURLToPath(new URL(file, import.meta.url)), ...args],
    env: { ...places.env, ...variables },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const logged = lineReader(child.stderr);
  const shown = show(logged);
  const lines = lineReader(child.stdout);
  const [, port] = await lines.until(/(?:^|127\.0\.0\.1:)(\d{2,5})\b/);
  const drained = lines.rest();
  return {
    port: Number(port),
    pid: child.pid,
    errors: logged.seen,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await Promise.all([drained, shown]);
      await places[Symbol.asyncDispose]();
    },
  };
}

/** For a program that cannot choose one itself. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function show(lines: LineReader): Promise<void> {
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    console.error(line);
  }
}
