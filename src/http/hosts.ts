/**
 * Decides which `Host` headers to accept: a page under another name that resolves to this machine
 * (DNS rebinding) must be rejected.
 */

/** The settings for accepting hosts. */
export interface HostRules {
  /** The address that the service listens on. */
  readonly bound: string;
  /** Names given by `--allow-host`, with or without a port. */
  readonly allowed: readonly string[];
}

const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]"]);
const HOST = /^(\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?)(?::(\d{1,5}))?$/;
const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

export class Hosts {
  /** Names, with and without a port. */
  readonly #names: ReadonlySet<string>;
  readonly #anyAddress: boolean;

  constructor(rules: HostRules) {
    this.#names = new Set([rules.bound, ...rules.allowed].map(comparableWithPort));
    this.#anyAddress = WILDCARDS.has(rules.bound);
  }

  /** @param sent the value of a `Host` header */
  accepts(sent: string): boolean {
    const parts = HOST.exec(sent.toLowerCase());
    if (parts === null) return false;
    const name = comparable(parts[1] ?? "");
    if (isLoopback(name) || this.#names.has(name)) return true;
    if (parts[2] !== undefined && this.#names.has(`${name}:${Number(parts[2])}`)) return true;
    return this.#anyAddress && isAddress(name);
  }
}

/** Whether it is a name or an address of this machine that is unreachable from other machines. */
export function isLoopback(host: string): boolean {
  const name = comparable(host);
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return name === "[::1]" || (IPV4.test(name) && name.startsWith("127."));
}

function isAddress(name: string): boolean {
  return name.startsWith("[") || IPV4.test(name);
}

function comparableWithPort(host: string): string {
  const [, name = host, port] = HOST.exec(host.toLowerCase()) ?? [];
  return port === undefined ? comparable(name) : `${comparable(name)}:${Number(port)}`;
}

/** Normalises a host: lower case, no trailing dot, IPv6 in brackets and in its shortest form. */
function comparable(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, "");
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  if (!/^[\da-f]*:[\da-f]*:[\da-f:.]*$/.test(bare)) return name;
  return URL.parse(`http://[${bare}]`)?.hostname ?? name;
}
