/** Runs this repository on a Windows that wine gives, with a screen (Xvfb) and a prefix of its own. */

import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { within } from "../../src/core/deadline.ts";
import { testIf } from "./test_if.ts";
import { startXvfb } from "./xvfb.ts";
import { findWine, prepareWine, wineEnvironment } from "./wine/cache.ts";
import { endStuck, STUCK_SIGNAL } from "./wine/stuck.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** It has all packages that `deno.json` has, in the same versions. */
const CONFIG = "deno.dev.json";
/** Everything that runs on a Windows is ended then; a run takes seconds. */
const MAX_RUN_MS = 300_000;
const LEFT_BEHIND_MS = 20_000;
/** Of the output, which an error repeats: they say which test it was that did not end. */
const LAST_LINES = 8;
/** What wine's server says of each object that is left when it is ended. */
const LEFT_OBJECT = /^0x[0-9a-f]+:\d+: /;
/** What wine's drivers are for -> the driver, of which each is a service of Windows. */
const DRIVERS = { credentials: "MountMgr", connections: "nsiproxy" };
/** Asks the driver of connections while it starts, in the process that both share, and nothing else needs it. */
const NEVER_STARTED = ["NDIS"];
/** Of game controllers: their drivers can crash while they start, which wine says on the output of some program. */
const NEVER_PLUGGED = ["WINEBUS", "WINEUSB"];
/** `SERVICE_DISABLED`. */
const DISABLED = 4;

export interface Wine extends AsyncDisposable {
  /** `:7`: the X display that shows the screen of this Windows. */
  readonly display: string;
  /** The Windows drive `C:`, as a folder of this system. */
  readonly drive: string;
  /** `deno.exe` with these arguments, to be run or spawned in the folder of the repository. */
  deno(args: readonly string[], options?: WineOptions): Deno.Command;
  /** Any other program of that Windows, `cmd`, in a folder of this system. */
  program(line: readonly string[], folder: string): Deno.Command;
}

export interface WineOptions {
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: "piped" | "null";
}

/** A test that needs wine. Without wine it is ignored and says why. */
export function wineTest(name: string, test: () => Promise<void>): void {
  testIf(findWine() !== undefined, "needs wine (deno task setup --for wine)")(name, test);
}

export interface RunOptions extends Pick<OpenWineOptions, "drivers"> {
  /** How many tests there are in the files, so that none is left out unseen. */
  readonly expectedPassed: number;
}

/** Runs test files with the Windows build of Deno; all of their tests must pass. */
export async function runUnderWine(
  files: readonly string[],
  { expectedPassed, drivers = [] }: RunOptions,
): Promise<void> {
  await using wine = await openWine(files, { drivers });
  await testUnderWine(wine, files, { expectedPassed });
}

/** The same on a Windows that is there already. */
export async function testUnderWine(
  wine: Wine,
  files: readonly string[],
  { expectedPassed, env = {} }: Pick<RunOptions, "expectedPassed"> & Pick<WineOptions, "env">,
): Promise<void> {
  const args = ["test", "-A", "-c", CONFIG, "--no-check", "--cached-only", "--frozen", ...files];
  const { code, output } = await outputOf(wine.deno(args, { env }));
  const summary = output.match(/^(?:ok|FAILED) \| .*$/m)?.[0];
  const passed = Number(summary?.match(/(\d+) passed/)?.[1]);
  if (code === 0 && passed === expectedPassed && summary?.includes(" 0 failed")) return;
  console.log(output);
  const lines = output.trimEnd().split("\n").filter((line) => !LEFT_OBJECT.test(line));
  const last = lines.slice(-LAST_LINES).join("\n");
  throw new Error(
    `${passed} passed, ${expectedPassed} expected; deno.exe ended with ${code}, last with:\n${last}`,
  );
}

export interface OpenWineOptions {
  /** Settings of wine's X11 driver: `{ UseXRandR: "N" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Starts the drivers by which wine keeps credentials, and lists connections. Without them programs start much faster.
   * Two of them in wine 8.0 can lock each other up, now and then: then all that asks for a file waits for ever.
   */
  readonly drivers?: readonly (keyof typeof DRIVERS)[];
}

/**
 * Starts a Windows of its own; several can run at once.
 * @param entryPoints files that will be run there, to fetch the packages that they import
 */
export async function openWine(
  entryPoints: readonly string[] = ["main.ts"],
  { settings = {}, drivers = [] }: OpenWineOptions = {},
): Promise<Wine> {
  const programs = findWine();
  if (programs === undefined) throw new Error("wine is not installed: apt-get install wine wine64");
  const { deno, prefix: template } = await prepareWine(programs);
  const npm = await fetchPackages(entryPoints);
  const folder = await Deno.makeTempDir();
  const prefix = join(folder, "prefix");
  const denoDir = join(folder, "deno");
  await copyPrefix(template, prefix);
  await addSettings(join(prefix, "user.reg"), "Software\\\\Wine\\\\X11 Driver", settings);
  const started = drivers.map((each) => DRIVERS[each]);
  const others = Object.values(DRIVERS).filter((driver) => !started.includes(driver));
  for (const driver of [...NEVER_STARTED, ...others]) {
    const section = `System\\\\CurrentControlSet\\\\Services\\\\${driver}`;
    await addSettings(join(prefix, "system.reg"), section, { Start: DISABLED });
  }
  for (const device of NEVER_PLUGGED) {
    const section = `System\\\\CurrentControlSet\\\\Enum\\\\ROOT\\\\WINE\\\\${device}`;
    await addSettings(join(prefix, "system.reg"), section, { Service: "" });
  }
  await Deno.mkdir(denoDir);
  await Deno.symlink(npm, join(denoDir, "npm"));
  await shareRegistry(prefix);
  const server = await startXvfb({ size: "1280x1024" });
  const stuck = endStuck(prefix);
  const launcher = [...fixedAddresses(), programs.wine];
  const registry = Deno.env.get("NPM_CONFIG_REGISTRY");
  const base = {
    ...wineEnvironment(prefix, server.display),
    ...(registry === undefined ? {} : { NPM_CONFIG_REGISTRY: registry }),
    DENO_DIR: windowsPath(denoDir),
    DENO_DISABLE_NODE_SHIM: "1", // else each run that starts a process leaves a 93 MB file in DENO_DIR
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
    RUST_BACKTRACE: "0",
  };
  const program = (
    line: readonly string[],
    cwd: string,
    { env = {}, stdin = "null" }: WineOptions = {},
  ) =>
    new Deno.Command(launcher[0]!, {
      args: [...launcher.slice(1), ...line],
      cwd,
      env: { ...base, ...env },
      clearEnv: true,
      stdin,
      stdout: "piped",
      stderr: "piped",
    });
  return {
    display: server.display,
    drive: join(prefix, "drive_c"),
    deno: (args, options) => program([deno, ...args], ROOT, options),
    program,
    async [Symbol.asyncDispose]() {
      stuck[Symbol.dispose]();
      await run(programs.wineserver, ["-k"], base).catch(() => {}); // it has ended already
      await run(programs.wineserver, ["-w"], base);
      await server[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** With hard links for its 700 MB of programs, which nobody changes. */
async function copyPrefix(template: string, prefix: string): Promise<void> {
  await run("cp", ["-al", template, prefix]);
  for (const path of ["system.reg", "user.reg", "userdef.reg", "drive_c/users"]) {
    const copy = join(prefix, path);
    await Deno.remove(copy, { recursive: true });
    await run("cp", ["-a", join(template, path), copy]);
  }
}

async function addSettings(
  file: string,
  section: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) =>
    typeof value === "string"
      ? `"${name}"="${value}"\n`
      : `"${name}"=dword:${value.toString(16).padStart(8, "0")}\n`
  );
  if (lines.length === 0) return;
  await Deno.writeTextFile(file, `\n[${section}] 0\n${lines.join("")}`, { append: true });
}

/**
 * How a program is started whose addresses are not random, where that is allowed: about one process in a thousand would
 * have something at 0x7ffe0000, where wine needs a page in each of them, and would not start.
 */
function fixedAddresses(): readonly string[] {
  const launcher = ["setarch", "-R"];
  try {
    const { code } = new Deno.Command(launcher[0]!, { args: [...launcher.slice(1), "true"] })
      .outputSync();
    return code === 0 ? launcher : [];
  } catch {
    return [];
  }
}

/** How Windows programs call a file of this system. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll("/", "\\")}`;
}

/** Has the packages that these files import fetched here, and gives the folder where they are kept. */
async function fetchPackages(files: readonly string[]): Promise<string> {
  // with the parts of packages that are made for Windows alone
  const windows = ["--os", "win32", "--arch", "x64"];
  const args = ["install", "--quiet", "--frozen", ...windows, "-c", CONFIG, "--entrypoint"];
  if (files.length > 0) await run(Deno.execPath(), [...args, ...files]);
  const { stdout } = await command(Deno.execPath(), ["info", "--json"]).output();
  return JSON.parse(new TextDecoder().decode(stdout)).npmCache;
}

/** Packages are kept by the name of their registry, which the settings of the user may change. */
async function shareRegistry(prefix: string): Promise<void> {
  const settings = join(homedir(), ".npmrc");
  if (await Deno.stat(settings).catch(() => undefined) === undefined) return;
  const users = join(prefix, "drive_c", "users");
  for await (const { name } of Deno.readDir(users)) {
    if (name !== "Public") await Deno.symlink(settings, join(users, name, ".npmrc"));
  }
}

/** Its output and exit code; ended when it takes too long. What it leaves behind can hold its output open. */
async function outputOf(program: Deno.Command): Promise<{ code: number; output: string }> {
  const child = program.spawn();
  const timer = setTimeout(() => ended || child.kill("SIGTERM"), MAX_RUN_MS);
  const texts = ["", ""];
  let ended = false;
  const readers = [child.stdout, child.stderr].map((stream) => stream.getReader());
  const reading = readers.map(async (reader, which) => {
    const decoder = new TextDecoder();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      texts[which] += decoder.decode(part.value, { stream: true });
    }
  });
  try {
    const { code, signal } = await child.status;
    ended = true;
    await within(Promise.all(reading), LEFT_BEHIND_MS);
    // the summary says how it went
    return { code: signal === STUCK_SIGNAL ? 0 : code, output: texts.join("") };
  } finally {
    clearTimeout(timer);
    await Promise.all(readers.map((reader) => reader.cancel().catch(() => {})));
  }
}

async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { code, stderr } = await command(program, args, env).output();
  if (code === 0) return;
  throw new Error(`${program} ${args[0]} ended with ${code}: ${new TextDecoder().decode(stderr)}`);
}

function command(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Deno.Command {
  return new Deno.Command(program, { args: [...args], cwd: ROOT, env: { ...env }, stdin: "null" });
}
