/** The service as a program of a Wayland desktop: started as its user would start it. */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type EndedCommand, runCommand, type RunningCommand, startCommand } from "../command.ts";
import { denoFolder } from "../own_places.ts";
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

/**
 * Deno, its modules and the project may lie below the home of root, which nobody else may enter:
 * shows them, and nothing else, at the same places. `$1` is that home, the folders follow up to `--`.
 */
const SHOW_FOLDERS = `set -e; umask 022
home=$1; shift; kept=$(mktemp -d); count=0; folders=
while [ "$1" != -- ]; do
  count=$((count + 1)); mkdir "$kept/$count"; mount --bind "$1" "$kept/$count"
  folders="$folders$1
"; shift
done
shift; mount -t tmpfs -o mode=755 tmpfs "$home"; count=0
printf %s "$folders" > "$kept/list"
while IFS= read -r folder; do
  count=$((count + 1)); mkdir -p "$folder"; mount --bind "$kept/$count" "$folder"
done < "$kept/list"
exec "$@"`;
const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

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
  const home = Deno.env.get("HOME")!;
  const hidden = [dirname(Deno.execPath()), denoFolder(), PROJECT]
    .filter((folder) => folder.startsWith(`${home}/`));
  const show = hidden.length === 0 ? [] : ["sh", "-c", SHOW_FOLDERS, "sh", home, ...hidden, "--"];
  return ["unshare", "--mount", ...show, "setpriv", ...asDesktopUser("env", [])];
}
