/**
 * `grant kde`: KWin lets a program use its input and screenshot interfaces if a `.desktop` file
 * names the program's executable and these interfaces. The file belongs to the user; no person is
 * asked.
 */

import { dirname, join, resolve } from "node:path";
import { findUserFolders, xdgFolder } from "../../config/environment.ts";
import { tryTo } from "../../core/errors.ts";
import { replaceAtomically } from "../../core/files.ts";
import type { Host, Started } from "../../platform/host.ts";
import {
  KDE_BUS_INTERFACES,
  KDE_WAYLAND_INTERFACES,
} from "../../platform/linux/wayland/kde/script.ts";
import { CommandError } from "../command.ts";
import type { GrantRequest } from "../command_line.ts";
import type { Launch } from "../launch.ts";

/** The first line of our file, by which we know it again. */
const MARK =
  "# Written by computer-control grant kde; computer-control grant kde --remove deletes it.";
const FILE = "computer-control-grant.desktop";
/** Each refreshes the index of `.desktop` files of one generation of Plasma (6 and 5). */
const INDEXERS = ["kbuildsycoca6", "kbuildsycoca5"];

interface GrantOptions {
  readonly host: Host;
  readonly launch: Launch;
  readonly started: Started;
  /** The folder for relative paths. */
  readonly cwd: string;
}

/**
 * Returns the lines to print.
 * @throws CommandError when the file cannot be written, is somebody else's, or would grant a program
 * that runs what others write
 */
export async function grantKde(
  request: GrantRequest,
  options: GrantOptions,
): Promise<readonly string[]> {
  const { host } = options;
  const path = grantFile(host);
  if (request.remove) return await remove(path, request, host);
  const executable = findExecutable(request.executable, options);
  const text = desktopFile(executable.path);
  if (request.print) return [text.trimEnd()];
  await checkOurs(path);
  await write(path, text);
  return [
    `Wrote "${path}". With it KWin allows the program`,
    `"${executable.path}"`,
    "to send mouse and keyboard input to every window and to read the screen, without asking, in this",
    "user's Plasma Wayland sessions. It contains:",
    "",
    ...text.trimEnd().split("\n").map((line) => `    ${line}`),
    "",
    await refresh(host),
    ...executable.notes,
    "A running service has to be restarted.",
    "computer-control grant kde --remove revokes it.",
  ];
}

/** The file of the grant: the user's own, so that nothing needs root. */
function grantFile({ os, env }: Host): string {
  const { home } = findUserFolders(os, env, undefined);
  const data = xdgFolder(env, "XDG_DATA_HOME", join(home, ".local", "share"));
  return join(data, "applications", FILE);
}

function desktopFile(executable: string): string {
  return [
    MARK,
    "[Desktop Entry]",
    "Type=Application",
    "Name=Computer Control",
    "Comment=Lets the Computer Control Service see and control this desktop",
    `Exec=${executable}`,
    "NoDisplay=true",
    `X-KDE-Wayland-Interfaces=${KDE_WAYLAND_INTERFACES.join(",")}`,
    `X-KDE-DBUS-Restricted-Interfaces=${KDE_BUS_INTERFACES.join(",")}`,
    "",
  ].join("\n");
}

async function remove(
  path: string,
  { print }: GrantRequest,
  host: Host,
): Promise<readonly string[]> {
  if (!await checkOurs(path)) return [`Nothing is granted: there is no "${path}"`];
  if (print) return [`Would remove "${path}"`];
  try {
    await Deno.remove(path);
  } catch (error) {
    throw new CommandError(`Cannot remove "${path}": ${(error as Error).message}`);
  }
  return [
    `Removed "${path}". ${await refresh(host)}`,
    "A running service keeps its permission until it ends.",
  ];
}

/**
 * Whether there is such a file.
 * @throws CommandError when it is not ours, or cannot be read
 */
async function checkOurs(path: string): Promise<boolean> {
  try {
    const { isFile, size } = await Deno.lstat(path);
    const text = isFile && size < 65_536 ? await Deno.readTextFile(path) : "";
    if (text.startsWith(MARK)) return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw new CommandError(`Cannot read "${path}": ${(error as Error).message}`);
  }
  throw new CommandError(`"${path}" was not written by this command, and was left unchanged`);
}

async function write(path: string, text: string): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await replaceAtomically(path, new TextEncoder().encode(text), 0o644);
  } catch (error) {
    throw new CommandError(`Cannot write "${path}": ${(error as Error).message}`);
  }
}

/** Lets Plasma read its `.desktop` files again; returns what came of it, as a sentence. */
async function refresh(host: Host): Promise<string> {
  const installed = INDEXERS.filter((each) => host.which(each) !== undefined);
  if (installed.length === 0) {
    return `KWin notices it at the next login, because ${INDEXERS.join(" or ")} is not installed.`;
  }
  const results = await Promise.all(installed.map((each) => host.run(each, [])));
  const failed = installed.find((_, i) => results[i]!.code !== 0);
  if (failed !== undefined) return `KWin notices it at the next login: ${failed} failed.`;
  return "KWin notices it within seconds.";
}

// Finds the executable that a desktop may be asked to trust: one that runs our code alone.

interface Executable {
  /** The path that the system knows a process of it by: absolute, and without links. */
  readonly path: string;
  /** What is to be known about it: sentences. */
  readonly notes: readonly string[];
}

/**
 * What a path in the `Exec` line of a `.desktop` file cannot contain without being quoted, and KWin
 * 5 compares the line as it is written.
 */
const QUOTED = /[\s"'\\><~|&;$*?#()`%\p{Cc}]/u;

/**
 * @param given the value of `--executable`, if any
 * @throws CommandError with what to do instead
 */
function findExecutable(given: string | undefined, options: GrantOptions): Executable {
  const { launch, started, cwd } = options;
  const path = findReal(given === undefined ? started.program : resolve(cwd, given));
  if (isShared(path, given, options)) throw isSharedError(path);
  if (QUOTED.test(path)) {
    throw new CommandError(
      `KWin does not recognize the executable "${path}", because its path would need quotes: ` +
        "move it to a path without spaces and quotes",
    );
  }
  const isCopyOfDeno = given === undefined && launch.unpacked !== undefined;
  return {
    path,
    notes: isCopyOfDeno
      ? ["Each version is a separate executable: grant it again after an update."]
      : [],
  };
}

/** Whether programs that are not ours run by this executable, too. */
function isShared(
  path: string,
  given: string | undefined,
  { host, launch, started }: GrantOptions,
): boolean {
  const isOurs = started.standalone || launch.unpacked !== undefined;
  if (given === undefined && !isOurs) return true;
  if (path.includes("/node_modules/")) return true;
  const shared = host.which("deno");
  return shared !== undefined && isSameFile(shared, path);
}

function isSharedError(path: string): CommandError {
  return new CommandError(
    `"${path}" also runs other programs, and all of them could then control the desktop; ` +
      'use an executable of this service alone: one made by "deno task compile", or downloaded, ' +
      "which can run this command itself; or name it by --executable <path>",
  );
}

/** @throws CommandError */
function findReal(path: string): string {
  try {
    const real = Deno.realPathSync(path);
    const { isFile, mode } = Deno.statSync(real);
    if (!isFile || ((mode ?? 0) & 0o111) === 0) throw new Error("it is not executable");
    return real;
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "there is no such file"
      : (error as Error).message;
    throw new CommandError(`Cannot use the executable "${path}": ${reason}`);
  }
}

function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => tryTo(() => Deno.statSync(path)));
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}
