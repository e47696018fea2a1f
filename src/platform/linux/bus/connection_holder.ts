/**
 * The process that makes a connection to a bus in place of the service: programs on the bus look into
 * the process that has connected (a desktop portal opens `/proc/PID/root`), and nobody can look into
 * the service, because commands must not read its secrets. This process has none.
 */

import { connectFile } from "../wayland/wire/connect_file.ts";

/** Connects, says by which descriptor, and keeps it until the service ends. Returns the exit code. */
export async function holdConnection([path = ""]: readonly string[]): Promise<number> {
  try {
    console.log(connectFile(path));
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
  Deno.addSignalListener("SIGINT", () => {}); // the service ends first, which may need the bus
  for await (const _ of Deno.stdin.readable) { /* nothing comes */ }
  return 0;
}
