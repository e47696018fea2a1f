/** Opens a connection to an X server, and explains a failure. */

import { inTime } from "../../../core/deadline.ts";
import { ServiceError, tryTo } from "../../../core/errors.ts";
import { createClient, parseDisplayName, type XClient, type XSetup } from "./client.ts";
import { type CookieSearch, findCookie } from "./cookie.ts";

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

/** @throws XOpenError */
export async function setUpConnection(name: string): Promise<XSetup> {
  if (isNoDisplay(name)) throw absent(name, new Error("there is no display of this name"));
  const cookie = await findCookie(name);
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
      { display: name, bufferRequests: BUFFERING, shm: false, auth: cookie.auth },
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
