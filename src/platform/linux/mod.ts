/**
 * The Linux platform: the display of a backend or X displays, with a virtual one when there is none.
 */

import { within } from "../../core/deadline.ts";
import type { Config } from "../../config/config.ts";
import { ServiceError } from "../../core/errors.ts";
import { type Log, log } from "../../core/log.ts";
import { type Backend, chooseBackend, type ChosenBackend } from "./backends.ts";
import { LinuxDisplays, type OpenDisplay } from "./displays.ts";
import { openLinuxFileSystem } from "./files/mod.ts";
import type { Host } from "../host.ts";
import { openKeychain } from "../keychain/open_keychain.ts";
import type { BackendChoice, Platform } from "../types/mod.ts";
import { checkGuess } from "./x11/display_guess.ts";
import {
  candidatesFor,
  findDisplay,
  type Found,
  type StartVirtual,
  unboundError,
} from "./x11/find_display.ts";
import { secretService } from "./keychain.ts";
import { openProcessTable } from "./process_table.ts";
import { openLinuxProcesses } from "./processes.ts";
import { startVirtualDisplay, type VirtualDisplay } from "./x11/virtual_display.ts";
import { openPeers } from "./peers.ts";
import { openX11Display } from "./x11/display.ts";

/** How long startup waits for a named display: as long as for a server that does not answer. */
const FIRST_TRY_MS = 5_000;

/** External dependencies of opening; tests replace them. */
export interface Openers {
  readonly openX11: OpenDisplay;
  /** Every backend when absent. */
  readonly backends?: readonly Backend[];
  /**
   * Throws when an X server that was not named explicitly must not be taken for the user's desktop.
   */
  checkGuess(xDisplay: string): Promise<void>;
  readonly startVirtual: StartVirtual;
  readonly log: Log;
}

export async function openLinux(
  host: Host,
  config: Config,
  openers: Openers = realOpeners(host, config),
): Promise<Platform> {
  const files = openLinuxFileSystem();
  const { keychainTimeoutMs } = config.limits;
  const opening = openKeychain(
    config,
    secretService(host, { timeoutMs: keychainTimeoutMs }),
    files,
  );
  const { openX11, startVirtual } = openers;
  const backend = chooseBackend({ host, config, log: openers.log, openX11 }, openers.backends);
  const { ownDisplay } = backend;
  let found: Found = { reason: "" };
  const displays = new LinuxDisplays({
    bound: ownDisplay === undefined
      ? config.displays
      : new Map([...config.displays, [1, ownDisplay.name]]),
    candidates: candidatesFor(host, config, backend.refusal()),
    checkCandidate: async (xDisplay) => {
      if (!host.env["DISPLAY"]) await openers.checkGuess(xDisplay);
    },
    unbound: (failures) =>
      unboundError(failures, { advice: found.reason, refusal: backend.refusal() }),
    log: openers.log,
    async open(displayNum, name) {
      checkRunning(found.virtual, name);
      return await backend.open(displayNum, name);
    },
  });
  await backend.prepare();
  found = ownDisplay === undefined
    ? await findDisplay(host, config, { displays, startVirtual, refusal: backend.refusal })
    : { reason: backend.reason };
  if (found.virtual !== undefined) displays.bind(1, found.virtual.display);
  await tryOnce(displays, openers.log);

  const processes = openLinuxProcesses(host, config, {
    display: () => displays.boundTo(1),
    variables: ownDisplay?.variables,
  });
  const { keychain, choice } = await opening;
  const peers = openPeers();
  return {
    system: "linux",
    displays,
    keychain,
    peers,
    processes: { ready: true, use: processes },
    processTable: { ready: true, use: openProcessTable() },
    files,
    backends:
      () => [displayChoice(displays, found, backend), inputChoice(displays, backend), choice],
    async [Symbol.asyncDispose]() {
      if (peers.ready) peers.use[Symbol.dispose]();
      await processes[Symbol.asyncDispose]();
      await displays[Symbol.asyncDispose]();
      await found.virtual?.[Symbol.asyncDispose]();
      if (keychain.ready) await keychain.use[Symbol.asyncDispose]();
    },
  };
}

function realOpeners(host: Host, { limits, stateDir }: Config): Openers {
  const { keymapSettleMs } = limits;
  return {
    openX11: (displayNum, xDisplay) => openX11Display({ displayNum, xDisplay, keymapSettleMs }),
    checkGuess: (xDisplay) => checkGuess(xDisplay, host.uid),
    startVirtual: (size) => startVirtualDisplay(host, { size, stateDir, log }),
    log,
  };
}

/**
 * While the virtual display restarts, its server can already answer but does not admit clients yet.
 */
function checkRunning(virtual: VirtualDisplay | undefined, xDisplay: string): void {
  if (virtual === undefined || virtual.display !== xDisplay || virtual.running) return;
  throw new ServiceError(
    "unavailable",
    `The virtual display "${xDisplay}" is being started again: try again in a moment`,
  );
}

/**
 * Opens the display assigned to number 1, so that its reported state is accurate; the display can also
 * appear later.
 */
async function tryOnce(displays: LinuxDisplays, log: Log): Promise<void> {
  const name = displays.boundTo(1);
  if (name === undefined) return;
  const opened = Promise.resolve(displays.open(1)).catch(() => {}); // describeState() has it
  await within(opened, FIRST_TRY_MS);
  const { open, why } = displays.describeState(name);
  if (!open) log.warn("display cannot be opened yet", { display: 1, to: name, why });
}

function displayChoice(
  displays: LinuxDisplays,
  found: Found,
  { name, ownDisplay }: ChosenBackend,
): BackendChoice {
  const bound = displays.boundTo(1);
  if (bound === undefined) {
    const reason = found.reason || "no X server has answered yet";
    return { job: "display", chosen: null, reason };
  }
  const how = found.reason || "it answered after the start";
  const reason = `display 1 is "${bound}": ${how}`;
  const { open, why } = displays.describeState(bound);
  if (open) return { job: "display", chosen: ownDisplay === undefined ? "x11" : name, reason };
  return { job: "display", chosen: null, reason: `${reason}, but it cannot be opened now: ${why}` };
}

function inputChoice(
  displays: LinuxDisplays,
  { name, reason }: ChosenBackend,
): BackendChoice {
  const bound = displays.boundTo(1);
  if (bound === undefined || !displays.describeState(bound).open) {
    return { job: "input", chosen: null, reason: "display 1 is not open" };
  }
  return { job: "input", chosen: name, reason };
}
