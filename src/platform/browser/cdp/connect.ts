/** Reaches a browser at an address. */

import { ServiceError } from "../../../core/errors.ts";
import { overSocket, type Transport } from "./transport.ts";

const CONNECT_MS = 30_000;
/** Characters of an answer that tells the address of a browser. */
const MAX_VERSION = 65_536;

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
  const { webSocketDebuggerUrl } = JSON.parse(await readStart(answer.body));
  if (typeof webSocketDebuggerUrl !== "string") {
    throw new ServiceError("unavailable", "it is no browser");
  }
  // behind a tunnel the browser knows another address than the one that reaches it
  const told = new URL(webSocketDebuggerUrl);
  const url = new URL(address);
  url.pathname = told.pathname;
  url.search = told.search;
  url.hash = "";
  url.username = url.password = "";
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** What follows after some kilobytes is no answer of a browser. */
async function readStart(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_VERSION) break;
  }
  return text;
}
