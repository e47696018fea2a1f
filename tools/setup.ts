/** `deno task setup`: installs the system packages that the tests, or other purposes (`--for wine wayland`), need. */

import { type Host, thisHost } from "../src/platform/host.ts";
import {
  installPackages,
  missingPackages,
  type Purpose,
  PURPOSES,
} from "../src/platform/linux/setup/programs.ts";

/** The other purposes that each purpose includes: the tests start the service. */
export const INCLUDED: Readonly<Record<Purpose, readonly Purpose[]>> = {
  start: [],
  test: ["start"],
  programs: ["start", "test"],
  wine: ["start", "test"],
  wayland: ["start", "test", "programs"],
  bench: ["start", "programs", "test", "wayland"],
  newcomer: [],
  strangers: ["start", "test", "programs"],
};

const USAGE = `setup: use --for with all, or some of ${PURPOSES.join(", ")}`;

/** Returns the exit code. */
export async function setup(args: readonly string[], host: Host): Promise<number> {
  const purposes = readPurposes(args);
  if (purposes === undefined) {
    console.error(USAGE);
    return 2;
  }
  if (host.os !== "linux") {
    console.log(`setup: nothing is installed on ${host.os}; the tests leave out what they lack`);
    return 0;
  }
  const missing = await missingPackages(host, [...purposes]);
  if (missing.length === 0) return 0;
  const purpose = `for ${args.slice(1).join(" and ") || "test"}`;
  const result = await installPackages(host, missing, { purpose, allowed: true });
  if (result.installed) return 0;
  console.error(`setup: ${missing.join(", ")} missing: ${result.reason}`);
  return 1;
}

/** `undefined` for arguments that are none of ours. */
function readPurposes(args: readonly string[]): Set<Purpose> | undefined {
  const [flag, ...names] = args.length === 0 ? ["--for", "test"] : args;
  if (flag !== "--for" || names.length === 0) return undefined;
  if (names.length === 1 && names[0] === "all") return new Set(PURPOSES);
  const purposes = names.map((name) => PURPOSES.find((each) => each === name));
  if (purposes.includes(undefined)) return undefined;
  return new Set(purposes.flatMap((each) => [each!, ...INCLUDED[each!]]));
}

if (import.meta.main) Deno.exit(await setup(Deno.args, thisHost()));
