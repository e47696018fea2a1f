/** Reads `--open`: a program with its arguments, or an address for a browser. */

import { isAbsolute, resolve } from "node:path";
import { ConfigError } from "../config/option.ts";
import type { Host } from "../platform/host.ts";

export interface Opening {
  readonly text: string;
  readonly words: readonly string[];
}

/** In order of preference. */
const CHROMIUMS = ["chromium", "chromium-browser", "google-chrome"];
const FIREFOXES = ["firefox-esr", "firefox"];

/** @throws ConfigError when there is no such program, or no browser. */
export function checkOpenings(openings: readonly Opening[], host: Host, cwd: string): void {
  if (openings.length > 0 && host.os === "windows") {
    throw new ConfigError("--open starts programs on Linux and macOS only");
  }
  for (const { text, words } of openings) {
    if (!isAddress(text)) findProgram(words[0]!, text, host, cwd);
    else if (findBrowser(host) === undefined) {
      throw new ConfigError(`--open "${text}": there is no browser: install chromium or firefox`);
    }
  }
}

interface CommandOptions {
  readonly cwd: string;
  /**
   * The profile folder of a browser that must not share the user's own profile; none on the user's
   * own display.
   */
  readonly profile: string | undefined;
}

/** Returns the program and its arguments. */
export function openCommand(
  { text, words }: Opening,
  host: Host,
  { cwd, profile }: CommandOptions,
): readonly string[] {
  if (!isAddress(text)) {
    return [findProgram(words[0]!, text, host, cwd), ...words.slice(1)];
  }
  if (profile === undefined) {
    const opener = findOpener(host);
    if (opener !== undefined) return [opener, text];
  }
  const browser = findBrowser(host)!;
  const own = profile === undefined ? [] : ownProfile(browser, profile);
  return [
    browser,
    ...own,
    ...(isChromium(browser) && host.uid === 0 ? ["--no-sandbox"] : []),
    text,
  ];
}

/** The program that opens addresses in the user's own browser. */
export function findOpener(host: Host): string | undefined {
  return host.which(host.os === "darwin" ? "open" : "xdg-open");
}

export function isAddress(text: string): boolean {
  return /^(?:https?|file|about|data):\S+$/i.test(text);
}

function ownProfile(browser: string, profile: string): readonly string[] {
  if (!isChromium(browser)) return ["--no-remote", "--profile", profile];
  return [
    ...[`--user-data-dir=${profile}`, "--no-first-run", "--no-default-browser-check"],
    // a container has little memory in /dev/shm
    ...["--password-store=basic", "--disable-dev-shm-usage"],
    "--force-renderer-accessibility", // else its pages are told only after the first reading
  ];
}

function isChromium(browser: string): boolean {
  return CHROMIUMS.some((name) => browser.endsWith(`/${name}`));
}

function findBrowser(host: Host): string | undefined {
  if (host.os === "darwin") return host.which("open");
  return [...CHROMIUMS, ...FIREFOXES].map((name) => host.which(name)).find((path) => path);
}

function findProgram(name: string, text: string, host: Host, cwd: string): string {
  const found = host.which(name.includes("/") ? resolve(cwd, name) : name);
  if (found !== undefined) return resolve(cwd, found);
  throw new ConfigError(
    `--open "${text}": there is no program "${name}": install it or give its path`,
  );
}

/**
 * Installs the programs that are missing and whose packages the table of programs names, as xterm is.
 * @param allowed `false` with `--no-setup`
 */
export async function installOpenings(
  openings: readonly Opening[],
  host: Host,
  allowed: boolean,
): Promise<void> {
  const missing = openings.filter(({ text, words }) =>
    !isAddress(text) && host.which(words[0]!) === undefined
  );
  if (missing.length === 0 || host.os !== "linux" || !allowed) return;
  const { findPackages, installPackages } = await import("../platform/linux/setup/programs.ts");
  const packages = findPackages(...missing.map(({ words }) => words[0]!));
  if (packages.length > 0) {
    await installPackages(host, packages, { purpose: "for --open", allowed });
  }
}

// Finds the program file of `--shell`, so that it is the same from every folder.

/**
 * @param shell a name, found on PATH as a shell does, or a path, relative to `cwd`
 * @throws ConfigError when there is no such program
 */
export function findShell(shell: string, host: Pick<Host, "which">, cwd: string): string {
  const isPath = /[\\/]/.test(shell);
  const found = host.which(isPath && !isAbsolute(shell) ? resolve(cwd, shell) : shell);
  if (found !== undefined) return resolve(cwd, found);
  const what = isPath ? "no executable program" : "no such program on PATH";
  throw new ConfigError(`--shell "${shell}": there is ${what}: give the path of a shell`);
}
