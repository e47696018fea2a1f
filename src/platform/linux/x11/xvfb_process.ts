/**
 * Runs one Xvfb process: ready when it accepts connections, and ended together with the service,
 * however that ends.
 */

import { NumberTakenError } from "./display_number.ts";
import { type ProcessIdentity, readIdentity } from "../process_identity.ts";
import { EndedEarlyError, startSupervised } from "../supervised_server.ts";
import { admitUser, createCookie } from "./x_access.ts";

export interface XvfbOptions {
  /** `1280x800`. */
  readonly size: string;
  /** The X display to create: `:99`. */
  readonly display: string;
  readonly uid: number;
  /** How long startup is allowed to take, in milliseconds. */
  readonly startMs?: number;
  /** A program to run instead of Xvfb, with the same arguments. */
  readonly program?: string;
}

export interface XvfbProcess {
  /** `:99`. */
  readonly display: string;
  readonly cookie: string;
  /** The server process, if it can be identified. */
  readonly identity: ProcessIdentity | undefined;
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the server and waits until it is gone. */
  end(): Promise<void>;
}

/** The error output of a server whose display number is taken. */
const TAKEN = /already running|already active/i;

/**
 * @throws NumberTakenError when another server has the display; Error when this one does not start.
 */
export async function startXvfb(options: XvfbOptions): Promise<XvfbProcess> {
  const { size, display, uid, startMs, program = "Xvfb" } = options;
  using cookie = createCookie();
  const server = await startSupervised({
    command: [
      ...[program, display, "-displayfd", "1", "-screen", "0", `${size}x24`],
      ...["-auth", cookie.path, "-noreset", "-nolisten", "tcp"],
    ],
    isReady: (lines) => lines.includes(display.slice(1)),
    ...(startMs === undefined ? {} : { startMs }),
    name: "Xvfb",
  }).catch((error) => {
    if (!(error instanceof EndedEarlyError) || !TAKEN.test(error.said)) throw error;
    throw new NumberTakenError(`"${display}" is taken`);
  });
  try {
    // The server has read the cookie file once the first client has connected with it.
    await admitUser(display, cookie, uid);
  } catch (error) {
    await server.kill();
    throw error;
  }
  const identity = readIdentity(server.pid);
  return { display, cookie: cookie.value, identity, ended: server.ended, end: server.end };
}
