/** The Scheduled Task of Windows: starts when its user logs on, in the session with the desktop. */

import { ConfigError } from "../../config/config_error.ts";
import { escapeXml } from "./xml.ts";

export const TASK_NAME = "Computer Control Service";

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
  const args = command.slice(1).map(quoted).join(" ");
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${TASK_NAME}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
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
      <Command>${escapeXml(command[0]!)}</Command>
      <Arguments>${escapeXml(args)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** Quotes for the C runtime of Windows: backslashes are special only before a quote. */
function quoted(text: string): string {
  if (/^[^\s"]+$/.test(text)) return text;
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** Encodes the file as UTF-16 with a byte order mark, as its XML declaration says. */
export function utf16(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array((text.length + 1) * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let at = 0; at < text.length; at++) view.setUint16((at + 1) * 2, text.charCodeAt(at), true);
  return bytes;
}
