/** Finds the socket of sway's own interface, and makes sure that it is that of the same compositor. */

import { dirname } from "node:path";
import { z } from "zod";
import { MESSAGE, SwayIpc } from "./ipc.ts";

const SOCKET = /^sway-ipc\.\d+\.\d+\.sock$/;
const Outputs = z.array(z.object({ name: z.string() }));

export interface SocketSearch {
  /** The path of the compositor's socket. */
  readonly waylandSocket: string;
  /** The variable SWAYSOCK, which programs inside of another compositor inherit. */
  readonly named: string | undefined;
  /** The names of the compositor's outputs. */
  readonly outputs: readonly string[];
}

/** @returns `undefined` where another compositor runs */
export async function findSwaySocket(search: SocketSearch): Promise<string | undefined> {
  const { waylandSocket, named, outputs } = search;
  const wanted = outputs.toSorted().join();
  const candidates = [...(named === undefined ? [] : [named]), ...await listSockets(waylandSocket)];
  for (const path of candidates) {
    if ((await readOutputs(path))?.toSorted().join() === wanted) return path;
  }
  return undefined;
}

async function listSockets(waylandSocket: string): Promise<string[]> {
  const folder = dirname(waylandSocket);
  const found: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (SOCKET.test(name)) found.push(`${folder}/${name}`);
    }
  } catch {
    // a folder that cannot be read has no socket for us
  }
  return found;
}

/** `undefined`: nothing answers there, as where a sway was killed. */
async function readOutputs(path: string): Promise<string[] | undefined> {
  try {
    return Outputs.parse(await new SwayIpc(path).ask(MESSAGE.getOutputs)).map(({ name }) => name);
  } catch {
    return undefined;
  }
}
