/** The service as a program of a Wayland desktop: started as its user would start it. */

import { type EndedCommand, runCommand, type RunningCommand, startCommand } from "../command.ts";
import { succeeds } from "../test_if.ts";
import type { WaylandDesktop } from "./desktop.ts";
import { asDesktopUser, IS_ROOT } from "./user.ts";

export interface UserService extends AsyncDisposable {
  readonly command: RunningCommand;
  /** Sends a request and gives the answer. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Calls an operation that must succeed: `call("mouse/move", { x: 1, y: 2 })`; gives its JSON. */
  // deno-lint-ignore no-explicit-any -- each caller knows the shape
  call(operation: string, body?: Record<string, unknown>): Promise<any>;
  // deno-lint-ignore no-explicit-any -- each caller knows the shape
  get(operation: string): Promise<any>;
}

/** Deno's modules may lie below the home of root, which nobody else may enter. */
const SHOW_MODULES =
  'mkdir -p "$HOME/deno" && mount --bind "$DENO_DIR" "$HOME/deno" && export DENO_DIR="$HOME/deno"';

/** @param deno the program that runs it, which the user must be able to read */
export async function startUserService(
  desktop: WaylandDesktop,
  args: readonly string[] = [],
  deno?: string,
): Promise<UserService> {
  const all = ["--no-setup", "--keychain", "file", ...args];
  const command = await startCommand(all, desktop.env, await throughUser(), deno);
  const read = async (operation: string, response: Response) => {
    const text = await response.text();
    if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const send = (path: string, init?: RequestInit) => fetch(command.address + path, init);
  return {
    command,
    send,
    call: async (operation, body = {}) =>
      await read(operation, await command.post(`/api/${operation}`, body)),
    get: async (operation) => await read(operation, await send(`/api/${operation}`)),
    [Symbol.asyncDispose]: async () => await command[Symbol.asyncDispose](),
  };
}

/** Runs a command of the program to its end, as the user of the desktop. */
export async function runUserCommand(
  desktop: WaylandDesktop,
  args: readonly string[],
  deno?: string,
): Promise<EndedCommand> {
  return await runCommand(args, desktop.env, deno, await throughUser());
}

/** Root without the right to mount, as in some containers, starts it as root. */
export async function throughUser(): Promise<readonly string[]> {
  if (!IS_ROOT) return [];
  if (!await succeeds("unshare", ["--mount", "true"])) return [];
  const script = `${SHOW_MODULES} && exec "$@"`;
  return ["unshare", "--mount", "sh", "-c", script, "sh", "setpriv", ...asDesktopUser("env", [])];
}
