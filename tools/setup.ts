/** `deno task setup`: installs the system packages that the tests, or another purpose (`--for bench`), need. */

import { type Host, thisHost } from "../src/platform/host.ts";
import { installPackages, missingPackages } from "../src/platform/linux/packages.ts";
import { INCLUDED, type Purpose, PURPOSES } from "../src/platform/linux/programs.ts";

const USAGE = `setup: use --for ${PURPOSES.join(", ")} or all`;

/** Returns the exit code. */
export async function setup(args: readonly string[], host: Host): Promise<number> {
  const purposes = readPurposes(args, host);
  if (purposes === undefined) {
    console.error(USAGE);
    return 2;
  }
  if (host.os !== "linux") {
    console.log(`setup: nothing is installed on ${host.os}; the tests leave out what they lack`);
    return 0;
  }
  const missing = await missingPackages(host, purposes);
  if (missing.length === 0) return 0;
  const purpose = `for ${args[1] ?? "test"}`;
  const result = await installPackages(host, missing, { purpose, allowed: true });
  if (result.installed) return 0;
  console.error(`setup: ${missing.join(", ")} missing: ${result.reason}`);
  return 1;
}

/** Tests of these are left out where programs are missing, unless `REQUIRE_WINE=1` and the like are set. */
const REQUIRABLE = ["wine", "wayland"] as const;

function isRequired(purpose: typeof REQUIRABLE[number], { env }: Host): boolean {
  return env[`REQUIRE_${purpose.toUpperCase()}`] === "1";
}

/** `undefined` for arguments that are none of ours. */
function readPurposes(args: readonly string[], host: Host): Purpose[] | undefined {
  const [flag = "--for", name = "test", ...more] = args;
  if (flag !== "--for" || args.length === 1 || more.length > 0) return undefined;
  if (name === "all") return [...PURPOSES];
  const purpose = PURPOSES.find((each) => each === name);
  if (purpose === undefined) return undefined;
  const all = [purpose, ...INCLUDED[purpose]];
  return all.includes("test")
    ? [...all, ...REQUIRABLE.filter((each) => isRequired(each, host))]
    : all;
}

if (import.meta.main) Deno.exit(await setup(Deno.args, thisHost()));
