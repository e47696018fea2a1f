/** Starts the servers that the bench compares, each as a process of its own. */

import { lineReader } from "../tests/support/lines.ts";
import { ownPlaces } from "../tests/support/own_places.ts";

export interface Started extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts `deno run` on a file and waits until it has told its port, alone on a line or in an address. */
export async function startServer(file: string, args: readonly string[]): Promise<Started> {
  const places = await ownPlaces();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL(file, import.meta.url).pathname, ...args],
    env: places.env,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = lineReader(child.stdout);
  const [, port] = await lines.until(/(?:^|127\.0\.0\.1:)(\d{2,5})\b/);
  const drained = lines.rest();
  return {
    port: Number(port),
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await drained;
      await places[Symbol.asyncDispose]();
    },
  };
}
