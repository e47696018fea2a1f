/** `server.json` for the registry of the Model Context Protocol: the bundles of a release. */

import { TARGETS } from "../compile/targets.ts";
import { DESCRIPTION, type Release, sumOf } from "./release.ts";
import { bundleName } from "./mcpb.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

export function serverManifest(release: Release): string {
  const { version, repository, homepage, download } = release;
  const [owner, name] = repository.split("/") as [string, string];
  const manifest = {
    $schema: SCHEMA,
    name: `io.github.${owner}/${name}`,
    title: "Computer Control",
    description: DESCRIPTION,
    version,
    websiteUrl: homepage,
    repository: { url: homepage, source: "github" },
    packages: TARGETS.map((target) => ({
      registryType: "mcpb",
      identifier: `${download}/${bundleName(target)}`,
      version,
      fileSha256: sumOf(release, bundleName(target)),
      transport: { type: "stdio" },
    })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
