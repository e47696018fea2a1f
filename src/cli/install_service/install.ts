/**
 * `install-service` and `uninstall-service`: start the service when its user logs in, or no longer.
 */

import { dirname } from "node:path";
import type { Host } from "../../platform/host.ts";
import { CommandError } from "../command_error.ts";
import type { ServiceKind, Step } from "./service_kinds.ts";

/**
 * Writes the file, replacing an existing one, enables the service, and waits until it runs.
 * @param started resolves with the address of the running service, or throws CommandError
 * @throws CommandError when the file cannot be written, a command fails or the service does not
 * start; everything is then restored
 */
export async function installService(
  host: Host,
  kind: ServiceKind,
  started: () => Promise<string>,
): Promise<string> {
  const before = await Deno.readFile(kind.path).catch(() => undefined);
  try {
    await Deno.mkdir(dirname(kind.path), { recursive: true });
    await writeWhole(kind.path, kind.bytes);
  } catch (error) {
    throw new CommandError(`Cannot write "${kind.path}": ${(error as Error).message}`);
  }
  let address: string;
  try {
    await runAll(host, kind.enable);
    address = await started();
  } catch (error) {
    await takeBack(host, kind, before);
    throw error;
  }
  return [
    `Installed the ${kind.name} "${kind.path}", which runs at ${address};`,
    "computer-control uninstall-service removes it",
    ...kind.note === undefined ? [] : [kind.note],
  ].join("\n");
}

/**
 * Disables the service and removes its file; succeeds when there is none.
 * @throws CommandError when the file cannot be removed
 */
export async function uninstallService(host: Host, kind: ServiceKind): Promise<string> {
  await runAll(host, kind.disable);
  try {
    await Deno.remove(kind.path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `There is no ${kind.name} "${kind.path}"`;
    throw new CommandError(`Cannot remove "${kind.path}": ${(error as Error).message}`);
  }
  await runAll(host, kind.forget);
  return `Removed the ${kind.name} "${kind.path}"`;
}

async function takeBack(
  host: Host,
  kind: ServiceKind,
  before: Uint8Array<ArrayBuffer> | undefined,
): Promise<void> {
  if (before === undefined) {
    await runAll(host, kind.disable);
    await Deno.remove(kind.path);
    await runAll(host, kind.forget);
  } else {
    await writeWhole(kind.path, before);
    // restart the previous version
    await runAll(host, kind.enable.map((step) => ({ ...step, mayFail: true })));
  }
}

async function runAll(host: Host, steps: readonly Step[]): Promise<void> {
  for (const { line: [program, ...args], mayFail = false } of steps) {
    const line = [program, ...args].join(" ");
    if (host.which(program) === undefined) {
      if (mayFail) continue;
      throw new CommandError(`Cannot run "${line}": ${program} is not installed`);
    }
    const { code, output } = await host.run(program, args);
    if (code === 0 || mayFail) continue;
    throw new CommandError(`Cannot run "${line}": it ended with ${code}: ${lastLine(output)}`);
  }
}

/** Writes the file atomically. */
async function writeWhole(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const temporary = `${path}.new`;
  await Deno.writeFile(temporary, bytes, { mode: 0o600 });
  await Deno.rename(temporary, path);
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.trim() || "it said nothing";
}
