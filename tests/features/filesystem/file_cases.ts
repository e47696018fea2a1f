/** Operations on files, and what a folder has afterwards. */

const OLD = "First line\nSecond line\n";
const LARGE = OLD.padEnd(200_000, "x\n");

export interface Case {
  readonly path: string;
  /** With `DIR` for the folder of the round. */
  readonly body: object;
  /** What the folder has then, by name; before, it has `a.txt` and `large.txt`. */
  readonly after: Readonly<Record<string, string>>;
}

export const CASES: readonly Case[] = [
  { path: "filesystem/read", body: { path: "DIR/a.txt" }, after: {} },
  { path: "filesystem/list", body: { path: "DIR" }, after: {} },
  { path: "filesystem/search", body: { root_path: "DIR", pattern: "*.txt" }, after: {} },
  { path: "editor/view", body: { path: "DIR/a.txt" }, after: {} },
  {
    path: "filesystem/write",
    body: { path: "DIR/b.txt", content: "new" },
    after: { "b.txt": "new" },
  },
  {
    path: "filesystem/write",
    body: { path: "DIR/a.txt", content: "new", overwrite: true },
    after: { "a.txt": "new" },
  },
  {
    path: "editor/str-replace",
    body: { path: "DIR/a.txt", old_str: "Second", new_str: "2nd" },
    after: { "a.txt": OLD.replace("Second", "2nd") },
  },
  {
    path: "editor/str-replace",
    body: { path: "DIR/large.txt", old_str: "Second", new_str: "2nd" },
    after: { "large.txt": LARGE.replace("Second", "2nd") },
  },
  { path: "editor/create", body: { path: "DIR/b.txt", file_text: "b" }, after: { "b.txt": "b" } },
  {
    path: "filesystem/copy",
    body: { source: "DIR/a.txt", destination: "DIR/b.txt" },
    after: { "b.txt": OLD },
  },
  {
    path: "filesystem/move",
    body: { source: "DIR/a.txt", destination: "DIR/b.txt" },
    after: { "a.txt": "", "b.txt": OLD },
  },
  {
    path: "filesystem/move",
    body: { source: "DIR/a.txt", destination: "DIR/large.txt", overwrite: true },
    after: { "a.txt": "", "large.txt": OLD },
  },
  {
    path: "editor/insert",
    body: { path: "DIR/a.txt", text: "Title\n", insert_line: 1 },
    after: { "a.txt": `Title\n${OLD}` },
  },
  {
    path: "editor/apply-patch",
    body: { path: "DIR/a.txt", diff: "@@\n First line\n-Second line\n+2nd line\n" },
    after: { "a.txt": OLD.replace("Second", "2nd") },
  },
  { path: "filesystem/delete", body: { path: "DIR/a.txt" }, after: { "a.txt": "" } },
];

/** What the folder of a round has at first. */
export const BEFORE = { "a.txt": OLD, "large.txt": LARGE };

/** Makes the folder of a round; gives the body for it. */
export async function prepare(dir: string, body: object): Promise<object> {
  await Deno.mkdir(dir);
  for (const [name, text] of Object.entries(BEFORE)) {
    await Deno.writeTextFile(`${dir}/${name}`, text);
  }
  return JSON.parse(JSON.stringify(body).replaceAll("DIR", dir));
}

/** What the folder has when the operation is done. */
export function contentAfter(after: Case["after"]): Record<string, string> {
  return sorted(Object.entries({ ...BEFORE, ...after }).filter(([, text]) => text !== ""));
}

export async function contentOf(dir: string): Promise<Record<string, string>> {
  const names = (await Array.fromAsync(Deno.readDir(dir))).map(({ name }) => name);
  const kept = names.filter((name) => !name.endsWith(".tmp")); // the journal has the others
  const texts = await Promise.all(kept.map((name) => Deno.readTextFile(`${dir}/${name}`)));
  return sorted(kept.map((name, at) => [name, texts[at]!]));
}

function sorted(files: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(files.toSorted(([one], [other]) => one < other ? -1 : 1));
}
