/** Tells another service that a program asks for a person (`--help-webhook`). */

import type { Log } from "../../core/log.ts";
import type { HelpItem } from "./state.ts";

const TIMEOUT_MS = 5_000;
const TRIES = 2;
/** Further requests are not reported while so many reports are on their way. */
const MAX_AT_ONCE = 16;

interface WebhookOptions {
  /** The address of the console, for whoever is told. */
  readonly console: string;
  readonly log: Pick<Log, "warn">;
}

export class HelpWebhook {
  #sending = 0;
  /** Only the first of several failures in a row is logged. */
  #hasFailed = false;

  constructor(private readonly url: string, private readonly options: WebhookOptions) {}

  /** Never waits, and never throws. */
  send({ id, name, reason, since }: HelpItem): void {
    if (this.#sending >= MAX_AT_ONCE) return;
    this.#sending++;
    const { console } = this.options;
    const body = JSON.stringify({ event: "help_requested", id, name, reason, since, console });
    this.#deliver(body).finally(() => this.#sending--);
  }

  async #deliver(body: string): Promise<void> {
    let failure = "";
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        return await this.#post(body);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    }
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.options.log.warn("help webhook failed", { reason: failure });
  }

  async #post(body: string): Promise<void> {
    const response = await fetch(this.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`It answered ${response.status}`);
    this.#hasFailed = false;
  }
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
