/** `deno task npm-package`: makes the folder `dist/npm`, which `npm pack` and `npm publish` take. */

import { bundle } from "./compile/bundle.ts";
import { UNSTABLE_FLAGS } from "./compile/run_flags.ts";
import { readPinnedVersion } from "./deno_version.ts";
import { readVersion } from "./release/version.ts";

const ROOT = new URL("../", import.meta.url);
const SOURCE = new URL("deploy/npm/", ROOT);

/** So that Deno takes no settings of the project in whose `node_modules` the program lies. */
const CONFIG = {
  unstable: UNSTABLE_FLAGS.map((flag) => flag.replace("--unstable-", "")),
  nodeModulesDir: "none",
  lock: false,
};

if (import.meta.main) {
  const out = Deno.args[0] ?? "dist/npm";
  await makePackage(out);
  console.log(`Made ${out}`);
}

/** Fills a folder anew: the launcher, the bundled program, and what npm wants to know. */
export async function makePackage(out: string): Promise<void> {
  await Deno.remove(out, { recursive: true }).catch(ignoreMissing);
  await Deno.mkdir(`${out}/program`, { recursive: true });
  for (const name of ["launch.mjs", "README.md"]) {
    await Deno.copyFile(new URL(name, SOURCE), `${out}/${name}`);
  }
  await Deno.copyFile(new URL("LICENSE", ROOT), `${out}/LICENSE`);
  await Deno.chmod(`${out}/launch.mjs`, 0o755);
  for (const [name, bytes] of await bundle()) await Deno.writeFile(`${out}/program/${name}`, bytes);
  await writeJson(`${out}/program/deno.json`, CONFIG);
  const manifest = JSON.parse(await Deno.readTextFile(new URL("package.json", SOURCE)));
  await writeJson(`${out}/package.json`, {
    ...manifest,
    version: await readVersion(),
    dependencies: { deno: await readPinnedVersion() },
  });
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
