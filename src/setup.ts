/** Installs missing system packages: by itself as root, after a question with sudo, else not at all. */

import type { Host } from "./platform/host.ts";

export interface SetupResult {
  readonly installed: boolean;
  /** What was done, or what a person can do. */
  readonly reason: string;
}

export interface SetupOptions {
  /** What the packages are for, as in `needed for a virtual display`. */
  readonly purpose: string;
  /** `--no-setup` forbids. */
  readonly allowed: boolean;
}

export async function installPackages(
  host: Host,
  packages: readonly string[],
  { purpose, allowed }: SetupOptions,
): Promise<SetupResult> {
  const refused = (reason: string): SetupResult => ({ installed: false, reason });
  if (host.which("apt-get") === undefined) {
    return refused(`install ${packages.join(", ")} with this system's package manager`);
  }
  const root = host.uid === 0;
  const byHand = `run: ${root ? "" : "sudo "}apt-get install -y ${packages.join(" ")}`;
  if (!allowed) return refused(`${byHand} (--no-setup forbids the service to do it)`);
  if (!root && !mayUseSudo(host, packages, purpose)) return refused(byHand);

  host.say(`Installing ${packages.join(" ")} (${purpose}) with apt-get ...`);
  const failure = await install(host, packages, root ? [] : ["sudo"]);
  if (failure !== undefined) return refused(`apt-get failed (${failure}); ${byHand}`);
  return { installed: true, reason: `installed ${packages.join(" ")}` };
}

function mayUseSudo(host: Host, packages: readonly string[], purpose: string): boolean {
  if (!host.isTerminal || host.which("sudo") === undefined) return false;
  return host.ask(`Install ${packages.join(" ")} (${purpose}) with sudo apt-get?`);
}

/** Tries with the package lists that are there; only when that fails it fetches new ones. */
async function install(
  host: Host,
  packages: readonly string[],
  prefix: readonly string[],
): Promise<string | undefined> {
  // As an argument of env, because sudo does not pass the environment on.
  const apt = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
  const run = ([program, ...args]: readonly string[]) =>
    host.run(program!, args, { terminal: prefix.length > 0 });
  const wanted = [...apt, "install", "-y", "--no-install-recommends", ...packages];
  if ((await run(wanted)).code === 0) return undefined;
  const update = await run([...apt, "update"]);
  if (update.code !== 0) return lastLine(update.output);
  const second = await run(wanted);
  return second.code === 0 ? undefined : lastLine(second.output);
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.trim() || "see its output above";
}
