/** Makes an executable with `deno compile`, of the bundle and Deno's runtime file, `denort`. */

import type { Bundle } from "./bundle.ts";
import { run } from "./run.ts";
import { UNSTABLE_FLAGS } from "./run_flags.ts";
import type { Target } from "./targets.ts";

/** What came of it; `lacking` when there is no runtime file for the target. */
export type Compiled =
  | { readonly kind: "made"; readonly said: string }
  | { readonly kind: "lacking"; readonly reason: string };

export interface CompileOptions {
  readonly bundle: Bundle;
  /** The file to make. */
  readonly output: string;
  /** The runtime file; without one Deno fetches it from its project's own host. */
  readonly denort: string | undefined;
}

/** @throws Error when `deno compile` fails for another reason than a missing runtime. */
export async function compile(
  target: Target,
  { bundle, output, denort }: CompileOptions,
): Promise<Compiled> {
  const folder = await Deno.makeTempDir({ prefix: "computer-control-compile-" });
  try {
    for (const [name, bytes] of bundle) await Deno.writeFile(`${folder}/${name}`, bytes);
    const args = compileArguments(target, { files: [...bundle.keys()], output });
    const env = denort === undefined ? {} : { DENORT_BIN: denort };
    const { code, stdout, stderr } = await run(Deno.execPath(), args, { cwd: folder, env });
    if (code === 0) return { kind: "made", said: stdout + stderr };
    if (/Setting up base binary/.test(stderr)) {
      return { kind: "lacking", reason: reasonOf(stderr) };
    }
    throw new Error(`deno compile ended with ${code}:\n${stderr.trim()}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Everything but the program itself is included by name: nothing is found by luck. */
export function compileArguments(
  { triple }: Target,
  { files, output }: { readonly files: readonly string[]; readonly output: string },
): string[] {
  const others = files.filter((name) => name !== "main.js");
  return [
    ...["compile", "--allow-all", "--no-check", "--no-config", "--no-lock", "--no-remote"],
    ...["--no-npm", ...UNSTABLE_FLAGS, "--app-name", "computer-control", "--target", triple],
    ...others.flatMap((name) => ["--include", name]),
    ...["--output", output, "main.js"],
  ];
}

/** The line after "Setting up base binary". */
function reasonOf(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim().replace(/^\d+: /, ""));
  const at = lines.findIndex((line) => line.startsWith("Setting up base binary"));
  return lines[at + 1] || "it cannot be fetched";
}
