/** `deno task release-notes 0.1.0`: the notes of a version, from `CHANGELOG.md`. */

const CHANGELOG = new URL("../../CHANGELOG.md", import.meta.url);

if (import.meta.main) Deno.exit(await main(Deno.args));

/** Returns the exit code. */
async function main([version = ""]: readonly string[]): Promise<number> {
  try {
    console.log(notesOf(await Deno.readTextFile(CHANGELOG), version.replace(/^v/, "")));
    return 0;
  } catch (error) {
    console.error(`release-notes: ${(error as Error).message}`);
    return 1;
  }
}

/**
 * What stands below the heading of a version.
 * @param changelog with headings such as `## 0.1.0 - 2026-03-09`
 * @throws Error when there is no such heading, no date in it, or nothing below it
 */
export function notesOf(changelog: string, version: string): string {
  const lines = changelog.split(/\r?\n/);
  const isHeading = (line: string) => line.startsWith("## ");
  const start = lines.findIndex((line) =>
    isHeading(line) && line.split(/\s+/)[1]?.replace(/^\[|\]$/g, "") === version
  );
  if (start < 0) throw new Error(`CHANGELOG.md has no heading "## ${version} - <date>"`);
  if (!/ \d{4}-\d{2}-\d{2}$/.test(lines[start]!)) {
    throw new Error(`CHANGELOG.md says "${lines[start]}": write the date of the release there`);
  }
  const below = lines.slice(start + 1);
  const end = below.findIndex(isHeading);
  const notes = below.slice(0, end < 0 ? undefined : end).join("\n").trim();
  if (notes === "") throw new Error(`CHANGELOG.md says nothing below "${lines[start]}"`);
  return notes;
}
