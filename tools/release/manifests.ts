/**
 * `deno task manifests --repository <owner/name> --download <URL of the release's files>`: the Homebrew formula
 * the manifests for scoop and winget, and `server.json` of the MCP registry, from the version and `dist/SHA256SUMS`.
 */

import { parseArgs } from "node:util";
import { homebrewFormula } from "./homebrew.ts";
import { serverManifest } from "./mcp_registry.ts";
import { scoopManifest } from "./scoop.ts";
import type { Release } from "./release.ts";
import { readVersion } from "./version.ts";
import { wingetManifests } from "./winget.ts";

if (import.meta.main) Deno.exit(await main(Deno.args));

/** Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        repository: { type: "string" },
        homepage: { type: "string" },
        download: { type: "string" },
        dist: { type: "string", default: "dist" },
      },
    });
    const { repository, homepage, download, dist } = values;
    if (!repository || !homepage || !download) {
      throw new Error("use --repository <owner/name> --homepage <URL> --download <URL>");
    }
    const sums = readSums(await Deno.readTextFile(`${dist}/SHA256SUMS`));
    const release = { version: await readVersion(), repository, homepage, download, sums };
    for (const [path, text] of makeManifests(release)) {
      const file = `${dist}/manifests/${path}`;
      await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(file, text);
      console.log(`Made ${file}`);
    }
    return 0;
  } catch (error) {
    console.error(`manifests: ${(error as Error).message}`);
    return 1;
  }
}

/** Path -> text of every manifest. */
export function makeManifests(release: Release): Map<string, string> {
  for (const [what, url] of [["--homepage", release.homepage], ["--download", release.download]]) {
    if (!/^https:\/\/[^\s"'\\]+[^\s"'\\/]$/.test(url!)) {
      throw new Error(`${what} "${url}": must be an https address without a slash at the end`);
    }
  }
  if (!/^[\w.-]+\/[\w.-]+$/.test(release.repository)) {
    throw new Error(`--repository "${release.repository}": must be owner/name`);
  }
  return new Map([
    ["homebrew/computer-control.rb", homebrewFormula(release)],
    ["scoop/computer-control.json", scoopManifest(release)],
    ...wingetManifests(release),
    ["mcp-registry/server.json", serverManifest(release)],
  ]);
}

/** The lines of `SHA256SUMS`, as `sha256sum` reads them. */
export function readSums(text: string): Map<string, string> {
  return new Map(
    text.trim().split("\n").map((line) => {
      const [, sum, name] = /^([0-9a-f]{64}) [ *](\S+)$/.exec(line) ?? [];
      if (sum === undefined) throw new Error(`SHA256SUMS has a line that is none: "${line}"`);
      return [name!, sum];
    }),
  );
}
