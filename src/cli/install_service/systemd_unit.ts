/** The systemd user unit. */

/** @param env the environment of the program */
export function systemdUnit(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): string {
  const variables = Object.entries(env)
    .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`);
  return `[Unit]
Description=Computer Control Service
After=graphical-session.target
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
ExecStart=${[program(command[0]!), ...command.slice(1).map(argument)].join(" ")}
${variables.join("")}Restart=on-failure
RestartSec=5
RestartPreventExitStatus=2
KillMode=mixed

[Install]
WantedBy=default.target
`;
}

/** systemd expands its own `%` specifiers in the program name, but no variables. */
function program(text: string): string {
  return quoted(text);
}

/** In arguments systemd also expands variables, which begin with a dollar sign. */
function argument(text: string): string {
  return quoted(text).replaceAll("$", "$$$$");
}

function hexadecimal(control: string): string {
  return `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** Quotes by systemd.syntax(7): C escapes inside quotes, and `%%` for a percent sign. */
function quoted(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, "\\$&")
    // deno-lint-ignore no-control-regex -- these are the characters to escape
    .replace(/[\x01-\x1f\x7f]/g, hexadecimal)
    .replaceAll("%", "%%");
  return /^[\w./:=@,+%-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}
