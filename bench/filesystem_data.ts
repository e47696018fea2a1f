/** What the filesystem bench works on: a tree of a million entries, and a large text file. */

const GROUPS = 100;
const FOLDERS_PER_GROUP = 200;
/** With its own folder that makes 50 entries, 20,000 times; the groups take the place of one file each. */
const FILES_PER_FOLDER = 49;

/** Makes 1,000,000 entries below `root`; 100 files end in `.needle`, every tenth in `.txt`. */
export async function makeMillionEntries(root: string): Promise<void> {
  for (let group = 0; group < GROUPS; group++) {
    makeGroup(`${root}/group-${pad(group)}`);
    await new Promise((resolve) => setTimeout(resolve, 0)); // others get their turn
  }
}

function makeGroup(path: string): void {
  for (let number = 0; number < FOLDERS_PER_GROUP; number++) {
    const folder = `${path}/folder-${pad(number)}`;
    Deno.mkdirSync(folder, { recursive: true });
    const files = number === 0 ? FILES_PER_FOLDER - 1 : FILES_PER_FOLDER;
    for (let file = 0; file < files; file++) {
      Deno.openSync(`${folder}/${nameOf(number, file)}`, { createNew: true, write: true }).close();
    }
  }
}

function nameOf(folder: number, file: number): string {
  if (folder === FOLDERS_PER_GROUP - 1 && file === 0) return "hidden-well.needle";
  return `file-${pad(file)}.${file % 10 === 0 ? "txt" : "dat"}`;
}

function pad(number: number): string {
  return String(number).padStart(4, "0");
}

export interface TextFile {
  readonly bytes: number;
  readonly matches: number;
  readonly word: string;
}

/** Lines of text with the word spread evenly among them. */
export async function makeTextFile(
  path: string,
  { bytes, matches, word }: TextFile,
): Promise<void> {
  const stretch = Math.floor(bytes / matches);
  const line = "The quick brown fox jumps over the lazy dog, again and again.\n";
  const filler = line.repeat(Math.ceil(stretch / line.length)).slice(0, stretch - word.length - 1);
  await Deno.writeTextFile(path, `${filler}${word}\n`.repeat(matches));
}
