/**
 * Reads the cookie for an X server from the Xauthority file. Source of the format: Xsecurity(7) and
 * libXau's `Xau.h`. The x11 package looks for it too, but ends the process when the file cannot be
 * read, and does not report why there is none.
 */

import { environment } from "../../environment.ts";
import { parseDisplayName } from "./client.ts";

export interface CookieSearch {
  readonly file: string;
  /**
   * The cookie to connect with; without it the package looks it up by address for a server on
   * another computer.
   */
  readonly auth: Cookie | undefined;
  /** Why there is no cookie: half a sentence, such as `"/home/a/.Xauthority" does not exist`. */
  readonly missing: string | undefined;
}

/**
 * The credentials that the package sends when it connects; each character of `data` is one byte.
 */
interface Cookie {
  readonly name: string;
  readonly data: string;
}

export const COOKIE_PROTOCOL = "MIT-MAGIC-COOKIE-1";
const FAMILY_LOCAL = 256;
/** The family of an entry that is valid for every address. */
export const FAMILY_WILD = 0xffff;
const NO_COOKIE: Cookie = { name: "", data: "" };
/** Enough for thousands of entries; a larger file was not written by xauth. */
const MAX_BYTES = 1 << 20;

/** Finds the cookie of a display (`:1`). */
export async function findCookie(display: string): Promise<CookieSearch> {
  const env = environment();
  const hostname = Deno.hostname();
  const file = env["XAUTHORITY"] || `${env["HOME"] ?? ""}/.Xauthority`;
  const named = env["XAUTHORITY"] ? `XAUTHORITY names "${file}", which` : `"${file}"`;
  const bytes = await readCookieFile(file);
  if (typeof bytes === "string") {
    return { file, auth: NO_COOKIE, missing: `there is no cookie for it: ${named} ${bytes}` };
  }
  const { host, displayNum } = parseDisplayName(display);
  const entry = parseEntries(bytes).find((each) =>
    each.name === COOKIE_PROTOCOL &&
    (each.family === FAMILY_WILD ||
      (host === "" && each.family === FAMILY_LOCAL && each.address === hostname)) &&
    (each.display === "" || each.display === `${displayNum}`)
  );
  if (entry !== undefined) {
    return { file, auth: { name: entry.name, data: entry.data }, missing: undefined };
  }
  const none = `has none for display ${displayNum} of "${host || hostname}"`;
  return {
    file,
    auth: host === "" ? NO_COOKIE : undefined,
    missing: `there is no cookie for it: ${named} ${none}`,
  };
}

/** The bytes, or half a sentence on why the file cannot be used. */
async function readCookieFile(path: string): Promise<Uint8Array | string> {
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) return "is not a file"; // reading a FIFO could block forever
    if (size > MAX_BYTES) return "is too large for an Xauthority file";
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "does not exist";
    return `cannot be read: ${(error as Error).message}`;
  }
}

/** The complete entries; a truncated one, seen while the file is being written, ends the list. */
function parseEntries(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = [];
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
