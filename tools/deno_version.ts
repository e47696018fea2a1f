/** `deno task deno-version`: says whether npm has a newer Deno than the pinned one for every system. */

import { npmView } from "./compile/npm.ts";
import { TARGETS } from "./compile/targets.ts";

const FILE = new URL("../.dvmrc", import.meta.url);
/** The launcher that `npx` runs, and the runtime of each system. */
const PACKAGES = ["deno", ...TARGETS.map(({ runtimePackage }) => runtimePackage)];

/** What `deno task deno-version` ends with. */
const EXIT = { current: 0, newer: 1, unknown: 2 } as const;

if (import.meta.main) Deno.exit(await main());

/** The version in `.dvmrc`, the one place where it is decided; a test compares all others with it. */
export async function readPinnedVersion(): Promise<string> {
  return (await Deno.readTextFile(FILE)).trim();
}

/** @throws Error when another version builds: its output would depend on who builds. */
export function checkBuilder(running: string, pinned: string): void {
  if (running === pinned) return;
  throw new Error(
    `This is Deno ${running}, and ${pinned} is pinned: run npx -y deno@${pinned} task compile`,
  );
}

/** Package -> its versions. */
export type Published = ReadonlyMap<string, readonly string[]>;

export interface Newer {
  /** The newest released version that all packages have; the pinned one where none is newer. */
  readonly complete: string;
  /** Released versions above that one -> packages that lack them. */
  readonly incomplete: ReadonlyMap<string, readonly string[]>;
}

/** Which versions above the pinned one there are, and for whom. */
export function findNewer(published: Published, pinned: string): Newer {
  const all = new Set([...published.values()].flat().filter(isReleased));
  const newer = [...all].filter((version) => compareVersions(version, pinned) > 0)
    .toSorted(compareVersions);
  const lacking = (version: string) =>
    [...published].filter(([, versions]) => !versions.includes(version)).map(([name]) => name);
  const complete = newer.findLast((version) => lacking(version).length === 0) ?? pinned;
  const above = newer.filter((version) => compareVersions(version, complete) > 0);
  return { complete, incomplete: new Map(above.map((version) => [version, lacking(version)])) };
}

/** Returns the exit code. */
async function main(): Promise<number> {
  const pinned = await readPinnedVersion();
  let published: Published;
  try {
    published = await readPublished();
  } catch (error) {
    const why = (error as Error).message.split("\n").slice(0, 3).join(" ");
    console.error(`Deno ${pinned} is pinned; whether there is a newer one is not known: ${why}`);
    return EXIT.unknown;
  }
  const { complete, incomplete } = findNewer(published, pinned);
  for (const [version, packages] of incomplete) {
    console.log(`Deno ${version} is not complete: npm does not have it of ${packages.join(", ")}`);
  }
  if (complete === pinned) {
    console.log(`Deno ${pinned} is pinned, the newest that npm has for every system`);
    return EXIT.current;
  }
  console.log(`Deno ${complete} is there for every system, and ${pinned} is pinned in .dvmrc`);
  return EXIT.newer;
}

async function readPublished(): Promise<Published> {
  const options = { field: "versions", prefersCache: false };
  const lists = await Promise.all(PACKAGES.map((name) => npmView(name, options)));
  return new Map(PACKAGES.map((name, index) => [name, lists[index]!]));
}

function isReleased(version: string): boolean {
  return /^\d+\.\d+\.\d+$/.test(version);
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  const differing = left!.findIndex((part, index) => part !== right![index]);
  return differing < 0 ? 0 : left![differing]! - right![differing]!;
}
