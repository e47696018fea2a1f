/** Programs in Python with packages of PyPI, which pip installs once for all tests that want them. */

import { fileURLToPath } from "node:url";
import { testFolder } from "./folder.ts";

const FOLDER = fileURLToPath(new URL("../../dist/python/", import.meta.url));
const PYTHON = "/usr/bin/python3";
const NO_WAITING = ["--retries", "1", "--timeout", "20", "--disable-pip-version-check", "--quiet"];

/** A Python that can import some packages. */
export interface PackagedPython {
  /** The folder with the packages, for `PYTHONPATH`. */
  readonly path: string;
  /** Runs a script of the repository, and gives what it prints. */
  run(script: URL, args: readonly string[]): Promise<string>;
}

/** @returns why there is none: no network, no pip, no such package for this Python */
export async function pythonWith(packages: readonly string[]): Promise<PackagedPython | string> {
  const path = FOLDER + packages.join("_").replaceAll(/[^\w.-]/g, "-");
  if (!await isThere(path)) {
    await Deno.mkdir(FOLDER, { recursive: true });
    const half = await Deno.makeTempDir({ dir: FOLDER });
    const args = ["-m", "pip", "install", ...NO_WAITING, "--only-binary=:all:", "--target", half];
    const failure = await failureOf([...args, ...packages]);
    if (failure !== undefined) {
      await Deno.remove(half, { recursive: true });
      return failure;
    }
    await Deno.rename(half, path);
  }
  return { path, run: (script, args) => runScript(path, script, args) };
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function failureOf(args: readonly string[]): Promise<string | undefined> {
  try {
    const { success, stderr } = await new Deno.Command(PYTHON, { args: [...args] }).output();
    return success ? undefined : new TextDecoder().decode(stderr).trim();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `there is no ${PYTHON}`;
    throw error;
  }
}

async function runScript(path: string, script: URL, args: readonly string[]): Promise<string> {
  await using home = await testFolder();
  const { success, stdout, stderr } = await new Deno.Command(PYTHON, {
    args: ["-B", fileURLToPath(script), ...args],
    env: {
      PYTHONPATH: path,
      PYTHONIOENCODING: "utf-8",
      HOME: home.path,
      CUA_TELEMETRY: "off",
      CUA_TELEMETRY_ENABLED: "false",
    },
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
