/** Reaches a browser at an address. */

import { ServiceError } from "../../../core/errors.ts";
import { overSocket, type Transport } from "./transport.ts";

const CONNECT_MS = 30_000;

/** @throws ServiceError `unavailable` */
export async function connectTo(address: string): Promise<Transport> {
  try {
    return await overSocket(await findSocket(address), CONNECT_MS);
  } catch (cause) {
    // other errors repeat the address
    const why = cause instanceof ServiceError ? cause.message : "no browser answers there";
    throw new ServiceError("unavailable", `Cannot reach the browser at ${quote(address)}: ${why}`);
  }
}

/** The rest of an address can hold a password or a token. */
export function quote(address: string): string {
  return JSON.stringify(URL.parse(address)?.host ?? "");
}

/** An HTTP address tells the WebSocket's; see the protocol's HTTP endpoints. */
async function findSocket(address: string): Promise<string> {
  if (/^wss?:/i.test(address)) return address;
  const answer = await fetch(new URL("/json/version", address), {
    redirect: "error",
    signal: AbortSignal.timeout(CONNECT_MS),
  });
  const { webSocketDebuggerUrl } = await answer.json();
  if (typeof webSocketDebuggerUrl !== "string") {
    throw new ServiceError("unavailable", "it is no browser");
  }
  const url = new URL(webSocketDebuggerUrl);
  url.host = new URL(address).host; // behind a tunnel the browser knows another one
  return url.href;
}
