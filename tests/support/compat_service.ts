/**
 * The program with the interface of another project, on the port that its clients expect: at a
 * loopback address of its own, so that no other program has that port. And what routes know of a
 * service inside the process.
 */

import type { ServiceAccess } from "../../src/compat/compat.ts";
import { COMPAT_PORTS, type CompatName } from "../../src/config/flag_values.ts";
import { type RunningCommand, startCommand } from "./command.ts";
import { startXvfb } from "./xvfb.ts";

/** A service on Linux that nobody can call. */
export const TEST_SERVICE: ServiceAccess = {
  address: "http://127.0.0.1:1",
  token: undefined,
  stateDir: "/dev/null/state",
  system: "linux",
  version: "1.2.3",
  maxCommandSeconds: 50,
};

export interface CompatService extends AsyncDisposable {
  /** `127.45.67.89` */
  readonly host: string;
  /** Of the interface: `http://127.45.67.89:8000`. */
  readonly address: string;
  readonly display: string;
  /** The home of the service's user. */
  readonly home: string;
  readonly service: RunningCommand;
}

export async function startCompat(
  name: CompatName,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<CompatService> {
  await using stack = new AsyncDisposableStack();
  const { display } = stack.use(await startXvfb());
  const host = anyLoopback();
  const args = ["--host", host, "--display", display, "--compat", name, ...flags];
  const service = stack.use(await startCommand(args, env));
  const home = await Deno.readTextFile(`/proc/${service.pid}/environ`);
  const started = stack.move();
  return {
    host,
    address: `http://${host}:${COMPAT_PORTS[name]}`,
    display,
    home: /(?:^|\0)HOME=([^\0]*)/.exec(home)![1]!,
    service,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Linux has all of 127.0.0.0/8. */
function anyLoopback(): string {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3));
  return `127.${1 + a! % 254}.${b}.${1 + c! % 254}`;
}
