/** `deno task lines`: how many lines and files each part of the repository has, and how long its files are. */

interface Part {
  readonly name: string;
  readonly folders: readonly string[];
  readonly endings: RegExp;
}

const PARTS: readonly Part[] = [
  { name: "src, ffi", folders: ["src", "ffi"], endings: /\.ts$/ },
  { name: "client", folders: ["client"], endings: /\.(ts|py)$/ },
  { name: "tests", folders: ["tests"], endings: /\.(ts|py)$/ },
  { name: "tools, bench", folders: ["tools", "bench"], endings: /\.(ts|sh|mjs|py)$/ },
];
/** What is fetched or made, and in no commit. */
const MADE = /^(node_modules|dist|build|__pycache__|\..*)$/;

if (import.meta.main) {
  console.log("part            lines  files  median  longest");
  for (const part of PARTS) {
    const lengths = [...lengthsOf(part)].sort((a, b) => a - b);
    const sum = lengths.reduce((total, length) => total + length, 0);
    const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
    const numbers = [sum, lengths.length, median, lengths.at(-1) ?? 0];
    const widths = [6, 7, 8, 9];
    const cells = numbers.map((number, index) => String(number).padStart(widths[index]!));
    console.log(part.name.padEnd(15) + cells.join(""));
  }
}

/** The lines of each file. */
function* lengthsOf({ folders, endings }: Part): Generator<number> {
  for (const path of folders.flatMap((folder) => [...filesIn(folder)])) {
    if (endings.test(path)) yield Deno.readTextFileSync(path).split("\n").length - 1;
  }
}

function* filesIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (MADE.test(name)) continue;
    if (isDirectory) yield* filesIn(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}
