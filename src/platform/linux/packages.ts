/**
 * Finds missing system packages and installs them: without asking as root, after a prompt with
 * sudo, otherwise not at all.
 */

import type { Host } from "../host.ts";
import { type Package, PACKAGES, type Purpose } from "./programs.ts";

/**
 * The system's Python, for which the packages are built; the first on the path can be another one.
 */
const PYTHON = "/usr/bin/python3";

export interface SetupResult {
  readonly installed: boolean;
  /** What was done, or what the user can do. */
  readonly reason: string;
}

export interface SetupOptions {
  /** The purpose of the packages, as in `needed for a virtual display`. */
  readonly purpose: string;
  /** `false` with `--no-setup`. */
  readonly allowed: boolean;
}

/**
 * The packages for these purposes that are missing, judged by the programs and modules that they
 * provide.
 */
export async function missingPackages(
  host: Host,
  purposes: readonly Purpose[],
): Promise<string[]> {
  const wanted = PACKAGES.filter(({ purpose }) => purposes.includes(purpose));
  const there = await Promise.all(wanted.map((each) => isInstalled(host, each)));
  return wanted.filter((_, index) => !there[index]).map(({ name }) => name);
}

async function isInstalled(host: Host, { programs, module }: Package): Promise<boolean> {
  if (!programs.every((names) => names.some((name) => isThere(host, name)))) return false;
  if (module === undefined) return true;
  if (!host.exists(PYTHON)) return false;
  return (await host.run(PYTHON, ["-c", `import ${module}`])).code === 0;
}

function isThere(host: Host, program: string): boolean {
  return program.startsWith("/") ? host.exists(program) : host.which(program) !== undefined;
}

/** Installs the packages, or says how the user can. */
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

/** Tries the existing package lists first and updates them only when that fails. */
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
