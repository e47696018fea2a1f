/**
 * Both ends of a TCP connection, which identify it: the client's port alone is ambiguous, because
 * another client may use the same port.
 */

export interface TcpEnd {
  readonly hostname: string;
  readonly port: number;
}

export interface TcpEnds {
  /** The client's end. */
  readonly remote: TcpEnd;
  /** Our end; not compared when it is unknown. */
  readonly local?: TcpEnd | undefined;
}

/** A key that is equal for equal ends, whatever notation their addresses use. */
export function keyOfEnds({ remote, local }: TcpEnds): string {
  return local === undefined ? keyOfEnd(remote) : `${keyOfEnd(remote)} ${keyOfEnd(local)}`;
}

export function keyOfEnd({ hostname, port }: TcpEnd): string {
  return `${canonicalAddress(hostname)}:${port}`;
}

/** Formats an address of 4 or 16 bytes in network order. */
export function formatAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return Array.from({ length: 8 }, (_, at) => view.getUint16(2 * at, false).toString(16)).join(":");
}

/** An address in network order: 4 bytes, also of an IPv4-mapped one, or 16. */
export function addressBytes(hostname: string): Uint8Array {
  const address = canonicalAddress(hostname);
  if (!address.includes(":")) return Uint8Array.from(address.split("."), Number);
  const [high, low] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = low === undefined ? 0 : 8 - high!.length - low.length;
  const parts = [...high!, ...Array<string>(zeros).fill("0"), ...low ?? []];
  return Uint8Array.from(parts.flatMap((each) => [parseInt(each, 16) >> 8, parseInt(each, 16)]));
}

/** IPv6 in its shortest form; an IPv4-mapped IPv6 address as IPv4. */
function canonicalAddress(hostname: string): string {
  if (!hostname.includes(":")) return hostname;
  const zoneless = hostname.replace(/%.*/, "");
  const shortest = new URL(`http://[${zoneless}]`).hostname.slice(1, -1);
  const [, high, low] = shortest.match(/^::ffff:([0-9a-f]+):([0-9a-f]+)$/) ?? [];
  if (high === undefined) return shortest;
  const [a, b] = [parseInt(high, 16), parseInt(low!, 16)];
  return [a >> 8, a & 0xff, b >> 8, b & 0xff].join(".");
}
