/** Asks the npm registry, by the program `npm` with the settings of the user. */

import { runWell } from "./run.ts";

/**
 * One field of a package, as a list even where it is one value; `prefersCache` takes what npm has kept, however old.
 * @throws Error when npm fails, as it does without a network.
 */
export async function npmView(
  name: string,
  { field, prefersCache }: { readonly field: string; readonly prefersCache: boolean },
): Promise<readonly string[]> {
  const online = ["--prefer-online", "--fetch-retries=0", "--fetch-timeout=20000"];
  const flags = prefersCache ? ["--prefer-offline"] : online;
  return [JSON.parse(await npm(["view", ...flags, "--json", name, field]))].flat();
}

/** @throws Error when npm fails. */
export async function npm(args: readonly string[], cwd?: string): Promise<string> {
  const program = Deno.build.os === "windows" ? "npm.cmd" : "npm";
  const all = [...args, "--loglevel=error"];
  return await runWell(program, all, cwd === undefined ? {} : { cwd });
}
