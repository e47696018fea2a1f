/** Starts the programs of `--open` when display 1 is available, and ends them with the service. */

import type { Config } from "../config/config.ts";
import { poll } from "../core/deadline.ts";
import type { Log } from "../core/log.ts";
import { pollUntil } from "../features/window/window_answer.ts";
import type { Host } from "../platform/host.ts";
import { makeOwnedFolder } from "../platform/owned_folder.ts";
import { type OpenedProgram, startOpenedProgram } from "../platform/posix/opened_program.ts";
import type { Platform } from "../platform/types/mod.ts";
import { findOpener, isAddress, openCommand, type Opening } from "./open_command.ts";

interface OpenOptions {
  readonly host: Host;
  readonly platform: Pick<Platform, "displays" | "virtual">;
  readonly home: string;
  /** The folder for relative paths. */
  readonly cwd: string;
  readonly log: Log;
  /** Where they are opened, if not on display 1. */
  readonly display?: string;
}

/** Pause between two attempts to find the display. */
const RETRY_INTERVAL_MS = 2_000;

/** Starts in the background and never throws: failures are logged. */
export function openPrograms(openings: readonly Opening[], options: OpenOptions): AsyncDisposable {
  const { log } = options;
  const stopping = new AbortController();
  const programs: OpenedProgram[] = [];
  const profiles: string[] = [];
  const opening = openings.length === 0 ? Promise.resolve() : openAll();

  async function openAll(): Promise<void> {
    const display = options.display ??
      await waitForDisplay(options.platform.displays, stopping.signal);
    for (const each of openings) {
      if (display === undefined || stopping.signal.aborted) return;
      try {
        await open(each, display);
      } catch (error) {
        log.error("cannot open", { program: each.text, error: (error as Error).message });
      }
    }
  }

  async function open(each: Opening, display: string): Promise<void> {
    const { host, home, cwd, platform: { virtual } } = options;
    const { DISPLAY, WAYLAND_DISPLAY } = host.env;
    const isOwn = host.os === "linux" && display !== DISPLAY && display !== WAYLAND_DISPLAY;
    const needsProfile = isOwn && isAddress(each.text);
    const profile = needsProfile ? await makeOwnedFolder(PROFILE_PREFIX) : undefined;
    if (profile !== undefined) profiles.push(profile);
    const started = virtual?.display === display ? virtual.variables : undefined;
    const env = programEnvironment(host, { display: isOwn ? display : undefined, started });
    const program = startOpenedProgram(openCommand(each, host, { cwd, profile }), env, home);
    programs.push(program);
    log.info("opened", { program: each.text, display });
    program.ended.then(({ code, lastLine }) => {
      if (stopping.signal.aborted) return;
      const said = lastLine === "" ? {} : { said: lastLine };
      log[code === 0 ? "info" : "error"]("opened program has ended", {
        program: each.text,
        code,
        ...said,
      });
    });
  }

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await opening;
      await Promise.all(programs.map((program) => program.end()));
      for (const path of profiles) await Deno.remove(path, { recursive: true }).catch(() => {});
    },
  };
}

/** As that of a browser which the service controls. */
const PROFILE_PREFIX = "computer-control-browser-";

interface ProgramDisplay {
  /** A display that is not the session's. */
  readonly display: string | undefined;
  /** The variables of the one that the service has started. */
  readonly started: Readonly<Record<string, string>> | undefined;
}

/** On a display of its own, hides the session's displays of the other kind from the program. */
function programEnvironment(
  host: Host,
  { display, started }: ProgramDisplay,
): Record<string, string> {
  const { WAYLAND_DISPLAY: _, DISPLAY: __, ...rest } = host.env;
  const isX = display !== undefined && /:\d+(\.\d+)?$/.test(display);
  const own = started ?? (isX ? { DISPLAY: display } : { WAYLAND_DISPLAY: display });
  const all = Object.entries(display === undefined ? host.env : { ...rest, ...own });
  return Object.fromEntries(
    all.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Its name; `undefined` when the service ends before. */
async function waitForDisplay(
  displays: Platform["displays"],
  signal: AbortSignal,
): Promise<string | undefined> {
  const findPrimary = async () =>
    (await displays.list().catch(() => [])).find(({ primary }) => primary)?.name;
  const polling = { everyMs: RETRY_INTERVAL_MS, timeoutMs: Infinity, signal };
  return await poll(findPrimary, polling).catch(() => undefined); // aborted
}

// The console (`--open-console`), in the browser of this desktop's user, where there is one.

/**
 * Never throws: it can be opened by hand.
 * @param address without a token: the arguments of a program can be seen by every user
 */
export function showConsole(address: string, options: OpenOptions): AsyncDisposable | undefined {
  const { host, log } = options;
  const display = ownDisplay(host);
  if (display !== undefined && findOpener(host) !== undefined) {
    return openPrograms([{ text: address, words: [] }], { ...options, display });
  }
  log.warn("cannot open the console: open its address in a browser", { address });
  return undefined;
}

function ownDisplay({ os, env: { DISPLAY, WAYLAND_DISPLAY } }: Host): string | undefined {
  if (os === "darwin") return "desktop";
  return os === "linux" ? DISPLAY ?? WAYLAND_DISPLAY : undefined;
}

// The demo: a terminal that `deno task start` opens on an empty virtual display, where the first
// calls of the README click and type, so that the first picture shows something.

const TITLE = "Demo of the Computer Control Service";
const DEMO: Opening = {
  text: "a terminal, as a demo (--open opens something else)",
  words: [
    ...["xterm", "-u8", "-fa", "DejaVu Sans Mono", "-fs", "12", "-geometry", "80x24+0+0"],
    ...["-T", TITLE, "-e", "sh", "-c", "PS1='$ ' exec bash --norc"],
  ],
};
/** Several times what the very first start of a terminal takes, which reads all fonts. */
const VISIBLE_MS = 10_000;

/**
 * What `deno task start` opens: the demo, where there is an empty virtual display, nothing else was
 * asked for and everything is allowed.
 */
export function withDemo(
  { open, openBrowser, disabled, readOnly }: Config,
  host: Host,
  { virtual }: Pick<Platform, "virtual">,
): Config["open"] {
  const isEmpty = open.length === 0 && openBrowser === undefined && virtual !== undefined;
  const isAllowed = disabled.size === 0 && !readOnly;
  const isThere = host.which("xterm") !== undefined && host.which("bash") !== undefined;
  return isEmpty && isAllowed && isThere && "DISPLAY" in virtual.variables ? [DEMO] : open;
}

/** Resolves when the demo, if it is opened at all, is visible, and after 10 s anyway; never throws. */
export async function demoIsVisible(
  open: Config["open"],
  { displays }: Pick<Platform, "displays">,
  signal: AbortSignal,
): Promise<void> {
  if (!open.includes(DEMO)) return;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(VISIBLE_MS)]);
  try {
    const { windows } = await displays.open(1);
    if (!windows.ready) return;
    const all = () => windows.use.list(limit);
    await pollUntil(
      windows.use,
      limit,
      async () => (await all()).some(({ title }) => title === TITLE),
    );
  } catch {
    // then the first picture shows less
  }
}
