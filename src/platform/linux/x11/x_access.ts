/**
 * Who may connect to a virtual display: the user of the service and nobody else on the machine.
 *
 * The server starts with a random cookie, so that nobody can connect. With that cookie we tell it to
 * let in every program of our own user (`xhost +si:localuser:...`), which the kernel vouches for.
 * After that the cookie is not needed any more: an xterm that the user starts by hand with only
 * `DISPLAY=:n` works, without an `XAUTHORITY`.
 */

import x11 from "x11";
import { CARDINAL, MARK, REPLACE } from "./display_mark.ts";
import { connectLocally } from "./local_stream.ts";

export interface Cookie extends Disposable {
  /** The file for Xvfb's `-auth`, readable by the user alone. */
  readonly path: string;
  readonly value: string;
}

const PROTOCOL = "MIT-MAGIC-COOKIE-1";
/** Of an Xauthority entry: valid for every address. */
const FAMILY_WILD = 0xffff;
/** Of the ChangeHosts request: an address that the server interprets. */
const FAMILY_SERVER_INTERPRETED = 5;
const INSERT = 0;

/** Writes a new cookie into a temporary file that disposing removes. */
export function createCookie(): Cookie {
  const value = crypto.randomUUID().replaceAll("-", "");
  const path = Deno.makeTempFileSync({ prefix: "computer-control-", suffix: ".xauth" });
  Deno.writeFileSync(path, formatEntry(value), { mode: 0o600 });
  return { path, value, [Symbol.dispose]: () => Deno.removeSync(path) };
}

/** How long the server may take for it. */
const ADMIT_MS = 5_000;

/**
 * Marks the display as virtual, then lets every program of the user `uid` connect to it.
 * @throws Error when the server refuses, or does not answer in time.
 */
export function admitUser(display: string, cookie: Cookie, uid: number): Promise<void> {
  const address = new TextEncoder().encode(`localuser\0#${uid}`);
  const options = {
    ...{ display, shm: false, disableBigRequests: true },
    ...connectLocally(display),
    auth: { name: PROTOCOL, data: cookie.value },
  };
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      clearTimeout(timer);
      client.stream?.destroy();
      reject(error);
    };
    const late = new Error(`"${display}" did not answer within ${ADMIT_MS / 1_000} s`);
    const timer = setTimeout(() => fail(late), ADMIT_MS);
    // deno-lint-ignore no-explicit-any -- the package has no types
    const client = x11.createClient(options, (error: unknown, opened: any) => {
      if (error) return fail(error);
      // deno-lint-ignore no-explicit-any
      const { client, screen } = opened as any;
      client.atoms = { ...client.atoms }; // the package has one table for all servers
      client.InternAtom(false, MARK, (error: unknown, atom: number) => {
        if (error) return fail(error);
        client.ChangeProperty(REPLACE, screen[0].root, atom, CARDINAL, 32, [Deno.pid]);
        client.ChangeHosts(INSERT, FAMILY_SERVER_INTERPRETED, address);
        client.close(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    });
    client.on("error", fail);
  });
}

/** One entry of an Xauthority file: family, address, display, protocol and cookie, each with its length. */
function formatEntry(cookie: string): Uint8Array {
  const encoder = new TextEncoder();
  const fields = ["", "", PROTOCOL, cookie].map((text) => encoder.encode(text));
  const counted = fields.flatMap((field) => [...uint16(field.length), ...field]);
  return new Uint8Array([...uint16(FAMILY_WILD), ...counted]);
}

function uint16(value: number): number[] {
  return [value >> 8, value & 0xff];
}
