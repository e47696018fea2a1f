/** Parses the texts of flags. The errors say what was given and what would be right. */

import { resolve } from "node:path";
import type { Size } from "../core/geometry.ts";
import { DESK_NAME, GROUPS } from "../core/groups.ts";
import { IN_SHELL, splitWords } from "../core/texts.ts";

export function readInteger(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!(number >= min && number <= max)) {
    throw new Error(`"${text}": must be an integer from ${min} to ${max}`);
  }
  return number;
}

/** An address or a name, without a scheme or a path; brackets around IPv6 are removed. */
export function readHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const name = /^[a-z0-9_][a-z0-9._-]*$/;
  const ipv6 = /^(?=.*:.*:)[0-9a-f:.]+(%[a-z0-9]+)?$/;
  if (!name.test(host) && !ipv6.test(host)) {
    throw new Error(`"${text}": must be a host name or an IP address, without a scheme or a path`);
  }
  return host;
}

/** A host with a port or without one. IPv6 keeps its brackets before a port: `[::1]:8080`. */
export function readHostAndPort(text: string): string {
  const [, sent, digits] = /^(\[.*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  if (sent === undefined) return readHost(text);
  const host = readHost(sent);
  const port = Number(digits);
  if (port < 1 || port > 65_535) throw new Error(`"${text}": the port must be from 1 to 65535`);
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * As {@link readHostAndPort}, or `*.domain`, with a port or without one, for every name that ends in
 * it. The domain has two parts at least: whoever owns a name in `*.com` could have it resolve to this
 * computer.
 */
export function readAllowedHost(text: string): string {
  if (!text.includes("*")) return readHostAndPort(text);
  const [, domain = "", last] =
    /^\*\.((?:[a-z0-9_-]+\.)+([a-z0-9_-]+))(?::\d{1,5})?$/i.exec(text) ?? [];
  if (domain === "" || /^\d+$/.test(last!)) {
    throw new Error(
      `"${text}": must be *.domain, whose domain has two parts or more, as in *.desks.example`,
    );
  }
  return `*.${readHostAndPort(text.slice(2))}`;
}

/** First path segments that are never the name of a computer. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...["api", "docs", "favicon.ico", "openapi.json", "console", "mcp"],
  ...["healthz", "readyz", "metrics", "v1"],
]);

export function readName(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._~-]{0,62}$/.test(text)) {
    throw new Error(
      `"${text}": must be 1 to 63 of the characters A-Z a-z 0-9 . _ ~ - and start with a letter or a digit`,
    );
  }
  if (RESERVED_NAMES.has(text)) {
    throw new Error(`"${text}": is an address of the service itself: choose another name`);
  }
  return text;
}

export function readDeskName(text: string): string {
  if (DESK_NAME.test(text)) return text;
  throw new Error(`"${text}": must be the name of a desk, as in alice or desk-2`);
}

/** `n=<X display>`, or an X display alone, which is number 1. */
export function readDisplays(values: readonly string[]): ReadonlyMap<number, string> {
  const displays = new Map<number, string>();
  for (const value of values) {
    const match = value.match(/^(?:(\d{1,4})=)?([^\s=]*:\d{1,5}(?:\.\d{1,3})?)$/);
    if (match === null) {
      throw new Error(
        `"${value}": must be an X display such as ":1", or number=display as in 2=:7`,
      );
    }
    const number = Number(match[1] ?? 1);
    if (displays.has(number)) throw new Error(`"${value}": display ${number} is specified twice`);
    displays.set(number, match[2]!);
  }
  return displays;
}

/** `1280x800`. */
function readSize(text: string): Size {
  const match = text.match(/^(\d{1,5})x(\d{1,5})$/i);
  const width = Number(match?.[1]);
  const height = Number(match?.[2]);
  const fits = (pixels: number) => pixels >= 64 && pixels <= 16_384;
  if (!fits(width) || !fits(height)) {
    throw new Error(`"${text}": must be width x height from 64x64 to 16384x16384, as in 1280x800`);
  }
  return { width, height };
}

/** A display that needs no screen: of an X server, or of a Wayland compositor. */
export interface VirtualScreen extends Size {
  readonly server: "x11" | "wayland";
}

/** `1280x800`, `wayland:1280x800`, or `wayland`, whose size is that of `otherwise`. */
export function readVirtualScreen(text: string, otherwise: Size): VirtualScreen {
  const [, wayland, size] = text.match(/^(wayland(?::|$))?(.*)$/is)!;
  const { width, height } = wayland === "wayland" ? otherwise : readSize(size!);
  return { width, height, server: wayland === undefined ? "x11" : "wayland" };
}

/** The path or name of a program. */
export function readShell(text: string): string {
  if (text.trim() === "" || text.includes("\0")) {
    throw new Error(`"${text}": must be the path of a shell, as in /bin/bash`);
  }
  return text;
}

/**
 * An origin as browsers write it; `*` and `null` are refused, because they would admit every page.
 */
export function readOrigin(text: string): string {
  if (text === "*" || text.toLowerCase() === "null") {
    throw new Error(
      `"${text}": is not allowed, because it would admit every page: name the origin`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const web = url?.protocol === "http:" || url?.protocol === "https:";
  if (web && url.pathname + url.search + url.hash === "/" && url.username + url.password === "") {
    return url.origin;
  }
  const other = !web && /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/i.test(text);
  if (other) return text.toLowerCase();
  throw new Error(`"${text}": must be an origin such as https://desk.example:8080, without a path`);
}

/** The address of a service, which may end with the computer's name. */
export function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (isWeb && url.search + url.hash + url.username + url.password === "") return url.href;
  throw new Error(`"${text}": must be the address of a service such as http://127.0.0.1:4242`);
}

/** Names separated by commas, in one value or in several. */
export function readNames<N extends string>(
  values: readonly string[],
  { known, what }: { readonly known: readonly N[]; readonly what: string },
): ReadonlySet<N> {
  const names = values.flatMap((value) => value.split(",")).map((name) => name.trim());
  for (const name of names) {
    if (!(known as readonly string[]).includes(name)) {
      throw new Error(`"${name}": is not a ${what}: the ${what}s are ${known.join(", ")}`);
    }
  }
  return new Set(names as N[]);
}

/** Groups, and operations by the names by which they are called; whether there is such an operation is found at the start. */
export function readApproved(values: readonly string[]): ReadonlySet<string> {
  const names = values.flatMap((value) => value.split(",")).map((name) => name.trim());
  for (const name of names) {
    const [group, ...rest] = name.split(".");
    const isName = rest.every((word) => /^[a-z]+(?:-[a-z]+)*$/.test(word));
    if (!isName || !(GROUPS as readonly string[]).includes(group!)) {
      throw new Error(
        `"${name}": must be a group, or an operation such as filesystem.delete: the groups are ` +
          GROUPS.join(", "),
      );
    }
  }
  return new Set(names);
}

/** `10s` or `2m`, in milliseconds. */
export function readRest(text: string): number {
  const [, count = "0", unit] = /^(\d{1,3})([sm])$/.exec(text) ?? [];
  const seconds = Number(count) * (unit === "m" ? 60 : 1);
  if (seconds > 0 && seconds <= 600) return seconds * 1_000;
  throw new Error(`"${text}": must be a time from 1s to 10m, such as 10s`);
}

export function readWebhook(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new Error(`"${text}": must be an address such as https://example.org/hook`);
}

/** The projects whose HTTP interfaces the service can offer, each with the port of its own server. */
export const COMPAT_PORTS = { osworld: 5_000, cua: 8_000, "agent-sandbox": 8_888 } as const;

export type CompatName = keyof typeof COMPAT_PORTS;
export const COMPAT_NAMES = Object.keys(COMPAT_PORTS) as readonly CompatName[];

/** `osworld`, whose port is that of its own server, or `osworld:5001`; 0 is any free one. */
export function readCompat(values: readonly string[]): ReadonlyMap<CompatName, number> {
  const ports = new Map<CompatName, number>();
  for (const value of values) {
    const [, sent, digits] = /^([^:]*)(?::(.*))?$/s.exec(value)!;
    const name = COMPAT_NAMES.find((each) => each === sent);
    if (name === undefined) {
      throw new Error(`"${value}": must be ${COMPAT_NAMES.join(", ")}, or name:port`);
    }
    const port = digits === undefined
      ? COMPAT_PORTS[name]
      : readInteger(digits, { min: 0, max: 65_535 });
    if (ports.has(name)) throw new Error(`"${value}": ${name} is specified twice`);
    if (port !== 0 && ports.values().some((other) => other === port)) {
      throw new Error(`"${value}": port ${port} is specified twice`);
    }
    ports.set(name, port);
  }
  return ports;
}

/** Any path that is not empty, absolute or below the current folder. */
export function readPath(text: string, what: "file" | "folder"): string {
  if (text === "" || text.includes("\0")) throw new Error(`must name a ${what}`);
  return resolve(text);
}

/** A command line as `xterm -e top`, or an address as `https://example.org`. */
export function readOpening(text: string): { text: string; words: readonly string[] } {
  let words: readonly string[];
  try {
    words = splitWords(text, IN_SHELL);
  } catch (cause) {
    throw new Error(`"${text}": a quote is not closed`, { cause });
  }
  if (words.length === 0 || words[0] === "" || text.includes("\0")) {
    throw new Error(`"${text}": must name a program or an address`);
  }
  return { text, words };
}

/** What a browser opens first. */
export function readBrowserPage(text: string): string {
  if (URL.canParse(text) && /^(?:https?|file|about|data):/i.test(text)) return text;
  throw new Error(`"${text}": must be an address such as https://example.org/`);
}

/** The DevTools address of a browser: HTTP, which tells the WebSocket's, or the WebSocket's own. */
export function readBrowserAddress(text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : "";
  if (["http:", "https:", "ws:", "wss:"].includes(protocol)) return text;
  throw new Error(`"${text}": must be an address such as http://127.0.0.1:9222`);
}
