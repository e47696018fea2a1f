/** `deno task setup`: installs the system packages that the tests, or another purpose (`--for bench`), need. */

import { type Host, thisHost } from "../src/platform/host.ts";
import { installPackages, missingPackages } from "../src/platform/linux/packages.ts";
import { INCLUDED, type Purpose, PURPOSES } from "../src/platform/linux/programs.ts";

const USAGE = `setup: use --for ${PURPOSES.join(", ")} or all`;

if (import.meta.main) Deno.exit(await setup(Deno.args, thisHost()));

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

/** `undefined` for arguments that are none of ours. */
function readPurposes(args: readonly string[], host: Host): Purpose[] | undefined {
  const [flag = "--for", name = "test", ...more] = args;
  if (flag !== "--for" || args.length === 1 || more.length > 0) return undefined;
  if (name === "all") return [...PURPOSES];
  const purpose = PURPOSES.find((each) => each === name);
  if (purpose === undefined) return undefined;
  const all = [purpose, ...INCLUDED[purpose]];
  // the tests of the Windows code are left out where wine is missing, unless this is set
  return host.env["REQUIRE_WINE"] === "1" && all.includes("test") ? [...all, "wine"] : all;
}
