/**
 * Harbor's own models of trajectories and its validator. The package needs a newer Python than some
 * systems have, its models do not: they are taken out of it.
 */

import { isThere } from "../../src/core/files.ts";
import { pythonWith } from "./python_packages.ts";

const VERSION = "0.26.0";
const FOLDER = new URL(`../../dist/python/harbor-${VERSION}/`, import.meta.url);
const SCRIPT = new URL("./harbor_verdicts.py", import.meta.url);
const PIP = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"];

interface Harbor {
  /** Prints the verdicts on all exports in a folder, as JSON. */
  run(folders: readonly string[]): Promise<string>;
}

/** @returns why there is none: no network, no pip */
export async function harborModels(): Promise<Harbor | string> {
  const python = await pythonWith(["pydantic>=2.11"]);
  if (typeof python === "string") return python;
  const folder = decodeURIComponent(FOLDER.pathname);
  if (!await isThere(`${folder}done`)) {
    await Deno.mkdir(folder, { recursive: true });
    const args = [...PIP, "--python-version", "3.12", "--dest", folder, `harbor==${VERSION}`];
    const { success, stderr } = await new Deno.Command("/usr/bin/python3", { args }).output();
    if (!success) return new TextDecoder().decode(stderr).trim();
    await Deno.writeTextFile(`${folder}done`, "");
  }
  const wheel = `${folder}harbor-${VERSION}-py3-none-any.whl`;
  return { run: (folders) => python.run(SCRIPT, [wheel, ...folders]) };
}
