/**
 * Lays the program out for the container image, in one folder: Deno, the bundle, and the script that starts them.
 * `deno run -A tools/container/program.ts amd64 /opt/computer-control`
 */

import { join } from "node:path";
import { bundle } from "../compile/bundle.ts";
import { RUN_FLAGS } from "../compile/run_flags.ts";
import { fetchRuntime } from "../compile/runtimes.ts";
import { TARGETS } from "../compile/targets.ts";
import { readPinnedVersion } from "../deno_version.ts";

/** As container engines name them -> as our targets are named. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  amd64: "linux-x86_64",
  arm64: "linux-aarch64",
};
/** Where Deno keeps what it has compiled; a start reads it from there. */
export const CACHE = "/var/cache/computer-control";

if (import.meta.main) Deno.exit(await main(Deno.args));

/** Returns the exit code. */
async function main([architecture = "", folder = ""]: readonly string[]): Promise<number> {
  const target = TARGETS.find(({ name }) => name === ARCHITECTURES[architecture]);
  if (target === undefined || folder === "") {
    const known = Object.keys(ARCHITECTURES).join(" or ");
    console.error(`program: must be called with an architecture (${known}) and a folder`);
    return 2;
  }
  await Deno.mkdir(join(folder, "program"), { recursive: true });
  for (const [name, bytes] of await bundle()) {
    await Deno.writeFile(join(folder, "program", name), bytes, { mode: 0o644 });
  }
  const { program } = await fetchRuntime(target, await readPinnedVersion());
  await Deno.writeFile(join(folder, "deno"), program);
  await Deno.writeTextFile(join(folder, "computer-control"), startScript(folder));
  for (const name of ["deno", "computer-control"]) await Deno.chmod(join(folder, name), 0o755);
  return 0;
}

/** Starts the program as the head of a self-extracting file does. */
export function startScript(folder: string): string {
  return `#!/bin/sh
export COMPUTER_CONTROL_KIND=folder COMPUTER_CONTROL_EXECUTABLE=${folder}/computer-control
export COMPUTER_CONTROL_DENO_DIR="\${DENO_DIR:-}" DENO_DIR="\${COMPUTER_CONTROL_CACHE:-${CACHE}}"
export DENO_NO_UPDATE_CHECK=1
exec ${folder}/deno run ${RUN_FLAGS.join(" ")} ${folder}/program/main.js "$@"
`;
}
