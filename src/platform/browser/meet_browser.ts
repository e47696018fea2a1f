/** Asks whether a browser is there, and for the process that it is. */

import type { CdpConnection, CdpResult } from "./cdp/connection.ts";

/**
 * The process of the browser, which its windows name; a program that was started can be a script
 * that starts another one. `undefined` where the browser does not tell.
 * @throws Error where what answers is no browser
 */
export async function meetBrowser(
  connection: CdpConnection,
  timeoutMs: number,
): Promise<number | undefined> {
  const version = await connection.call("Browser.getVersion", {}, { timeoutMs });
  if (typeof version?.product !== "string") throw new Error("It is no browser");
  const told = await connection.call("SystemInfo.getProcessInfo").catch(() => undefined);
  return told?.processInfo?.find(({ type }: CdpResult) => type === "browser")?.id;
}
