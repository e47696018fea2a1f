/** The kind of service on each system: its file, and the commands that enable and disable it. */

import { posix, win32 } from "node:path";
import type { Places } from "../../config/places.ts";
import type { Host } from "../../platform/host.ts";
import { LABEL, launchAgent } from "./launch_agent.ts";
import { scheduledTask, TASK_NAME, utf16 } from "./scheduled_task.ts";
import { systemdUnit } from "./systemd_unit.ts";

/** A command; the failure of one that `mayFail` is ignored, as when there is nothing to do. */
export interface Step {
  readonly line: readonly [string, ...string[]];
  readonly mayFail?: boolean;
}

export interface ServiceKind {
  /** `systemd user unit` */
  readonly name: string;
  /** The file that describes it. */
  readonly path: string;
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Commands after the file has been written. */
  readonly enable: readonly Step[];
  /** Commands before the file is removed. */
  readonly disable: readonly Step[];
  /** Commands after the file has been removed. */
  readonly forget: readonly Step[];
  /** Checks whether the service has ended instead of starting. */
  readonly check?: {
    readonly line: readonly [string, ...string[]];
    hasFailed(output: string): boolean;
  };
  /** The log of the service. */
  readonly log?: { readonly line: readonly [string, ...string[]] } | { readonly file: string };
  /** A hint for the user. */
  readonly note?: string;
}

/** @returns `undefined` on a system without any of the three. */
export function serviceKind(
  host: Host,
  { home, stateDir }: Places,
  command: readonly string[],
): ServiceKind | undefined {
  switch (host.os) {
    case "linux":
      return systemdService(host, home, command);
    case "darwin":
      return launchdService(host, home, command);
    case "windows":
      return windowsService(host, stateDir, command);
    default:
      return undefined;
  }
}

const UNIT = "computer-control.service";

function systemdService(host: Host, home: string, command: readonly string[]): ServiceKind {
  const given = host.env["XDG_CONFIG_HOME"];
  const config = given?.startsWith("/") ? given : posix.join(home, ".config");
  const systemctl = (...args: string[]) => ["systemctl", "--user", ...args] as const;
  return {
    name: "systemd user unit",
    path: posix.join(config, "systemd", "user", UNIT),
    ...content(
      systemdUnit(command, { ...displayEnvironment(host, command), ...placeVariables(host) }),
    ),
    enable: [
      { line: [...systemctl("daemon-reload")] },
      { line: [...systemctl("enable", UNIT)] },
      { line: [...systemctl("restart", UNIT)] },
    ],
    disable: [{ line: [...systemctl("disable", "--now", UNIT)], mayFail: true }],
    forget: [
      { line: [...systemctl("daemon-reload")], mayFail: true },
      { line: [...systemctl("reset-failed", UNIT)], mayFail: true },
    ],
    check: {
      line: [...systemctl("show", UNIT, "--property=ActiveState,SubState,NRestarts")],
      hasFailed: (output) =>
        /^ActiveState=failed$|^SubState=auto-restart$|^NRestarts=[1-9]/m.test(output),
    },
    log: { line: ["journalctl", "--user", `--unit=${UNIT}`, "--lines=20", "--output=cat"] },
    note: LINGER,
  };
}

const LINGER =
  "It starts when you log in and stops when you log out. To have it from the start of " +
  "the computer on, and without a login, run: loginctl enable-linger";

/** The display of the person who installs: not every desktop passes its environment to services. */
function displayEnvironment({ env }: Host, command: readonly string[]): Record<string, string> {
  const isSaid = command.some((each) =>
    /^--(virtual-display$|virtual-display=|display=1=|display=:)/.test(each)
  );
  const names = isSaid ? ["XAUTHORITY"] : ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY"];
  return Object.fromEntries(names.flatMap((name) => env[name] ? [[name, env[name]!]] : []));
}

/** The variables for the folder of a self-extracting file and for the state folder. */
function placeVariables({ env }: Host): Record<string, string> {
  const names = ["COMPUTER_CONTROL_CACHE", "XDG_STATE_HOME"];
  return Object.fromEntries(names.flatMap((name) => env[name] ? [[name, env[name]!]] : []));
}

function launchdService(host: Host, home: string, command: readonly string[]): ServiceKind {
  const domain = `gui/${host.uid ?? 0}`;
  const path = posix.join(home, "Library", "LaunchAgents", `${LABEL}.plist`);
  const logFile = posix.join(home, "Library", "Logs", `${LABEL}.log`);
  const bootout: Step = { line: ["launchctl", "bootout", `${domain}/${LABEL}`], mayFail: true };
  return {
    name: "launchd agent",
    path,
    ...content(launchAgent(command, { logFile, env: placeVariables(host) })),
    enable: [bootout, { line: ["launchctl", "bootstrap", domain, path] }],
    disable: [bootout],
    forget: [],
    check: {
      line: ["launchctl", "print", `${domain}/${LABEL}`],
      hasFailed: (output) => /last exit code = [1-9]/.test(output),
    },
    log: { file: logFile },
  };
}

function windowsService(host: Host, stateDir: string, command: readonly string[]): ServiceKind {
  const { USERDOMAIN: domain, USERNAME: name = "" } = host.env;
  const path = win32.join(stateDir, "service.xml");
  const text = scheduledTask(command, domain ? `${domain}\\${name}` : name);
  const task = ["/TN", TASK_NAME] as const;
  return {
    name: "Scheduled Task",
    path,
    text,
    bytes: utf16(text),
    enable: [
      { line: ["schtasks", "/Create", ...task, "/XML", path, "/F"] },
      { line: ["schtasks", "/Run", ...task] },
    ],
    disable: [
      { line: ["schtasks", "/End", ...task], mayFail: true },
      { line: ["schtasks", "/Delete", ...task, "/F"], mayFail: true },
    ],
    forget: [],
  };
}

function content(text: string): Pick<ServiceKind, "text" | "bytes"> {
  return { text, bytes: new TextEncoder().encode(text) };
}
