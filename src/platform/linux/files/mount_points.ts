/** The mount points that the kernel lists for this process. */

/** The column of `/proc/self/mountinfo` that holds the path. */
const PATH_COLUMN = 4;

export async function readLinuxMountPoints(file = "/proc/self/mountinfo"): Promise<string[]> {
  const table = await Deno.readTextFile(file).catch(() => ""); // no /proc in this container
  return table.split("\n").filter((line) => line !== "")
    .map((line) => unescaped(line.split(" ")[PATH_COLUMN] ?? ""));
}

/**
 * Spaces, line breaks and backslashes are escaped as three octal digits; all other bytes are
 * literal.
 */
function unescaped(path: string): string {
  return path.replace(
    /\\([0-7]{3})/g,
    (_whole, digits: string) => String.fromCharCode(parseInt(digits, 8)),
  );
}
