/** What running under wine needs and is made once: the Windows build of Deno, and a fresh Windows. */

import { homedir } from "node:os";
import { join } from "node:path";
import { startXvfb } from "../xvfb.ts";
import { readPinnedVersion } from "../../../tools/deno_version.ts";
import { patchDenoExe } from "./patch_deno_exe.ts";
import { writeProgram } from "../written_program.ts";

/** Debian keeps the 64-bit programs there; `wine` itself is a script that needs the 32-bit ones for some things. */
const DEBIAN_WINE = "/usr/lib/wine/wine64";
const DEBIAN_WINESERVER = "/usr/lib/wine/wineserver64";

export interface WinePrograms {
  readonly wine: string;
  readonly wineserver: string;
}

export interface WineParts {
  /** The patched `deno.exe`. */
  readonly deno: string;
  /** A wine prefix that nothing runs in: to be copied. */
  readonly prefix: string;
}

/** Where wine is, or `undefined` where it is not installed. */
export function findWine(): WinePrograms | undefined {
  const there = [DEBIAN_WINE, DEBIAN_WINESERVER].every((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
  return there ? { wine: DEBIAN_WINE, wineserver: DEBIAN_WINESERVER } : undefined;
}

/** Makes what is missing; takes 20 s and 790 MB the first time. Processes that ask at once wait for one of them. */
export async function prepareWine(programs: WinePrograms): Promise<WineParts> {
  const base = Deno.env.get("XDG_CACHE_HOME") || join(homedir(), ".cache");
  const folder = join(base, "computer-control", "wine");
  // also the place of the self-extracting file, which shares it with nobody
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  using lock = await Deno.open(join(folder, "lock"), { create: true, write: true });
  await lock.lock(true);
  const version = await readPinnedVersion();
  const parts = {
    deno: join(folder, `deno-${version}.exe`),
    prefix: join(folder, "windows-10"),
  };
  await makeOnce(parts.deno, (path) => makeDeno(path, version));
  await makeOnce(parts.prefix, (path) => makePrefix(path, programs));
  return parts;
}

/** What is not finished is under another name, so that the next one begins anew. */
async function makeOnce(path: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const exists = await Deno.stat(path).then(() => true, () => false);
  if (exists) return;
  const unfinished = `${path}.unfinished`;
  await Deno.remove(unfinished, { recursive: true }).catch(() => {});
  await make(unfinished);
  await Deno.rename(unfinished, path);
}

async function makeDeno(path: string, version: string): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const name = `@deno/win32-x64@${version}`;
    await run("npm", ["pack", "--silent", "--pack-destination", folder, name]);
    const archive = `deno-win32-x64-${version}.tgz`;
    await run("tar", ["-xzf", join(folder, archive), "-C", folder, "package/deno.exe"]);
    const program = await Deno.readFile(join(folder, "package", "deno.exe"));
    patchDenoExe(program);
    await writeProgram(path, program);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function makePrefix(path: string, { wine, wineserver }: WinePrograms): Promise<void> {
  await using server = await startXvfb();
  const env = wineEnvironment(path, server.display);
  const commands = [
    ["wineboot", "-i"],
    ["winecfg", "-v", "win10"], // a new prefix is Windows 7
    [
      ...["reg", "add", "HKCU\\Software\\Wine\\WineDbg", "/v", "ShowCrashDialog"],
      ...["/t", "REG_DWORD", "/d", "0", "/f"],
    ],
  ];
  for (const command of commands) {
    await run(wine, command, env);
    await run(wineserver, ["-w"], env);
  }
}

/** The variables by which wine finds its prefix, and nothing that belongs to the tests. */
export function wineEnvironment(prefix: string, display: string): Record<string, string> {
  return {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: homedir(),
    LC_ALL: "C.UTF-8", // else arguments lose what is not ASCII
    DISPLAY: display,
    WINEPREFIX: prefix,
    WINEARCH: "win64",
    WINEDEBUG: "-all",
    WINEDLLOVERRIDES: "mscoree,mshtml=d",
  };
}

/** Without pipes: what wine leaves running would hold them open. */
async function run(
  program: string,
  args: readonly string[],
  env?: Record<string, string>,
): Promise<void> {
  const { code } = await new Deno.Command(program, {
    args: [...args],
    ...(env === undefined ? {} : { env, clearEnv: true }),
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn().status;
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
}
