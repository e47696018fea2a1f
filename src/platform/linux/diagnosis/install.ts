/** The command that installs Debian packages, for the user of this computer. */

import type { Host } from "../../host.ts";

/** @param more an option of apt-get with a space behind it */
export function installCommand(
  { uid, which }: Pick<Host, "uid" | "which">,
  packages: readonly string[],
  more = "",
): string {
  const names = packages.join(" ");
  if (which("apt-get") === undefined) return `install ${names} with this system's package manager`;
  const sudo = uid === 0 ? "" : "sudo ";
  return `${sudo}apt-get install -y --no-install-recommends ${more}${names}`;
}
