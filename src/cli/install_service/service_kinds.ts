/** The kind of service on each system: its file, and the commands that enable and disable it. */

import { Buffer } from "node:buffer";
import { posix, win32 } from "node:path";
import { ConfigError } from "../../config/option.ts";
import { type UserFolders, xdgFolder } from "../../config/environment.ts";
import { escapeXml } from "../../core/texts.ts";
import type { Host } from "../../platform/host.ts";

/** A command; the failure of one that `mayFail` is ignored, as when there is nothing to do. */
export interface Step {
  readonly line: readonly [string, ...string[]];
  readonly mayFail?: boolean;
}

export interface ServiceKind {
  /** `systemd user unit` */
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** The bytes of its text, where they are not UTF-8. */
  encode?(text: string): Uint8Array<ArrayBuffer>;
  readonly enable: readonly Step[];
  readonly disable: readonly Step[];
  readonly forget: readonly Step[];
  /** Checks whether the service has ended instead of starting. */
  readonly check?: {
    readonly line: readonly [string, ...string[]];
    hasFailed(output: string): boolean;
  };
  readonly log?: { readonly line: readonly [string, ...string[]] } | { readonly file: string };
  readonly note?: string;
}

/** @returns `undefined` on a system without any of the three. */
export function serviceKind(
  host: Host,
  { home, stateDir }: UserFolders,
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
  const config = xdgFolder(host.env, "XDG_CONFIG_HOME", posix.join(home, ".config"));
  const systemctl = (...args: string[]) => ["systemctl", "--user", ...args] as const;
  return {
    name: "systemd user unit",
    path: posix.join(config, "systemd", "user", UNIT),
    text: systemdUnit(command, { ...displayEnvironment(host, command), ...placeVariables(host) }),
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
function displayEnvironment(host: Host, command: readonly string[]): Record<string, string> {
  const isSaid = command.some((each) =>
    /^--(virtual-display$|virtual-display=|display=1=|display=:)/.test(each)
  );
  return given(host, isSaid ? ["XAUTHORITY"] : ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY"]);
}

/** The variables for the folder of a self-extracting file and for the state folder. */
function placeVariables(host: Host): Record<string, string> {
  return given(host, ["COMPUTER_CONTROL_CACHE", "XDG_STATE_HOME"]);
}

function given({ env }: Host, names: readonly string[]): Record<string, string> {
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
    text: launchAgent(command, { logFile, env: placeVariables(host) }),
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
  const task = ["/TN", TASK_NAME] as const;
  return {
    name: "Scheduled Task",
    path,
    text: scheduledTask(command, domain ? `${domain}\\${name}` : name),
    encode: utf16,
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

// The launchd agent of macOS, which starts when its user logs in.

const LABEL = "computer-control";

/** The property list; launchd passes each argument unchanged, without a shell. */
export function launchAgent(
  command: readonly string[],
  { logFile, env = {} }: {
    readonly logFile: string;
    readonly env?: Readonly<Record<string, string>>;
  },
): string {
  const args = command.map((each) => `    <string>${toXmlText(each)}</string>\n`).join("");
  const variables = Object.entries(env)
    .map(([name, value]) => `    <key>${name}</key>\n    <string>${toXmlText(value)}</string>\n`)
    .join("");
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${args}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>LimitLoadToSessionType</key>
  <string>Aqua</string>
  <key>StandardOutPath</key>
  <string>${toXmlText(logFile)}</string>
  <key>StandardErrorPath</key>
  <string>${toXmlText(logFile)}</string>
</dict>
</plist>
`;
}

// The systemd user unit.

/** @param env the environment of the program */
export function systemdUnit(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): string {
  const variables = Object.entries(env)
    .map(([name, value]) => `Environment=${quotedForSystemd(`${name}=${value}`)}\n`);
  return `[Unit]
Description=Computer Control Service
After=graphical-session.target
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
ExecStart=${[quotedForSystemd(command[0]!), ...command.slice(1).map(argument)].join(" ")}
${variables.join("")}Restart=on-failure
RestartSec=5
RestartPreventExitStatus=2
KillMode=mixed

[Install]
WantedBy=default.target
`;
}

/** In arguments, unlike in the program's name, systemd also expands variables: `$NAME`. */
function argument(text: string): string {
  return quotedForSystemd(text).replaceAll("$", "$$$$");
}

function hexadecimal(control: string): string {
  return `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** Quotes by systemd.syntax(7): C escapes inside quotes, and `%%` for a percent sign. */
function quotedForSystemd(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, "\\$&")
    // deno-lint-ignore no-control-regex -- these are the characters to escape
    .replace(/[\x01-\x1f\x7f]/g, hexadecimal)
    .replaceAll("%", "%%");
  return /^[\w./:=@,+%-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}

// The Scheduled Task of Windows: starts when its user logs on, in the session with the desktop.

const TASK_NAME = "Computer Control Service";

/** `%NAME%` and `$(Name)`: the Task Scheduler expands them, and has no escape for them. */
const VARIABLE = /%[^%]+%|\$\(/;

/**
 * The XML that `schtasks /Create /XML` reads.
 * @throws ConfigError when Windows would change an argument
 */
export function scheduledTask(command: readonly string[], user: string): string {
  const changed = command.find((each) => VARIABLE.test(each));
  if (changed !== undefined) {
    throw new ConfigError(
      `Windows would replace a variable in "${changed}": write its value instead`,
    );
  }
  const args = command.slice(1).map(quotedForWindows).join(" ");
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${TASK_NAME}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${toXmlText(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${toXmlText(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>3</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${toXmlText(command[0]!)}</Command>
      <Arguments>${toXmlText(args)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** Quotes for the C runtime of Windows: backslashes are special only before a quote. */
function quotedForWindows(text: string): string {
  if (/^[^\s"]+$/.test(text)) return text;
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** Encodes the file as UTF-16 with a byte order mark, as its XML declaration says. */
export function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));
}

function toXmlText(text: string): string {
  return escapeXml(text).replaceAll("'", "&apos;");
}
