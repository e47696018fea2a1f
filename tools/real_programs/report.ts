/** `docs/real-programs.md`, made from the results of a run. */

export interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly passed: boolean;
}

export interface Versions {
  /** As in `Debian GNU/Linux 12 (bookworm)`. */
  readonly system: string;
  readonly programs: readonly (readonly [name: string, version: string])[];
}

/** The name of a test of the matrix. */
const TYPING =
  /^typing into (?<program>.+), keyboard (?<keyboard>.+), window manager (?<manager>.+)$/;

/** The tests that ran, from a JUnit file as `deno test --junit-path` writes it. */
export function parseJunit(xml: string): TestResult[] {
  const cases = xml.matchAll(
    /<testcase name="([^"]*)" classname="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs,
  );
  return [...cases].flatMap(([, name, file, body = ""]) => {
    if (body.includes("<skipped")) return [];
    const passed = !/<(?:failure|error)\b/.test(body);
    return [{ name: unescape(name!), file: unescape(file!).replace(/^\.\//, ""), passed }];
  });
}

/** The page. @param date of the run: `2026-11-22` */
export function writeReport(
  results: readonly TestResult[],
  { system, programs }: Versions,
  date: string,
): string {
  const others = results.filter(({ name }) => !TYPING.test(name));
  return `# Real programs

What the tests of \`tests/real_programs\` showed on ${date}, on ${system}. This page is made by
\`deno task test:programs --write\`.

${table(["program", "version"], programs)}

## Typing

A text of 7 lines with all of printable ASCII, accents, typographic signs, Greek, Cyrillic, Hebrew,
Arabic, Thai, Chinese, Japanese, Korean and emoji is typed into each program, on each keyboard,
under each window manager. Then the program saves its file, or a page reports its field, and every
byte is compared. A cell says under how many window managers every byte arrived, of how many that
were tried.

${typingTable(results)}

LibreOffice is typed into with 2 ms between keystrokes, the others with none: it takes two strokes
of one key within a millisecond for one key that repeats itself. The default is 12 ms. Without a
window manager it answers no pings: there the service runs with \`--keymap-settle 1000\`.
${others.length === 0 ? "" : `\n## Everything else\n\n${tableOf(others)}\n`}`;
}

function tableOf(results: readonly TestResult[]): string {
  return table(
    ["test", "result"],
    results.map(({ name, passed }) => [name, passed ? "passed" : "failed"]),
  );
}

/** Keyboards by programs; each cell says under how many window managers every byte arrived. */
function typingTable(results: readonly TestResult[]): string {
  const cells = results.flatMap(({ name, passed }) => {
    const { program, keyboard, manager } = name.match(TYPING)?.groups ?? {};
    return program === undefined
      ? []
      : [{ program, keyboard: keyboard!, manager: manager!, passed }];
  });
  const programs = [...new Set(cells.map(({ program }) => program))];
  const keyboards = [...new Set(cells.map(({ keyboard }) => keyboard))];
  const managers = [...new Set(cells.map(({ manager }) => manager))];
  const cell = (keyboard: string, program: string) => {
    const tried = cells.filter((each) => each.keyboard === keyboard && each.program === program);
    const failed = tried.filter(({ passed }) => !passed).map(({ manager }) => manager);
    if (tried.length === 0) return "not tried";
    return failed.length === 0
      ? `${tried.length} of ${tried.length}`
      : `not under ${failed.join(", ")}`;
  };
  const rows = keyboards.map((
    keyboard,
  ) => [keyboard, ...programs.map((each) => cell(keyboard, each))]);
  return `Window managers: ${managers.join(", ")}.\n\n${table(["keyboard", ...programs], rows)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((each) => each.replaceAll("|", "\\|")).join(" | ")} |`;
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

function unescape(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}
