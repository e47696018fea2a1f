/**
 * The Linux platform: the display of a backend or X displays, with a virtual one when there is none.
 */

import { within } from "../../core/deadline.ts";
import type { Config } from "../../config/config.ts";
import { ServiceError } from "../../core/errors.ts";
import { type Log, log } from "../../core/log.ts";
import { type Backend, chooseBackend, type ChosenBackend } from "./displays/backends.ts";
import { findRecordFolders } from "../browser/browser_records.ts";
import { openBrowser } from "../browser/open_browser.ts";
import { isOwn, type OpenDisplay, type OwnDisplays, type VirtualDisplay } from "./linux_display.ts";
import { LinuxDisplays } from "./displays/displays.ts";
import { openLinuxFileSystem } from "./files/file_system.ts";
import type { Host } from "../host.ts";
import { type OpenedKeychain, openKeychain } from "../keychain/open_keychain.ts";
import type { BackendChoice, Platform } from "../types/mod.ts";
import {
  candidatesFor,
  checkGuess,
  findDisplay,
  type FirstDisplay,
  type StartVirtual,
  unboundError,
} from "./displays/find_display.ts";
import { secretService } from "./secret_service/keychain.ts";
import { openProcessTable } from "./process/process_table.ts";
import { openLinuxProcesses } from "./process/processes.ts";
import { startVirtualDisplay } from "./virtual/x_display.ts";
import { openPeers } from "./sockets/peers.ts";
import { clearDesk, deskVariables, OpenDesks } from "./virtual/desk.ts";
import type { WaylandBackend } from "./wayland/backend.ts";
import { findSessionAccessibilityBus } from "./atspi/find_bus.ts";
import { openX11Display } from "./x11/display.ts";

/** How long startup waits for a named display: as long as for a server that does not answer. */
const FIRST_TRY_MS = 5_000;

/** External dependencies of opening; tests replace them. */
export interface Openers {
  readonly openX11: OpenDisplay;
  /** Every backend when absent. */
  readonly backends?: readonly Backend[];
  /** Every one when absent. */
  readonly waylandBackends?: readonly WaylandBackend[];
  /**
   * Throws when an X server that was not named explicitly must not be taken for the user's desktop.
   */
  checkGuess(xDisplay: string): Promise<void>;
  readonly startVirtual: StartVirtual;
  readonly log: Log;
}

/** What a desk has of the service: it is not opened anew, and does not end with the desk. */
interface Shared extends OpenedKeychain {
  readonly stateDirs: readonly string[];
  readonly peers: Platform["peers"];
}

export async function openLinux(
  host: Host,
  config: Config,
  openers: Openers = realOpeners(host, config),
  shared?: Shared,
): Promise<Platform> {
  const files = openLinuxFileSystem();
  const secrets = secretService(host, { timeoutMs: config.limits.keychainTimeoutMs });
  const opening = shared ?? openKeychain(config, secrets, files);
  const { openX11, startVirtual, waylandBackends, log } = openers;
  const backend = chooseBackend({ host, config, log, openX11, waylandBackends }, openers.backends);
  const { ownDisplay } = backend;
  const candidates = candidatesFor(host, config, { refusal: backend.refusal(), ownDisplay });
  const isBound = ownDisplay !== undefined && candidates.length === 1;
  let found: FirstDisplay = { reason: "" };
  const desks = new OpenDesks();
  const displays = new LinuxDisplays({
    bound: isBound ? new Map([...config.displays, [1, ownDisplay.name]]) : config.displays,
    candidates,
    refusal: shared === undefined
      ? (name) => desks.has(name) ? "it is that of a desk, which is used by its name" : undefined
      : (name) => name === found.virtual?.display ? undefined : "a desk has display 1 only",
    checkCandidate: async (name) => {
      if (!host.env["DISPLAY"] && !isOwn(ownDisplay, name)) await openers.checkGuess(name);
    },
    unbound: (failures) =>
      unboundError(failures, {
        advice: found.reason,
        refusal: ownDisplay?.otherwise ? undefined : backend.refusal(), // else that is waited for
      }),
    log,
    async open(displayNum, name) {
      checkRunning(found.virtual, name);
      const { virtual } = found;
      const open = virtual?.display === name && virtual.session?.open || backend.open;
      return await open(displayNum, name);
    },
    backend,
  });
  await backend.prepare();
  if (ownDisplay === undefined) {
    found = await findDisplay(host, config, { displays, startVirtual, refusal: backend.refusal });
  }
  if (found.virtual !== undefined) displays.bind(1, found.virtual.display);
  if (displays.boundTo(1) !== undefined || ownDisplay !== undefined) await tryOnce(displays, log);

  const variables = (name: string) => {
    if (isOwn(ownDisplay, name)) return ownDisplay!.variables;
    return found.virtual?.display === name ? found.virtual.variables : { DISPLAY: name };
  };
  const display = () => displays.boundTo(1);
  const processes = openLinuxProcesses(host, config, { display, variables });
  const stateDirs = shared?.stateDirs ?? await findRecordFolders(host, config.stateDir);
  const browser = openBrowser(host, { ...config, stateDirs }, () => {
    const name = display();
    return name === undefined ? undefined : variables(name);
  });
  const { keychain, choice } = await opening;
  const ownPeers = shared === undefined ? openPeers(stateDirs) : undefined;
  const peers = shared?.peers ?? ownPeers!;
  return {
    system: "linux",
    displays,
    keychain,
    peers,
    processes: { ready: true, use: processes },
    processTable: { ready: true, use: openProcessTable() },
    files,
    browser,
    virtual: found.virtual,
    backends: () => [
      displayChoice(displays, found, backend),
      inputChoice(displays, found, backend),
      choice,
    ],
    async openDesk(options) {
      const parts = { keychain, choice, peers, stateDirs };
      return await desks.open(host, config, {
        ...options,
        open: (host, config) => {
          return openLinux(host, config, realOpeners(host, config, deskVariables(host)), parts);
        },
      });
    },
    endDesk: (folder) => clearDesk(host, folder),
    async [Symbol.asyncDispose]() {
      await using ending = new AsyncDisposableStack(); // in reverse; what fails keeps nothing else
      if (keychain.ready && shared === undefined) ending.use(keychain.use);
      if (shared === undefined) ending.use(found.virtual);
      ending.use(backend);
      ending.use(displays);
      if (shared !== undefined) ending.use(found.virtual); // one that hangs holds up nobody else
      ending.use(processes);
      if (ownPeers?.ready) ending.use(ownPeers.use);
      if (browser.ready) ending.use(browser.use);
    },
  };
}

/** @param more variables of the programs on a virtual display */
function realOpeners(
  host: Host,
  config: Config,
  more: Readonly<Record<string, string>> = {},
): Openers {
  const { limits: { keymapSettleMs }, stateDir, token } = config;
  return {
    openX11: (displayNum, xDisplay) =>
      openX11Display({
        displayNum,
        xDisplay,
        keymapSettleMs,
        ...(isOfSession(host, xDisplay) && {
          findAccessibilityBus: () => findSessionAccessibilityBus(host),
        }),
      }),
    checkGuess: (xDisplay) => checkGuess(xDisplay, host.uid),
    async startVirtual(size) {
      const variables = { ...localeWithAllCharacters(host), ...more };
      if (size.server !== "wayland") {
        return await startVirtualDisplay(host, { size, stateDir, token, more: variables, log });
      }
      const { startVirtualWayland } = await import("./virtual/wayland_display.ts");
      return startVirtualWayland(host, { size, config, more: variables, log });
    },
    log,
  };
}

/**
 * Where the environment names no locale, as in a container, programs such as xterm would show ASCII
 * only.
 */
function localeWithAllCharacters({ env }: Host): Readonly<Record<string, string>> {
  return env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] ? {} : { LANG: "C.UTF-8" };
}

/** Whether programs of the session show on a display. */
function isOfSession({ env }: Host, xDisplay: string): boolean {
  const own = env["DISPLAY"];
  return !own || own === xDisplay || own === `${xDisplay}.0`;
}

/**
 * While the virtual display restarts, its server can already answer but does not admit clients yet.
 */
function checkRunning(virtual: VirtualDisplay | undefined, xDisplay: string): void {
  if (virtual === undefined || virtual.display !== xDisplay || virtual.running) return;
  throw new ServiceError(
    "unavailable",
    `The virtual display "${xDisplay}" is being restarted: try again in a moment`,
  );
}

/**
 * Opens display 1, so that its reported state is accurate; the display can also appear later.
 */
async function tryOnce(displays: LinuxDisplays, log: Log): Promise<void> {
  const opened = Promise.resolve(displays.open(1)).catch(() => {}); // describeState() has it
  await within(opened, FIRST_TRY_MS);
  const name = displays.boundTo(1);
  if (name === undefined) return;
  const { open, why } = displays.describeState(name);
  if (!open) log.warn("display cannot be opened yet", { display: 1, to: name, why });
}

function displayChoice(
  displays: LinuxDisplays,
  found: FirstDisplay,
  backend: ChosenBackend,
): BackendChoice {
  const { ownDisplay } = backend;
  const bound = displays.boundTo(1);
  if (bound === undefined) {
    const reason = found.reason || backend.refusal() || "no X server has answered yet";
    return { job: "display", chosen: null, reason };
  }
  const reason = `display 1 is "${bound}": ${describeBinding(bound, found, backend)}`;
  const { open, why } = displays.describeState(bound);
  if (open) {
    const chosen = isOwn(ownDisplay, bound) ? backend.name : sessionOf(bound, found)?.backend;
    return { job: "display", chosen: chosen ?? "x11", reason };
  }
  return { job: "display", chosen: null, reason: `${reason}, but it cannot be opened now: ${why}` };
}

function describeBinding(bound: string, { reason }: FirstDisplay, backend: ChosenBackend): string {
  const { ownDisplay } = backend;
  if (isOwn(ownDisplay, bound)) return backend.reason;
  if (ownDisplay === undefined) return reason || "it answered after the start";
  const why = backend.refusal() ?? `the compositor at "${ownDisplay.name}" did not respond`;
  return `it is $DISPLAY, the XWayland server of a Wayland session: only X programs are visible and ` +
    `controlled. ${why}`;
}

/** The session of a virtual display that is no X display. */
function sessionOf(bound: string, { virtual }: FirstDisplay): OwnDisplays | undefined {
  return virtual?.display === bound ? virtual.session : undefined;
}

function inputChoice(
  displays: LinuxDisplays,
  found: FirstDisplay,
  backend: ChosenBackend,
): BackendChoice {
  const { ownDisplay, name, reason } = backend;
  const bound = displays.boundTo(1);
  if (bound === undefined || !displays.describeState(bound).open) {
    return { job: "input", chosen: null, reason: "display 1 is not open" };
  }
  const session = sessionOf(bound, found);
  if (session !== undefined) {
    return { job: "input", chosen: session.backend ?? null, reason: session.reason };
  }
  if (ownDisplay === undefined || isOwn(ownDisplay, bound)) {
    return { job: "input", chosen: name, reason };
  }
  return { job: "input", chosen: "x11", reason: "XTEST reaches the programs of XWayland only" };
}
