/** How the bench runs the service and other programs in a Wayland session without a screen. */

import type { WaylandDesktop } from "../tests/support/wayland/desktop.ts";

/** The variables by which a program finds the session, without the places of its user. */
export function sessionOf({ env }: WaylandDesktop): Readonly<Record<string, string>> {
  const names = [
    ...["WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP"],
    "DBUS_SESSION_BUS_ADDRESS",
  ];
  return Object.fromEntries(names.map((name) => [name, env[name] ?? ""]));
}

/** Runs a program to its end, with nothing around it that would cost time. */
export async function runProcess(
  program: string,
  args: readonly string[],
  { env }: WaylandDesktop,
): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    clearEnv: true,
    stdin: "null",
    stdout: "null",
  }).output();
  if (!success) throw new Error(`${program}: ${new TextDecoder().decode(stderr)}`);
}
