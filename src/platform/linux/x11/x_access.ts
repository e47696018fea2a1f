/**
 * Restricts a virtual display to the user of the service; no other user of the machine can connect.
 *
 * The server starts with a random cookie, so that no program can connect without it. With that
 * cookie we tell the server to admit every program of our own user (`xhost +si:localuser:...`),
 * whose identity the kernel vouches for. The cookie is not needed after that: an xterm that the
 * user starts by hand with only `DISPLAY=:n` works without `XAUTHORITY`.
 */

import x11 from "x11";
import { CARDINAL, MARK, REPLACE } from "./display_mark.ts";
import { connectLocally } from "./local_stream.ts";

export interface Cookie extends Disposable {
  /** The file for Xvfb's `-auth`, readable only by the user. */
  readonly path: string;
  readonly value: string;
}

const PROTOCOL = "MIT-MAGIC-COOKIE-1";
/** The family of an Xauthority entry that is valid for every address. */
const FAMILY_WILD = 0xffff;
/** The family in a ChangeHosts request for an address that the server interprets. */
const FAMILY_SERVER_INTERPRETED = 5;
const INSERT = 0;

/** Writes a new cookie into a temporary file; disposing removes the file. */
export function createCookie(): Cookie {
  const value = crypto.randomUUID().replaceAll("-", "");
  const path = Deno.makeTempFileSync({ prefix: "computer-control-", suffix: ".xauth" });
  Deno.writeFileSync(path, formatEntry(value), { mode: 0o600 });
  return { path, value, [Symbol.dispose]: () => Deno.removeSync(path) };
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
      const setNumber = (name: string, value: number, then: () => void) =>
        client.InternAtom(false, name, (error: unknown, atom: number) => {
          if (error) return fail(error);
          client.ChangeProperty(REPLACE, screen[0].root, atom, CARDINAL, 32, [value]);
          then();
        });
      setNumber(MARK, Deno.pid, () =>
        setNumber(DESKTOPS, 1, () => {
          client.ChangeHosts(INSERT, FAMILY_SERVER_INTERPRETED, address);
          client.close(() => {
            clearTimeout(timer);
            resolve();
          });
        }));
    });
    client.on("error", fail);
  });
}

/**
 * Encodes one entry of an Xauthority file: the family, then address, display, protocol and cookie,
 * each preceded by its length.
 */
function formatEntry(cookie: string): Uint8Array {
  const encoder = new TextEncoder();
  const fields = ["", "", PROTOCOL, cookie].map((text) => encoder.encode(text));
  const counted = fields.flatMap((field) => [...uint16(field.length), ...field]);
  return new Uint8Array([...uint16(FAMILY_WILD), ...counted]);
}

function uint16(value: number): number[] {
  return [value >> 8, value & 0xff];
}
