/** Deno for each system, as its npm packages bring it. */

import { createHash } from "node:crypto";
import { npm, npmView } from "./npm.ts";
import { runWell } from "./run.ts";
import type { Target } from "./targets.ts";

export interface Runtime {
  readonly version: string;
  /** The package as npm gave it: `package/deno` or `package/deno.exe` in a packed archive. */
  readonly archive: Uint8Array<ArrayBuffer>;
  readonly program: Uint8Array<ArrayBuffer>;
}

/**
 * Fetches the pinned version, for every system the same.
 * @throws Error when npm fails, when the registry lacks that version, or when what it gives has another checksum than
 * the registry says.
 */
export async function fetchRuntime(target: Target, version: string): Promise<Runtime> {
  const { runtimePackage } = target;
  const versions = await npmView(runtimePackage, { field: "versions", prefersCache: true });
  checkPublished(runtimePackage, { versions, version });
  const folder = await Deno.makeTempDir({ prefix: "computer-control-runtime-" });
  try {
    const name = `${runtimePackage}@${version}`;
    const [packed] = JSON.parse(await npm(["pack", "--prefer-offline", "--json", name], folder));
    const archive = await Deno.readFile(`${folder}/${packed.filename}`);
    const [integrity] = await npmView(name, { field: "dist.integrity", prefersCache: true });
    checkIntegrity(name, archive, integrity!);
    await runWell("tar", ["-xzf", packed.filename], { cwd: folder });
    const file = target.os === "windows" ? "deno.exe" : "deno";
    return { version, archive, program: await Deno.readFile(`${folder}/package/${file}`) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** @throws Error when the version is not among those that the registry has; another one is never taken instead. */
export function checkPublished(
  name: string,
  { versions, version }: { readonly versions: readonly string[]; readonly version: string },
): void {
  if (versions.includes(version)) return;
  throw new Error(
    `The registry has no "${name}@${version}": pin a version that every system has (deno task deno-version)`,
  );
}

/** @param integrity `sha512-` and the digest in base 64 */
export function checkIntegrity(name: string, archive: Uint8Array, integrity: string): void {
  const found = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  if (found === integrity) return;
  throw new Error(`"${name}" is damaged: its checksum is ${found} instead of ${integrity}`);
}
