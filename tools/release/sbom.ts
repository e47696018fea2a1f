/** `deno task sbom`: what the program is made of, as CycloneDX 1.6, from the lock file of what runs. */

import { createHash } from "node:crypto";
import { readPinnedVersion } from "../deno_version.ts";
import { readVersion } from "./version.ts";

const LOCK = new URL("../../deno.lock", import.meta.url);

interface LockedPackage {
  readonly integrity: string;
  /** Names, with the version where the lock file has several. */
  readonly dependencies?: readonly string[];
  readonly optionalDependencies?: readonly string[];
}

interface Lock {
  /** `hono@4.13.19` -> what was locked */
  readonly npm: Readonly<Record<string, LockedPackage>>;
  readonly workspace: { readonly dependencies: readonly string[] };
}

export interface SbomOptions {
  readonly lock: Lock;
  readonly version: string;
  /** Deno's, which every executable holds. */
  readonly deno: string;
}

if (import.meta.main) {
  const lock = JSON.parse(await Deno.readTextFile(LOCK));
  const [version, deno] = await Promise.all([readVersion(), readPinnedVersion()]);
  const out = Deno.args[0] ?? "dist/computer-control.cdx.json";
  await Deno.writeTextFile(out, `${JSON.stringify(sbomOf({ lock, version, deno }), null, 2)}\n`);
  console.log(`Made ${out}`);
}

/** The same document for the same lock file: it has no time and no random number. */
export function sbomOf({ lock, version, deno }: SbomOptions): object {
  const keys = Object.keys(lock.npm).sort();
  const program = `pkg:npm/computer-control@${version}`;
  const runtime = `pkg:npm/deno@${deno}`;
  const direct = lock.workspace.dependencies.map((each) => refOf(findKey(keys, each.slice(4))));
  const dependencies = [
    { ref: program, dependsOn: [...direct, runtime].sort() },
    { ref: runtime, dependsOn: [] },
    ...keys.map((key) => ({
      ref: refOf(key),
      dependsOn: dependenciesOf(lock.npm[key]!, keys),
    })),
  ];
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(dependencies))}`,
    version: 1,
    metadata: {
      component: {
        ...{ type: "application", name: "computer-control", version, "bom-ref": program },
        ...{ purl: program, licenses: [{ license: { id: "MIT" } }] },
      },
    },
    components: [
      { type: "platform", name: "deno", version: deno, "bom-ref": runtime, purl: runtime },
      ...keys.map((key) => componentOf(key, lock.npm[key]!)),
    ],
    dependencies,
  };
}

function componentOf(key: string, { integrity }: LockedPackage): object {
  const { group, name, version } = partsOf(key);
  const [algorithm, digest] = [integrity.slice(0, 6), integrity.slice(7)];
  if (algorithm !== "sha512") throw new Error(`The lock file has no SHA-512 of "${key}"`);
  return {
    type: "library",
    ...(group === undefined ? {} : { group }),
    ...{ name, version, "bom-ref": refOf(key), purl: refOf(key) },
    hashes: [{ alg: "SHA-512", content: hexOf(digest) }],
  };
}

function dependenciesOf(locked: LockedPackage, keys: readonly string[]): string[] {
  const { dependencies = [], optionalDependencies = [] } = locked;
  return [...dependencies, ...optionalDependencies].map((each) => refOf(findKey(keys, each)))
    .sort();
}

/** `sax` or `sax@1.6.1`, as the lock file says it, to the whole key. */
function findKey(keys: readonly string[], name: string): string {
  const found = keys.filter((key) =>
    key === name || /^[@_]/.test(key.slice(name.length)) && key.startsWith(name)
  );
  if (found.length === 1) return found[0]!;
  throw new Error(`The lock file has ${found.length} packages for "${name}"`);
}

/** `@scope/name@1.2.3_peer@4.5.6`: what follows `_` says which peers it got. */
function partsOf(key: string): { group: string | undefined; name: string; version: string } {
  const [, group, name, version] = /^(?:(@[^/]+)\/)?([^@]+)@([^_]+)/.exec(key) ?? [];
  if (name === undefined) throw new Error(`Cannot read "${key}" of the lock file`);
  return { group, name, version: version! };
}

function refOf(key: string): string {
  const { group, name, version } = partsOf(key);
  const path = group === undefined ? name : `${group.replace("@", "%40")}/${name}`;
  return `pkg:npm/${path}@${version}`;
}

function hexOf(base64: string): string {
  return Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"))
    .join("");
}

/** A UUID of version 5: made from the content. */
function uuidOf(text: string): string {
  const digest = createHash("sha256").update(text).digest("hex");
  const variant = (parseInt(digest[16]!, 16) & 3 | 8).toString(16);
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `5${digest.slice(13, 16)}`];
  return [...parts, variant + digest.slice(17, 20), digest.slice(20, 32)].join("-");
}
