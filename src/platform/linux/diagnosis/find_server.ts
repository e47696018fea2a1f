/** Finds the X server that would be display 1, as the start does, without changing anything. */

import type { Config } from "../../../config/config.ts";
import { DEFAULT_VIRTUAL_SCREEN } from "../../../config/options.ts";
import { failed, note, ok, sinceText, type Verdict } from "../../diagnosis/verdict.ts";
import type { Host } from "../../host.ts";
import { X11Connection } from "../x11/connection.ts";
import { checkGuess } from "../x11/display_guess.ts";
import { socketPath, startOnFreeNumber } from "../x11/display_number.ts";
import { candidatesFor } from "../x11/find_display.ts";
import { describeOpenFailure, isRefused } from "../x11/open_failure.ts";
import { startXvfb } from "../x11/xvfb_process.ts";
import { installCommand } from "./install.ts";

/** How long a server for the test may take to start, on a busy computer too. */
const START_MS = 8_000;
/** The time limit of {@link findServer} where that may start a server. */
export const FIND_MS = 10_000;

export interface FoundServer {
  readonly verdict: Verdict;
  readonly connection?: X11Connection;
  /** Whether it is a server that was started for the test. */
  readonly isOwn?: boolean;
}

export interface Session {
  readonly host: Host;
  readonly config: Config;
  /** Why this version cannot serve the session. */
  readonly refusal: string | undefined;
}

/** @param atEnd ends a server that was started for the test */
export async function findServer(
  { host, config, refusal }: Session,
  atEnd: AsyncDisposableStack,
): Promise<FoundServer> {
  const named = config.displays.get(1);
  if (named !== undefined) return await openNamed(named, "given by --display");
  if (config.virtualDisplay !== undefined) {
    return await startVirtual(host, config, atEnd, "as --virtual-display asks");
  }
  const [candidate] = candidatesFor(host, config, { refusal });
  if (host.env["DISPLAY"]) return await openNamed(host.env["DISPLAY"], "it is $DISPLAY");
  if (candidate === undefined) return { verdict: failed(refusal!, await elsewhere()) };
  try {
    await checkGuess(candidate, host.uid);
    return await openNamed(candidate, "an X server of this user answers there");
  } catch (error) {
    if (isRefused(error)) return { verdict: await openingFailed(candidate, error) };
    return await startVirtual(host, config, atEnd, "because this computer has no display");
  }
}

/** Whether a display that is not number 1 can be opened. */
export async function checkOther(xDisplay: string): Promise<Verdict> {
  const { verdict, connection } = await openNamed(xDisplay, "given by --display");
  connection?.[Symbol.dispose]();
  return verdict;
}

/** What mends a server that accepts a connection and says nothing. */
export function hangingServer(xDisplay: string | undefined) {
  const which = xDisplay === undefined ? "the X server" : `the X server at "${xDisplay}"`;
  return {
    detail: `${which} takes the connection and does not answer: it hangs, or was stopped`,
    mend: "--virtual-display, or end that server and start it again",
  };
}

async function openNamed(xDisplay: string, how: string): Promise<FoundServer> {
  const start = performance.now();
  try {
    const connection = await X11Connection.open(xDisplay);
    const { size, screen } = connection;
    const about = `${size.width}x${size.height}, ${screen.root_depth} bits deep`;
    const verdict = ok(`"${xDisplay}" (${how}): ${about}, opened in ${sinceText(start)}`);
    return { connection, verdict };
  } catch (error) {
    return { verdict: await openingFailed(xDisplay, error) };
  }
}

async function openingFailed(xDisplay: string, error: unknown): Promise<Verdict> {
  // the advice at its end is the command that is shown on a line of its own
  const detail = describeOpenFailure(xDisplay, error).split(". Run ")[0]!;
  if (!isRefused(error)) return failed(detail, await elsewhere(xDisplay));
  const admit = `xhost "+si:localuser:$(id -un)" in a terminal of that session`;
  return failed(detail, `${admit}, or XAUTHORITY=<file with its cookie>`);
}

/** Names the X servers of this computer that accept connections. */
async function elsewhere(besides?: string): Promise<string> {
  const found: string[] = [];
  for (const number of await servedNumbers()) {
    if (`:${number}` !== besides?.replace(/\.0$/, "")) found.push(`--display :${number}`);
  }
  return [...found.slice(0, 3), "--virtual-display"].join(", or ");
}

async function servedNumbers(): Promise<number[]> {
  const numbers: number[] = [];
  try {
    for await (const { name } of Deno.readDir("/tmp/.X11-unix")) {
      const [, number] = /^X(\d{1,5})$/.exec(name) ?? [];
      if (number !== undefined && await accepts(Number(number))) numbers.push(Number(number));
    }
  } catch {
    // no server was ever started
  }
  return numbers.sort((a, b) => a - b);
}

async function accepts(number: number): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path: socketPath(number) })).close();
    return true;
  } catch {
    return false;
  }
}

async function startVirtual(
  host: Host,
  config: Config,
  atEnd: AsyncDisposableStack,
  why: string,
): Promise<FoundServer> {
  if (host.which("Xvfb") === undefined) return { verdict: withoutXvfb(host, config, why) };
  const { width, height } = config.virtualDisplay ?? DEFAULT_VIRTUAL_SCREEN;
  const start = performance.now();
  const options = { size: `${width}x${height}`, uid: host.uid ?? 0, startMs: START_MS };
  try {
    const server = await startOnFreeNumber(
      (display) => startXvfb({ ...options, display }),
      new Set(),
    );
    atEnd.defer(() => server.end());
    const took = sinceText(start);
    const connection = await X11Connection.open(server.display);
    const verdict = ok(`a virtual display of ${width}x${height}, ${why}, starts in ${took}`);
    return { connection, verdict, isOwn: true };
  } catch (error) {
    const detail = `the virtual display does not start: ${(error as Error).message}`;
    return { verdict: failed(detail, installCommand(host, ["xvfb"], "--reinstall ")) };
  }
}

function withoutXvfb(host: Host, { setup }: Config, why: string): Verdict {
  const detail = `a virtual display is needed, ${why}, and Xvfb is not installed`;
  const mend = installCommand(host, ["xvfb", "openbox", "dbus-daemon", "at-spi2-core"]);
  const isInstalledByStart = setup && host.uid === 0 && host.which("apt-get") !== undefined;
  return isInstalledByStart ? note(`${detail}: the start installs it`, mend) : failed(detail, mend);
}
