/** Opens a connection to an X server, and explains a failure. */

import { inTime } from "../../../core/deadline.ts";
import { ServiceError, tryTo } from "../../../core/errors.ts";
import { environment } from "../../environment.ts";
import { createClient, parseDisplayName, type XClient, type XSetup } from "./client.ts";

/** A server that does not answer the connection setup within this time is treated as absent. */
const OPEN_TIMEOUT_MS = 5_000;
/** The TCP port of a display is 6000 plus its number. */
const MAX_NUMBER = 65_535 - 6_000;
/** The package's error for a refused connection; it ends with the server's reason. */
const REFUSAL = /^X server connection failed: (.*)/s;

/** The reasons that servers give when they want another cookie. */
const UNAUTHORIZED = /authori[sz]|MIT-MAGIC/i;
const ADVICE = 'Run xhost "+si:localuser:$(id -un)" in its session, ' +
  "or set XAUTHORITY to the file with its cookie";

/**
 * Why a display cannot be opened: there is no server, it refuses the connection, or the display is
 * not for us.
 */
export class XOpenError extends Error {
  override readonly name = "XOpenError";

  constructor(
    readonly kind: "absent" | "refused" | "not_ours",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Why a display cannot be opened: half a sentence, such as `no X server answers at ":7"`. */
export function describeOpenFailure(xDisplay: string, error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  if (!(error instanceof XOpenError)) return `"${xDisplay}" fails: ${(error as Error).message}`;
  return error.kind === "absent" ? `no X server answers at "${xDisplay}"` : error.message;
}

export function isRefused(error: unknown): boolean {
  return error instanceof XOpenError && error.kind === "refused";
}

/** @param auth instead of the user's own cookie for it @throws XOpenError */
export async function setUpConnection(name: string, auth?: Cookie): Promise<XSetup> {
  if (isNoDisplay(name)) throw absent(name, new Error("there is no display of this name"));
  const cookie = auth ? { file: "", auth, missing: undefined } : await findCookie(name);
  try {
    return await setUp(name, cookie);
  } catch (cause) {
    throw openError(name, cause as Error, cookie);
  }
}

function isNoDisplay(name: string): boolean {
  const number = tryTo(() => parseDisplayName(name).displayNum) ?? Infinity;
  return number > MAX_NUMBER; // there is no such port
}

/** {@link X11Connection.call} flushes the requests that wait for a reply. */
const BUFFERING = { flushOnReply: false };

async function setUp(name: string, cookie: CookieSearch): Promise<XSetup> {
  const { promise, resolve, reject } = Promise.withResolvers<XSetup>();
  let client: XClient | undefined;
  let refusal: Error | undefined;
  try {
    client = createClient(
      { display: name, bufferRequests: BUFFERING, auth: cookie.auth },
      (error, setup) => error ? reject(error) : resolve(setup),
    );
    // errors of requests without a callback, and of the socket, whose end is reported by "end" and
    // "close"
    client.on("error", (error: Error) => {
      if (REFUSAL.test(error.message)) refusal ??= error;
    });
    return await inTime(promise, OPEN_TIMEOUT_MS, () => new Error("it does not respond"));
  } catch (error) {
    client?.stream?.destroy(); // leave no unused connections on a hung server
    throw refusal ?? error;
  }
}

function openError(name: string, cause: Error, cookie: CookieSearch): XOpenError {
  const reason = cause.message.match(REFUSAL)?.[1]?.trim().replace(/\s+/g, " ");
  if (reason === undefined) return absent(name, cause);
  const why = UNAUTHORIZED.test(reason) ? describeCookie(cookie, reason) : reason;
  return new XOpenError("refused", `the X server at "${name}" refuses the connection: ${why}`, {
    cause,
  });
}

function describeCookie({ file, missing }: CookieSearch, reason: string): string {
  const what = missing ?? `the cookie in "${file}" is not the server's (${reason})`;
  return `${what}. ${ADVICE}`;
}

function absent(name: string, cause: Error): XOpenError {
  return new XOpenError("absent", `no X server answers at "${name}"`, { cause });
}

// Reads the cookie for an X server from the Xauthority file. Source of the format: Xsecurity(7) and
// libXau's `Xau.h`. The x11 package looks for it too, but ends the process when the file cannot be
// read, and does not report why there is none.

interface CookieSearch {
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
export interface Cookie {
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

async function findCookie(display: string): Promise<CookieSearch> {
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
