/** Deno for each system, as its npm packages bring it. */

import { createHash } from "node:crypto";
import { runWell } from "./run.ts";
import type { Target } from "./targets.ts";

export interface Runtime {
  readonly version: string;
  /** The package as npm gave it: `package/deno` or `package/deno.exe` in a packed archive. */
  readonly archive: Uint8Array<ArrayBuffer>;
  readonly program: Uint8Array<ArrayBuffer>;
}

/**
 * Fetches the version that runs this, else the newest there is, which `say` is told.
 * @throws Error when npm fails, or when what it gives has another checksum than the registry says.
 */
export async function fetchRuntime(target: Target, say: (line: string) => void): Promise<Runtime> {
  const { runtimePackage } = target;
  const version = chooseVersion(await npmView(runtimePackage, "versions"), Deno.version.deno);
  if (version !== Deno.version.deno) {
    say(`${runtimePackage} has no version ${Deno.version.deno}: taking ${version}, its newest`);
  }
  const folder = await Deno.makeTempDir({ prefix: "computer-control-runtime-" });
  try {
    const name = `${runtimePackage}@${version}`;
    const [packed] = JSON.parse(await npm(["pack", "--prefer-offline", "--json", name], folder));
    const archive = await Deno.readFile(`${folder}/${packed.filename}`);
    const [integrity] = await npmView(name, "dist.integrity");
    checkIntegrity(name, archive, integrity!);
    await runWell("tar", ["-xzf", packed.filename], { cwd: folder });
    const file = target.os === "windows" ? "deno.exe" : "deno";
    return { version, archive, program: await Deno.readFile(`${folder}/package/${file}`) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** @throws Error when there is none. */
export function chooseVersion(versions: readonly string[], wanted: string): string {
  if (versions.includes(wanted)) return wanted;
  const released = versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  const newest = released.toSorted(byVersion).at(-1);
  if (newest === undefined) throw new Error("The registry has no released version of Deno");
  return newest;
}

function byVersion(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  const differing = left!.findIndex((part, index) => part !== right![index]);
  return differing < 0 ? 0 : left![differing]! - right![differing]!;
}

/** @param integrity `sha512-` and the digest in base 64 */
export function checkIntegrity(name: string, archive: Uint8Array, integrity: string): void {
  const found = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  if (found === integrity) return;
  throw new Error(`"${name}" is damaged: its checksum is ${found} instead of ${integrity}`);
}

/** One value of the registry, or a list of them. */
async function npmView(name: string, field: string): Promise<readonly string[]> {
  return [JSON.parse(await npm(["view", "--prefer-offline", "--json", name, field]))].flat();
}

async function npm(args: readonly string[], cwd?: string): Promise<string> {
  const program = Deno.build.os === "windows" ? "npm.cmd" : "npm";
  const all = [...args, "--loglevel=error"];
  return await runWell(program, all, cwd === undefined ? {} : { cwd });
}
