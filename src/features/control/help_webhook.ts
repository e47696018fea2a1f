/** Tells another service that a program asks for a person (`--help-webhook`). */

import type { Log } from "../../core/log.ts";
import type { HelpItem } from "./state.ts";

const TIMEOUT_MS = 5_000;

interface WebhookOptions {
  /** The address of the console, for whoever is told. */
  readonly console: string;
  readonly log: Pick<Log, "warn">;
}

/** @returns what reports a request to `url`, with a second try; it never waits, and never throws */
export function helpWebhook(
  url: string,
  { console, log }: WebhookOptions,
): (item: HelpItem) => void {
  return ({ id, name, reason, since }) => {
    const body = JSON.stringify({ event: "help_requested", id, name, reason, since, console });
    post(url, body).catch(() => post(url, body)).catch((error) =>
      log.warn("help webhook failed", { reason: reasonOf(error) })
    );
  };
}

async function post(url: string, body: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new WrongAnswer(`It answered ${response.status}`);
}

class WrongAnswer extends Error {}

/** Never the message of `fetch`, which has the address: whoever knows that can post there. */
function reasonOf(error: unknown): string {
  if (error instanceof WrongAnswer) return error.message;
  const isLate = error instanceof Error && error.name === "TimeoutError";
  return isLate ? `It did not answer within ${TIMEOUT_MS / 1_000} s` : "It cannot be reached";
}

const LOOPBACK =
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])$/;

/** Whether an address is a port of this service, which must not call itself. */
export function isOwnAddress(
  address: string,
  { host, ports }: { readonly host: string; readonly ports: readonly number[] },
): boolean {
  const { hostname, port, protocol } = new URL(address);
  const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  if (!ports.includes(number)) return false;
  return LOOPBACK.test(hostname) || hostname === host || hostname === `[${host}]`;
}
