/** The files of the repository as text, with what each one imports. */

import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname!, "../..");

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Imported files, from the root, and package names. */
  readonly imports: readonly string[];
}

/** Every TypeScript file below these folders. */
export function sources(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) => [...filesBelow(join(root, folder))]).map(read);
}

function* filesBelow(folder: string): Generator<string> {
  for (const { name, isDirectory } of entriesOf(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* filesBelow(path);
    else if (name.endsWith(".ts")) yield path;
  }
}

/** None where there is no such folder. */
function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function read(file: string): SourceFile {
  const text = Deno.readTextFileSync(file);
  const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) =>
    match[1]!
  );
  const imports = targets.map((target) =>
    target.startsWith(".") ? fromRoot(join(dirname(file), target)) : target
  );
  return { path: fromRoot(file), text, imports };
}

/** With slashes on every system. */
function fromRoot(path: string): string {
  return relative(root, path).replaceAll("\\", "/");
}
