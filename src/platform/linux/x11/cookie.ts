/**
 * The cookie by which an X server knows its users, from the Xauthority file. Source of the format:
 * Xsecurity(7) and libXau's `Xau.h`. The x11 package looks for it too, but ends the process where
 * the file cannot be read, and does not say why there is none.
 */

import type { Environment } from "../../environment.ts";
import { parseDisplayName } from "./client.ts";

export interface CookieSource {
  readonly env: Environment;
  readonly hostname: string;
}

export interface CookieSearch {
  /** Where it was looked for. */
  readonly file: string;
  /** What to connect with; without it the package looks by the address of a server elsewhere. */
  readonly auth: Cookie | undefined;
  /** Why there is no cookie: half a sentence, as in `"/home/a/.Xauthority" does not exist`. */
  readonly missing: string | undefined;
}

/** What the package sends when it connects; each character of `data` is a byte. */
export interface Cookie {
  readonly name: string;
  readonly data: string;
}

interface Entry {
  readonly family: number;
  readonly address: string;
  readonly display: string;
  readonly name: string;
  readonly data: string;
}

const PROTOCOL = "MIT-MAGIC-COOKIE-1";
const FAMILY_LOCAL = 256;
const FAMILY_WILD = 0xffff;
const NO_COOKIE: Cookie = { name: "", data: "" };
/** A file with thousands of entries; more is none of xauth's. */
const MAX_BYTES = 1 << 20;

/** Looks for the cookie of a display (`:1`). */
export async function findCookie(
  display: string,
  { env, hostname }: CookieSource,
): Promise<CookieSearch> {
  const file = env["XAUTHORITY"] || `${env["HOME"] ?? ""}/.Xauthority`;
  const named = env["XAUTHORITY"] ? `XAUTHORITY names "${file}", which` : `"${file}"`;
  const bytes = await readCookieFile(file);
  if (typeof bytes === "string") {
    return { file, auth: NO_COOKIE, missing: `there is no cookie for it: ${named} ${bytes}` };
  }
  const { host, displayNum } = parseDisplayName(display);
  const entry = parseEntries(bytes).find((each) =>
    each.name === PROTOCOL &&
    (each.family === FAMILY_WILD ||
      (host === "" && each.family === FAMILY_LOCAL && each.address === hostname)) &&
    (each.display === "" || each.display === `${displayNum}`)
  );
  if (entry !== undefined) {
    return { file, auth: { name: entry.name, data: entry.data }, missing: undefined };
  }
  const none = `holds none for display ${displayNum} of "${host || hostname}"`;
  return {
    file,
    auth: host === "" ? NO_COOKIE : undefined,
    missing: `there is no cookie for it: ${named} ${none}`,
  };
}

/** The bytes, or what is wrong with the file. */
async function readCookieFile(path: string): Promise<Uint8Array | string> {
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) return "is no file"; // to read a FIFO might never end
    if (size > MAX_BYTES) return "is too large for a file of cookies";
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "does not exist";
    return `cannot be read: ${(error as Error).message}`;
  }
}

/** The whole entries; one that is cut off, as while the file is written, ends the list. */
function parseEntries(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Entry[] = [];
  let at = 0;
  const counted = () => {
    const length = view.getUint16(at, false);
    if (at + 2 + length > bytes.length) throw new RangeError("cut off");
    const text = String.fromCharCode(...bytes.subarray(at + 2, at + 2 + length));
    at += 2 + length;
    return text;
  };
  try {
    while (at < bytes.length) {
      const family = view.getUint16(at, false);
      at += 2;
      const [address, display, name, data] = [counted(), counted(), counted(), counted()];
      entries.push({ family, address, display, name, data });
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return entries;
}
