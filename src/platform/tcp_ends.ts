/** Both ends of a connection over TCP, by which it is told from every other one: a port alone may be another client's. */

export interface TcpEnd {
  readonly hostname: string;
  readonly port: number;
}

export interface TcpEnds {
  /** The client's. */
  readonly remote: TcpEnd;
  /** Ours; missing where it is not known, and then not compared. */
  readonly local?: TcpEnd | undefined;
}

/** The same text for the same ends, however their addresses are written. */
export function keyOfEnds({ remote, local }: TcpEnds): string {
  return local === undefined ? keyOfEnd(remote) : `${keyOfEnd(remote)} ${keyOfEnd(local)}`;
}

export function keyOfEnd({ hostname, port }: TcpEnd): string {
  return `${canonicalAddress(hostname)}:${port}`;
}

/** The text of an address of 4 or 16 bytes, network order. */
export function formatAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return Array.from({ length: 8 }, (_, at) => view.getUint16(2 * at, false).toString(16)).join(":");
}

/** IPv6 in its shortest form; an IPv4 address that is written as one of IPv6 as IPv4. */
function canonicalAddress(hostname: string): string {
  if (!hostname.includes(":")) return hostname;
  const zoneless = hostname.replace(/%.*/, "");
  const shortest = new URL(`http://[${zoneless}]`).hostname.slice(1, -1);
  const [, high, low] = shortest.match(/^::ffff:([0-9a-f]+):([0-9a-f]+)$/) ?? [];
  if (high === undefined) return shortest;
  const [a, b] = [parseInt(high, 16), parseInt(low!, 16)];
  return [a >> 8, a & 0xff, b >> 8, b & 0xff].join(".");
}
