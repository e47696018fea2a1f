/** Says which test files belong to other systems than this one, and why: the only ones that `deno task test` leaves out. */

import { dirname, join } from "node:path/posix";

type System = typeof Deno.build.os;

interface Rule {
  /** The beginning of a test file's path, or a module that it needs, itself or by another one. */
  readonly files: readonly string[];
  readonly systems: readonly System[];
  readonly reason: string;
}

const POSIX = ["linux", "darwin"] as const;

const RULES: readonly Rule[] = [
  {
    files: ["tests/support/xvfb.ts", "tests/support/x_client.ts", "tests/support/xterm.ts"],
    systems: ["linux"],
    reason: "they need an X server and its programs",
  },
  {
    files: [
      "tests/platform/linux/",
      "tests/platform/linux/virtual/own_displays_test.ts",
      "tests/real_programs/",
      ...["tests/cli/doctor_places_test.ts", "tests/cli/doctor_session_test.ts"],
    ],
    systems: ["linux"],
    reason: "they test what is Linux's own",
  },
  {
    files: ["tests/cli/completion_test.ts"],
    systems: ["linux"],
    reason: "they type into shells by the `script` of Linux",
  },
  {
    files: ["tests/support/processes.ts", "tests/support/wine.ts", "tests/support/keyring.ts"],
    systems: ["linux"],
    reason: "they look at processes by /proc, or need wine or a keyring of Linux",
  },
  {
    files: [
      ...["tests/platform/posix/", "tests/features/bash/", "tests/support/shell.ts"],
      "tests/cli/call_requests_test.ts",
    ],
    systems: POSIX,
    reason: "they run commands of POSIX; those of Windows have tests of their own",
  },
  {
    files: [
      ...["tests/features/filesystem/", "tests/features/editor/", "tests/platform/keychain/"],
      ...["tests/features/keychain/", "tests/platform/private_folder_test.ts"],
    ],
    systems: POSIX,
    reason: "their files have modes, owners and links of POSIX",
  },
  {
    files: [
      ...["tests/tools/unpacking", "tests/tools/executable_test.ts", "tests/cli/unpacked_test.ts"],
      "tests/tools/bundle_test.ts",
    ],
    systems: POSIX,
    reason: "executables are built, checked and unpacked by programs of POSIX",
  },
  {
    files: [
      ...["tests/support/mac.ts", "tests/cli/install_service/", "tests/cli/terminal_test.ts"],
      ...["tests/platform/macos/keychain_test.ts", "tests/platform/macos/program_test.ts"],
    ],
    systems: POSIX,
    reason: "they stand in for programs by scripts with a first line that names their interpreter",
  },
];

/** File -> what it imports from this repository; made once for all files. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Reads the imports of all test files and of what supports them. */
export async function readImports(root: URL): Promise<Imports> {
  const imports = new Map<string, readonly string[]>();
  for await (const path of scripts(root, "tests/")) {
    const text = await Deno.readTextFile(new URL(path, root));
    const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
    imports.set(path, targets.map(([, target]) => join(dirname(path), target!)));
  }
  return imports;
}

/** Why a file is left out on a system, or `undefined` where it runs. */
export function reasonToLeaveOut(
  file: string,
  system: System,
  imports: Imports,
): string | undefined {
  const needed = [file, ...reachable(file, imports)];
  return RULES.find(({ files, systems }) =>
    !systems.includes(system) && needed.some((path) => files.some((each) => path.startsWith(each)))
  )?.reason;
}

/** Beginnings of paths that no file has: each is a rule that has lost what it was for. */
export function deadRules(imports: Imports): string[] {
  const all = [...imports.keys()];
  return RULES.flatMap(({ files }) => files)
    .filter((start) => !all.some((path) => path.startsWith(start)));
}

function reachable(file: string, imports: Imports): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const target of imports.get(next) ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  return seen;
}

async function* scripts(root: URL, folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) yield* scripts(root, `${folder}${name}/`);
    else if (name.endsWith(".ts")) yield `${folder}${name}`;
  }
}
