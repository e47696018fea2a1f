/** A home folder of its own for each real program: nothing of the person who runs the tests is read or written. */

import { run } from "../../support/desktop.ts";
import { endProcess, processIds } from "./processes.ts";

/** Where a program runs: a display, with the variables of a session if there is one. */
export type Place = string | {
  readonly display: string;
  /** Its programs tell assistive technology what they show. */
  readonly env: Readonly<Record<string, string>>;
};

/** Keeps programs from looking for the accessibility bus of the person who runs the tests. */
const UNHEARD = { NO_AT_BRIDGE: "1", GTK_A11Y: "none" };

export function displayOf(place: Place): string {
  return typeof place === "string" ? place : place.display;
}

/** The command in a session of its own, or as it is where there is a session already. */
export function inSession(place: Place, command: readonly string[]): string[] {
  return typeof place === "string" ? ["dbus-run-session", ...command] : [...command];
}

export interface Home extends AsyncDisposable {
  /** The folder, which is `HOME` of the program. */
  readonly path: string;
  /** The whole environment of a program at a place. */
  env(place: Place): Record<string, string>;
}

/** When it is disposed, every process that has it as its home is ended first. */
export async function openHome(): Promise<Home> {
  const path = await Deno.makeTempDir({ prefix: "real-program-" });
  const runtime = `${path}/run`;
  await Deno.mkdir(runtime, { mode: 0o700 });
  return {
    path,
    env: (place) => ({
      PATH: Deno.env.get("PATH")!,
      HOME: path,
      USER: Deno.env.get("USER") ?? "root",
      LANG: "C.UTF-8",
      LC_ALL: "C.UTF-8",
      DISPLAY: displayOf(place),
      XDG_RUNTIME_DIR: runtime,
      XDG_CONFIG_HOME: `${path}/.config`,
      XDG_CACHE_HOME: `${path}/.cache`,
      XDG_DATA_HOME: `${path}/.local/share`,
      TMPDIR: runtime,
      GIO_USE_VFS: "local",
      GSETTINGS_BACKEND: "memory",
      GSK_RENDERER: "cairo",
      LIBGL_ALWAYS_SOFTWARE: "1",
      ...(typeof place === "string" ? UNHEARD : place.env),
    }),
    async [Symbol.asyncDispose]() {
      await endProgramsAtHome(path);
      await unmountIn(path);
      await Deno.remove(path, { recursive: true });
    },
  };
}

/** A portal for documents that was killed leaves its mount behind, which nobody can remove then. */
async function unmountIn(folder: string): Promise<void> {
  const mounts = (await Deno.readTextFile("/proc/self/mounts")).split("\n");
  const left = mounts.map((line) => line.split(" ")[1] ?? "").filter((at) =>
    at.startsWith(`${folder}/`)
  );
  for (const at of left) await run("umount", ["--lazy", at]);
}

/** Ends every process that has this home, and those that they start meanwhile. */
export async function endProgramsAtHome(home: string): Promise<void> {
  const left = () => processIds().filter((pid) => hasHome(pid, home));
  for (let found = left(); found.length > 0; found = left()) {
    await Promise.all(found.map(endProcess));
  }
}

/** Services that a session bus starts leave the group of the program, but they inherit its home. */
function hasHome(pid: number, home: string): boolean {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0").includes(`HOME=${home}`);
  } catch {
    return false; // it has ended
  }
}
