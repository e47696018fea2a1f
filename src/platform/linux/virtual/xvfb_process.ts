/**
 * Runs one Xvfb process: ready when it accepts connections, and ended together with the service,
 * however that ends.
 */

import x11 from "x11";
import { inTime } from "../../../core/deadline.ts";
import { tryTo } from "../../../core/errors.ts";
import { type ProcessIdentity, readIdentity } from "../process/process_identity.ts";
import type { Server } from "./restarted_server.ts";
import { EndedEarlyError, startSupervised } from "./supervised_server.ts";
import { COOKIE_PROTOCOL, FAMILY_WILD } from "../x11/cookie.ts";
import { MARK, NumberTakenError } from "../displays/find_display.ts";
import { connectLocally } from "../x11/local_stream.ts";
import { PREDEFINED, REPLACE } from "../x11/protocol_values.ts";

interface XvfbOptions {
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

export interface XvfbProcess extends Server {
  /** `:99`. */
  readonly display: string;
  readonly cookie: string;
  /** The server process, if it can be identified. */
  readonly identity: ProcessIdentity | undefined;
}

/** The error output of a server whose display number is in use. */
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
    temporary: cookie.path,
    isReady: (lines) => lines.includes(display.slice(1)),
    ...(startMs === undefined ? {} : { startMs }),
    name: "Xvfb",
  }).catch((error) => {
    if (!(error instanceof EndedEarlyError) || !TAKEN.test(error.said)) throw error;
    throw new NumberTakenError(`"${display}" is in use`);
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

// Restricts a virtual display to the user of the service; no other user of the machine can connect.
//
// The server starts with a random cookie, so that no program can connect without it. With that
// cookie we tell the server to admit every program of our own user (`xhost +si:localuser:...`),
// whose identity the kernel vouches for. The cookie is not needed after that: an xterm that the
// user starts by hand with only `DISPLAY=:n` works without `XAUTHORITY`.

interface Cookie extends Disposable {
  /** The file for Xvfb's `-auth`, readable only by the user. */
  readonly path: string;
  readonly value: string;
}

/** The family in a ChangeHosts request for an address that the server interprets. */
const FAMILY_SERVER_INTERPRETED = 5;
const INSERT = 0;

/** Writes a new cookie into a temporary file; disposing removes the file, unless it is gone with the server. */
function createCookie(): Cookie {
  const value = crypto.randomUUID().replaceAll("-", "");
  const path = Deno.makeTempFileSync({ prefix: "computer-control-", suffix: ".xauth" });
  Deno.writeFileSync(path, formatEntry(value), { mode: 0o600 });
  return { path, value, [Symbol.dispose]: () => tryTo(() => Deno.removeSync(path)) };
}

/** How many desktops there are, which openbox reads at its start in place of its configuration. */
const DESKTOPS = "_NET_NUMBER_OF_DESKTOPS";

/** How long the server has to admit the user. */
const ADMIT_MS = 5_000;

/**
 * Marks the display as virtual and gives it a single desktop, then admits every program of the user
 * `uid`. With several desktops, openbox's default, a turn of the wheel beside all windows goes to
 * another desktop: every window vanishes, and what is typed next reaches nothing.
 * @throws Error when the server refuses or does not answer in time.
 */
async function admitUser(display: string, cookie: Cookie, uid: number): Promise<void> {
  const address = new TextEncoder().encode(`localuser\0#${uid}`);
  const options = {
    display,
    shm: false,
    disableBigRequests: true,
    stream: connectLocally(display),
    auth: { name: COOKIE_PROTOCOL, data: cookie.value },
  };
  const { promise: admitted, resolve, reject } = Promise.withResolvers<void>();
  // deno-lint-ignore no-explicit-any -- the package has no types
  const client = x11.createClient(options, (error: unknown, opened: any) => {
    if (error) return reject(error);
    // deno-lint-ignore no-explicit-any
    const { client, screen } = opened as any;
    client.atoms = { ...client.atoms }; // the package has one table for all servers
    const setNumber = (name: string, value: number, then: () => void) =>
      client.InternAtom(false, name, (error: unknown, atom: number) => {
        if (error) return reject(error);
        client.ChangeProperty(REPLACE, screen[0].root, atom, PREDEFINED.CARDINAL, 32, [value]);
        then();
      });
    setNumber(MARK, Deno.pid, () =>
      setNumber(DESKTOPS, 1, () => {
        client.ChangeHosts(INSERT, FAMILY_SERVER_INTERPRETED, address);
        client.close(() => resolve());
      }));
  });
  client.on("error", reject);
  try {
    const late = () => new Error(`"${display}" did not respond within ${ADMIT_MS / 1_000} s`);
    await inTime(admitted, ADMIT_MS, late);
  } catch (error) {
    client.stream?.destroy();
    throw error;
  }
}

/**
 * Encodes one entry of an Xauthority file: the family, then address, display, protocol and cookie,
 * each preceded by its length.
 */
function formatEntry(cookie: string): Uint8Array {
  const encoder = new TextEncoder();
  const fields = ["", "", COOKIE_PROTOCOL, cookie].map((text) => encoder.encode(text));
  const counted = fields.flatMap((field) => [...uint16(field.length), ...field]);
  return new Uint8Array([...uint16(FAMILY_WILD), ...counted]);
}

function uint16(value: number): number[] {
  return [value >> 8, value & 0xff];
}
