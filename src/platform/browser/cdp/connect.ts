/** Reaches a browser at an address. */

import { ServiceError } from "../../../core/errors.ts";
import { overSocket, type Transport } from "./transport.ts";

const CONNECT_MS = 30_000;

/** @throws ServiceError `unavailable` */
export async function connectTo(address: string): Promise<Transport> {
  try {
    return await overSocket(await findSocket(address), CONNECT_MS);
  } catch (cause) {
    const why = cause instanceof ServiceError ? cause.message : (cause as Error).message;
    throw new ServiceError("unavailable", `Cannot reach the browser at "${address}": ${why}`);
  }
}

/** An HTTP address tells the WebSocket's; see the protocol's HTTP endpoints. */
async function findSocket(address: string): Promise<string> {
  if (/^wss?:/i.test(address)) return address;
  const answer = await fetch(new URL("/json/version", address), {
    redirect: "error",
    signal: AbortSignal.timeout(CONNECT_MS),
  });
  const { webSocketDebuggerUrl } = await answer.json();
  if (typeof webSocketDebuggerUrl !== "string") throw new Error("it is no browser");
  const url = new URL(webSocketDebuggerUrl);
  url.host = new URL(address).host; // behind a tunnel the browser knows another one
  return url.href;
}
