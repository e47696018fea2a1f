/** The launchd agent of macOS, which starts when its user logs in. */

import { escapeXml } from "./xml.ts";

export const LABEL = "computer-control";

/** The property list; launchd passes each argument unchanged, without a shell. */
export function launchAgent(
  command: readonly string[],
  { logFile, env = {} }: {
    readonly logFile: string;
    readonly env?: Readonly<Record<string, string>>;
  },
): string {
  const args = command.map((each) => `    <string>${escapeXml(each)}</string>\n`).join("");
  const variables = Object.entries(env)
    .map(([name, value]) => `    <key>${name}</key>\n    <string>${escapeXml(value)}</string>\n`)
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
  <string>${escapeXml(logFile)}</string>
  <key>StandardErrorPath</key>
  <string>${escapeXml(logFile)}</string>
</dict>
</plist>
`;
}
