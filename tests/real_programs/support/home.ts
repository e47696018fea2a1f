/** A home folder of its own for each real program: nothing of the person who runs the tests is read or written. */

import { endProcess, processIds } from "./processes.ts";

export interface Home extends AsyncDisposable {
  /** The folder, which is `HOME` of the program. */
  readonly path: string;
  /** The whole environment of a program on `display`. */
  env(display: string): Record<string, string>;
}

/** When it is disposed, every process that has it as its home is ended first. */
export async function openHome(): Promise<Home> {
  const path = await Deno.makeTempDir({ prefix: "real-program-" });
  const runtime = `${path}/run`;
  await Deno.mkdir(runtime, { mode: 0o700 });
  return {
    path,
    env: (display) => ({
      PATH: Deno.env.get("PATH")!,
      HOME: path,
      USER: Deno.env.get("USER") ?? "root",
      LANG: "C.UTF-8",
      LC_ALL: "C.UTF-8",
      DISPLAY: display,
      XDG_RUNTIME_DIR: runtime,
      XDG_CONFIG_HOME: `${path}/.config`,
      XDG_CACHE_HOME: `${path}/.cache`,
      XDG_DATA_HOME: `${path}/.local/share`,
      TMPDIR: runtime,
      NO_AT_BRIDGE: "1",
      GTK_A11Y: "none",
      GIO_USE_VFS: "local",
      GSETTINGS_BACKEND: "memory",
      GSK_RENDERER: "cairo",
      LIBGL_ALWAYS_SOFTWARE: "1",
    }),
    async [Symbol.asyncDispose]() {
      await endProgramsAtHome(path);
      await Deno.remove(path, { recursive: true });
    },
  };
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
