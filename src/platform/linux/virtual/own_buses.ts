/**
 * The session bus and the accessibility bus of a virtual display, by which its programs report what
 * they show. They are its own: a session bus of the user would open windows on the user's desktop.
 */

import { within } from "../../../core/deadline.ts";
import type { Log } from "../../../core/log.ts";
import type { Host } from "../../host.ts";
import { makeOwnedFolder, noteOwner } from "../../owned_folder.ts";
import { killSession } from "../../posix/process_table.ts";
import { openBus } from "../bus/open_bus.ts";
import {
  keepRunning,
  type Server,
  SILENT,
  spawnInTurn,
  startSupervised,
} from "./supervised_server.ts";

export interface OwnBuses extends AsyncDisposable {
  /** The address of the session bus; the same across restarts. */
  readonly sessionBus: string;
  /** By which programs find the session bus and report what they show. */
  readonly variables: Readonly<Record<string, string>>;
}

interface OwnBusesOptions {
  /** By which the programs of the buses find the display. */
  readonly display: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** Programs that ask nobody whether somebody listens do when these are set. */
const SWITCHED_ON = {
  ACCESSIBILITY_ENABLED: "1",
  GNOME_ACCESSIBILITY: "1",
  NO_AT_BRIDGE: "0",
  QT_ACCESSIBILITY: "1",
  QT_LINUX_ACCESSIBILITY_ALWAYS_ON: "1",
};

/** Where distributions put the program; it is meant for the session bus alone. */
const LAUNCHERS = [
  "/usr/libexec/at-spi-bus-launcher",
  "/usr/lib/at-spi2-core/at-spi-bus-launcher",
  "/usr/lib/at-spi-bus-launcher",
];

export function findLauncher({ exists }: Pick<Host, "exists">): string | undefined {
  return LAUNCHERS.find((each) => exists(each));
}

/** `undefined` where the programs are not installed, or do not start: that is logged. */
export async function startOwnBuses(
  host: Host,
  { display, log }: OwnBusesOptions,
): Promise<OwnBuses | undefined> {
  const daemon = host.which("dbus-daemon");
  if (daemon === undefined) {
    log.warn("programs on the virtual display report no elements", { missing: "dbus-daemon" });
    return undefined;
  }
  try {
    return await startBuses(host, daemon, { display, log });
  } catch (error) {
    log.warn("programs on the virtual display report no elements", { error: String(error) });
    return undefined;
  }
}

async function startBuses(
  host: Host,
  daemon: string,
  { display, log }: OwnBusesOptions,
): Promise<OwnBuses> {
  const folder = await makeOwnedFolder("computer-control-bus-");
  const sessionBus = `unix:path=${folder}/bus`;
  const start = async () => {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 }); // the last one took it along
    noteOwner(folder);
    await Deno.writeTextFile(`${folder}/${CONFIG_NAME}`, busConfig(sessionBus));
    return await startSupervised({
      command: [daemon, `--config-file=${folder}/${CONFIG_NAME}`, "--nofork", "--print-address"],
      env: { ...sharedVariables(host), ...display },
      temporary: folder,
      isReady: (lines) => lines.some((line) => line.startsWith("unix:")),
      name: "dbus-daemon",
    });
  };
  await using started = new AsyncDisposableStack();
  started.defer(() => Deno.remove(folder, { recursive: true }).catch(() => {}));
  const options = { display: sessionBus, log };
  started.use(keepRunning(await start(), { ...options, name: "session bus", start }));
  const launcher = findLauncher(host);
  if (launcher === undefined) {
    log.warn("programs on the virtual display report no elements", { missing: "at-spi2-core" });
  } else {
    const launch = () => startLauncher(host, { launcher, sessionBus, folder, display, log });
    const again = { ...options, name: "accessibility bus", start: launch };
    started.use(keepRunning(await launch(), again));
  }
  const running = started.move();
  return {
    sessionBus,
    variables: { DBUS_SESSION_BUS_ADDRESS: sessionBus, ...SWITCHED_ON },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const CONFIG_NAME = "bus.conf";

/**
 * It starts no program: those of a desktop, such as a portal with its mounts, would outlive it.
 * https://dbus.freedesktop.org/doc/dbus-daemon.1.html#configuration_file
 */
function busConfig(address: string): string {
  return `<busconfig>
  <type>session</type>
  <listen>${address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;
}

/** How long programs may have to wait for it. */
const LAUNCH_MS = 3_000;
const LAUNCHER_NAME = "org.a11y.Bus";

/** A launcher that ends early, or by a signal, leaves its bus behind; both are in one process group. */
const LAUNCH_SCRIPT = '"$@"; kill 0';

interface Launch extends OwnBusesOptions {
  readonly launcher: string;
  readonly sessionBus: string;
  readonly folder: string;
}

/**
 * Starts the accessibility bus, which ends together with the session bus.
 * @throws Error when the session bus takes no connection
 */
async function startLauncher(
  host: Host,
  { launcher, sessionBus, folder, display, log }: Launch,
): Promise<Server> {
  using bus = await openBus(sessionBus);
  const owned = Promise.withResolvers<void>();
  const match = { member: "NameOwnerChanged", arg0: LAUNCHER_NAME };
  using _ = await bus.on(match, () => owned.resolve());
  const command = ["/bin/sh", "-c", LAUNCH_SCRIPT, "sh"] as const;
  const child = await spawnInTurn([...command, launcher, "--launch-immediately", "--a11y=1"], {
    env: {
      ...sharedVariables(host),
      ...display,
      DBUS_SESSION_BUS_ADDRESS: sessionBus,
      XDG_RUNTIME_DIR: folder, // its socket is named after the display alone
      GSETTINGS_BACKEND: "memory", // else it would switch the user's desktop on
    },
    clearEnv: true,
    ...SILENT,
  });
  const ended = child.status.then(() => {});
  if (!await within(owned.promise, LAUNCH_MS)) {
    log.warn("the accessibility bus did not start", { waitedMs: LAUNCH_MS });
  }
  return { ended, end: () => (killSession(child), ended) };
}

const SHARED = /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|LANG|LANGUAGE|LC_\w+|XDG_\w+|XAUTHORITY)$/;

/** What the programs that a bus starts need of the service's environment, which has secrets. */
function sharedVariables({ env }: Pick<Host, "env">): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] =>
      entry[1] !== undefined && SHARED.test(entry[0])
    ),
  );
}
