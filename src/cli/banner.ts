/** The text that the service prints when it is ready: its address and its backends. */

import type { Config } from "../config/config.ts";
import type { BackendChoice } from "../platform/types/mod.ts";

export function formatBanner(
  config: Config,
  port: number,
  { backends, isTerminal }: {
    readonly backends: readonly BackendChoice[];
    /** Whether only the person who starts the service reads it: a log never gets the token. */
    readonly isTerminal: boolean;
  },
): string {
  const { address, note } = formatAddress(config.host, port);
  const base = config.name === undefined ? address : `${address}/${config.name}`;
  const token = config.token === undefined ? "" : " (with the token)";
  return [
    `Computer Control Service ${config.version}`,
    `Address  ${base}${note}`,
    `Docs     ${base}/docs`,
    `Screen   ${base}/api/display/screenshot${token}`,
    ...(config.token !== undefined && isTerminal
      ? [`Sign in  ${base}/#token=${encodeURIComponent(config.token)}`]
      : []),
    ...config.open.map(({ text }) => `Open     ${text}`),
    `Found    ${backends.map(describe).join("; ")}`,
  ].join("\n");
}

/** Replaces a wildcard, which cannot be opened, with an address that can. */
export function formatAddress(host: string, port: number): { address: string; note: string } {
  if (host === "0.0.0.0" || host === "::") {
    const address = `http://${host === "::" ? "[::1]" : "127.0.0.1"}:${port}`;
    return { address, note: " (and every other address of this computer)" };
  }
  return { address: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, note: "" };
}

function describe({ job, chosen, reason }: BackendChoice): string {
  return `${job}: ${chosen ?? "none"} (${reason})`;
}
