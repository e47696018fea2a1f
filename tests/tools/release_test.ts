/** What a release is told with: notes, the list of what is in it, and the manifests of package managers. */

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "expect";
import { parse } from "yaml";
import { executableName, TARGETS } from "../../tools/compile/targets.ts";
import { makeManifests, readSums } from "../../tools/release/manifests.ts";
import type { Release } from "../../tools/release/release.ts";
import { bundleName } from "../../tools/release/mcpb.ts";
import { notesOf } from "../../tools/release/notes.ts";
import { sbomOf } from "../../tools/release/sbom.ts";

const ROOT = new URL("../../", import.meta.url);

const CHANGELOG = `# Changelog

## 0.3.0 - unreleased

- Not yet.

## [0.2.0] - 2026-03-09

### Added

- A thing.

## 0.1.10 - 2026-01-02

## 0.1.0 - 2026-01-01

- The first.
`;

Deno.test("notesOf() gives what stands below the heading, up to the next version", () => {
  expect(notesOf(CHANGELOG, "0.2.0")).toBe("### Added\n\n- A thing.");
  expect(notesOf(CHANGELOG, "0.1.0")).toBe("- The first.");
  expect(notesOf(CHANGELOG.replaceAll("\n", "\r\n"), "0.1.0")).toBe("- The first.");
});

const refusedNotes: [string, string][] = [
  ["0.3.0", "write the date of the release there"],
  ["0.1.1", 'has no heading "## 0.1.1 - <date>"'],
  ["0.1.10", "says nothing below"],
  ["", "has no heading"],
];

for (const [version, message] of refusedNotes) {
  Deno.test(`notesOf() refuses "${version}"`, () => {
    expect(() => notesOf(CHANGELOG, version)).toThrow(message);
  });
}

Deno.test("CHANGELOG.md of this repository has a heading for the version of deno.json", async () => {
  const text = await Deno.readTextFile(new URL("CHANGELOG.md", ROOT));
  const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const dated = text.replace(`## ${version} - unreleased`, `## ${version} - 2026-01-01`);
  expect(notesOf(dated, version).length).toBeGreaterThan(100);
});

// deno-lint-ignore no-explicit-any -- the shape is what the test is about
function sbom(lock: any): any {
  return sbomOf({ lock, version: "0.9.1", deno: "70.0.1" });
}

Deno.test("sbomOf() lists every package of the lock file with its sum, and what needs it", async () => {
  const lock = JSON.parse(await Deno.readTextFile(new URL("deno.lock", ROOT)));
  const document = sbom(lock);
  expect(document).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
  expect(document.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  // deno-lint-ignore no-explicit-any -- as above
  const refs = document.components.map((component: any) => component["bom-ref"]);
  expect(refs.length).toBe(Object.keys(lock.npm).length + 1);
  expect(new Set(refs).size).toBe(refs.length);
  expect(refs).toContain("pkg:npm/deno@70.0.1");
  expect(refs).toContain("pkg:npm/%40jsquash/webp@1.5.0");
  const all = new Set([...refs, "pkg:npm/computer-control@0.9.1"]);
  expect(new Set(document.dependencies.map(({ ref }: { ref: string }) => ref))).toEqual(all);
  const needed = document.dependencies.flatMap((each: { dependsOn: string[] }) => each.dependsOn);
  expect(needed.filter((ref: string) => !all.has(ref))).toEqual([]);
  const reached = new Set(needed);
  expect(refs.filter((ref: string) => !reached.has(ref))).toEqual([]); // nothing stands there alone
  expect(sbom(lock)).toEqual(document);
});

Deno.test("sbomOf() reads peers, several versions of a package, and the sum in hexadecimal", () => {
  const integrity = `sha512-${btoa("\x00\xff")}`;
  const document = sbom({
    npm: {
      "@a/b@1.0.0_c@2.0.0": { integrity, dependencies: ["c@2.0.0"] },
      "c@1.0.0": { integrity },
      "c@2.0.0": { integrity },
    },
    workspace: { dependencies: ["npm:@a/b@1.0.0", "npm:c@1.0.0"] },
  });
  expect(document.components[1]).toEqual({
    ...{ type: "library", group: "@a", name: "b", version: "1.0.0" },
    ...{ "bom-ref": "pkg:npm/%40a/b@1.0.0", purl: "pkg:npm/%40a/b@1.0.0" },
    hashes: [{ alg: "SHA-512", content: "00ff" }],
  });
  expect(document.dependencies[2]).toEqual({
    ref: "pkg:npm/%40a/b@1.0.0",
    dependsOn: ["pkg:npm/c@2.0.0"],
  });
});

Deno.test("sbomOf() refuses a lock file that it does not understand", () => {
  const workspace = { dependencies: ["npm:gone@1"] };
  expect(() => sbom({ npm: {}, workspace })).toThrow('0 packages for "gone@1"');
  const npm = { "a@1.0.0": { integrity: "sha1-x" } };
  expect(() => sbom({ npm, workspace: { dependencies: [] } })).toThrow("no SHA-512");
});

const sums = new Map(
  [executableName, bundleName].flatMap((nameOf) =>
    TARGETS.map((target, at) => [nameOf(target), String(at).repeat(64)] as const)
  ),
);
const RELEASE: Release = {
  version: "0.9.1",
  repository: "example-owner/computer-control",
  homepage: "https://code.example/example-owner/computer-control",
  download: "https://code.example/example-owner/computer-control/releases/download/v0.9.1",
  sums,
};

Deno.test("makeManifests() fills Homebrew's formula with the sum of each system", () => {
  const formula = makeManifests(RELEASE).get("homebrew/computer-control.rb")!;
  for (const [file, sum] of sums) {
    if (/\.(exe|mcpb)$/.test(file)) continue;
    expect(formula).toContain(`url "${RELEASE.download}/${file}"\n      sha256 "${sum}"`);
  }
  expect(formula).toContain('version "0.9.1"');
  const opened = formula.match(/\b(do|class|def)\b/g)!.length;
  expect(formula.match(/\bend\b/g)!.length).toBe(opened);
});

Deno.test("makeManifests() fills scoop's manifest", () => {
  const manifest = JSON.parse(makeManifests(RELEASE).get("scoop/computer-control.json")!);
  expect(manifest).toMatchObject({
    version: "0.9.1",
    architecture: {
      "64bit": {
        url: `${RELEASE.download}/computer-control-windows-x86_64.exe#/computer-control.exe`,
        hash: sums.get("computer-control-windows-x86_64.exe"),
      },
    },
    bin: "computer-control.exe",
  });
});

Deno.test("makeManifests() fills winget's three manifests, alike in name and version", () => {
  const made = [...makeManifests({ ...RELEASE, version: "0.9" })];
  const manifests = made.filter(([path]) => path.startsWith("winget/"))
    .map(([, text]) => parse(text));
  expect(manifests.map(({ ManifestType }) => ManifestType))
    .toEqual(["version", "defaultLocale", "installer"]);
  for (const manifest of manifests) {
    expect(manifest.PackageIdentifier).toBe("example-owner.ComputerControl");
    expect(manifest.PackageVersion).toBe("0.9"); // a text, no number
  }
  expect(manifests[2]).toMatchObject({
    InstallerType: "portable",
    Commands: ["computer-control"],
    Installers: [{ Architecture: "x64", InstallerSha256: "2".repeat(64) }],
  });
});

/** What the registry asks of server.json (its schema of 2025-12-11), as far as this file uses it. */
const REGISTRY_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["$schema", "name", "description", "version", "repository", "packages"],
  properties: {
    $schema: { pattern: "^https://static\\.modelcontextprotocol\\.io/schemas/" },
    name: { type: "string", maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: { type: "string", pattern: "^\\d[^\\s^~*]*$" },
    websiteUrl: { type: "string", pattern: "^https://" },
    repository: {
      type: "object",
      additionalProperties: false,
      required: ["url", "source"],
      properties: { url: { pattern: "^https://" }, source: { const: "github" } },
    },
    packages: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["registryType", "identifier", "fileSha256", "transport"],
        properties: {
          registryType: { const: "mcpb" },
          identifier: { pattern: "^https://.*\\.mcpb$" },
          version: { type: "string" },
          fileSha256: { type: "string", pattern: "^[a-f0-9]{64}$" },
          transport: { const: { type: "stdio" } },
        },
      },
    },
  },
};

Deno.test("makeManifests() fills server.json of the MCP registry with each bundle and its sum", () => {
  const text = makeManifests(RELEASE).get("mcp-registry/server.json")!;
  const manifest = JSON.parse(text);
  const validate = new Ajv2020({ strictTypes: false }).compile(REGISTRY_SCHEMA);
  expect([validate(manifest), validate.errors]).toEqual([true, null]);
  expect(manifest.name).toBe("io.github.example-owner/computer-control");
  expect(manifest.packages.map(({ fileSha256 }: { fileSha256: string }) => fileSha256))
    .toEqual(TARGETS.map((target) => sums.get(bundleName(target))));
});

const refusedReleases: [Partial<Release>, string][] = [
  [{ download: "http://code.example/x" }, "must be an https address"],
  [{ download: 'https://code.example/"; system("x")' }, "must be an https address"],
  [{ homepage: "https://code.example/" }, "without a slash at the end"],
  [{ repository: "nobody" }, "must be owner/name"],
  [{ sums: new Map() }, "SHA256SUMS has no line for"],
];

for (const [change, message] of refusedReleases) {
  Deno.test(`makeManifests() refuses ${JSON.stringify(change)}`, () => {
    expect(() => makeManifests({ ...RELEASE, ...change })).toThrow(message);
  });
}

Deno.test("readSums() reads what sha256sum writes, and nothing else", () => {
  const sum = "a".repeat(64);
  expect(readSums(`${sum}  one\n${sum} *two\n`)).toEqual(new Map([["one", sum], ["two", sum]]));
  expect(() => readSums("not a sum  one\n")).toThrow("has a line that is none");
});
