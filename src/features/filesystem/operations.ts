/** Defines the filesystem operations as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FieldError } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import { definingWith, FILE_ERRORS, json, noContent, type Operation } from "../operation.ts";
import type { Streamed } from "../streamed.ts";
import { Entry, type EntryFields, toEntry } from "./entry.ts";
import { type FileAction, fileError, systemCode, translating } from "./file_errors.ts";
import { Files } from "./files.ts";
import { PathField, resolvePath } from "./paths.ts";
import { readFile } from "./read_file.ts";
import { copyPath } from "./copy.ts";
import { deletePath } from "./delete.ts";
import { movePath } from "./move.ts";
import { writeFile } from "./write_file.ts";
import { TOO_COMPLEX, type WalkTask } from "./walk/protocol.ts";

/** Folders cannot be nested more deeply: a path has at most 4,095 bytes. */
const MAX_DEPTH = 4_096;
const MAX_PATTERN = 1_000;
const DEFAULT_ENTRIES = 10_000;
const DEFAULT_READ_BYTES = 1024 * 1024;

const GLOB =
  "A glob supports `* ** ? [a-z] [!a-z] {a,b}`, and `\\` before a character that is meant literally";

const IncludeHidden = z.boolean().default(false)
  .describe("If true, hidden files and folders are included.");

const Filter = z.string().min(1).max(MAX_PATTERN).nullable().default(null);

const WALK_ERRORS = {
  ...FILE_ERRORS,
  not_a_directory: "The path, or a component of it, is a file.",
  timed_out: "The operation timed out.",
};

/** A node of a tree; `children` contains nodes in turn. */
export const TreeNode = z.object({
  name: z.string(),
  type: z.enum(["file", "directory"]),
  get children() {
    return z.array(TreeNode).optional().describe("Only folders have children.");
  },
  truncated: z.literal(true).optional().describe(
    "If true, children are missing, because the folder is nested too deeply, cannot be read, or has too many entries.",
  ),
});

export function filesystemOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ group: "filesystem", method: "POST", readOnly: true });
  return [
    define({
      id: "listDirectory",
      path: "/api/filesystem/list",
      summary: "List a folder",
      description: "Lists folders first, then files, each sorted by name.",
      body: z.object({
        path: PathField("path of the folder"),
        include_hidden: IncludeHidden,
        pattern: Filter.describe(`Return only names that match. ${GLOB}.`),
      }),
      answer: json("The entries of the folder.", z.array(Entry)),
      errors: WALK_ERRORS,
      run: (context, { path: root, ...input }) => walk(context, { kind: "list", root, ...input }),
    }),
    define({
      id: "searchFiles",
      long: true,
      path: "/api/filesystem/search",
      summary: "Search a folder tree by name",
      description: "Searches depth-first in the order of names and stops at `max_results`, so " +
        "the same request gives the same answer. Results are folders first, then files, each sorted by path. Folders that " +
        "cannot be read are skipped; links to folders are not followed.",
      body: z.object({
        root_path: PathField("path of the folder to start from"),
        pattern: z.string().min(1).max(MAX_PATTERN).describe(
          `${GLOB}. A pattern matches names at any depth; one with \`/\` is matched against the path below the root.`,
        ),
        max_results: z.int().min(1).max(limits.maxSearchResults)
          .default(Math.min(100, limits.maxSearchResults))
          .describe("The maximum number of files and folders to return."),
        include_hidden: IncludeHidden,
      }),
      answer: json("The files and folders that match.", z.array(Entry)),
      errors: WALK_ERRORS,
      run: (context, { root_path: root, ...input }) =>
        walk(context, { kind: "search", root, ...input }),
    }),
    define({
      id: "getDirectoryTree",
      long: true,
      path: "/api/filesystem/tree",
      summary: "Get a tree of folders and files",
      description:
        "Lists folders first, then files, each sorted by name. A folder that was not entered has no children " +
        "and is `truncated`; of a root with more than `max_entries` entries the first ones are returned. A link to " +
        "a folder has no children and is not truncated. A large answer is streamed.",
      body: z.object({
        path: PathField("path of the folder"),
        max_depth: z.int().min(1).max(MAX_DEPTH).default(3)
          .describe("The depth of the tree: 1 is the folder and its entries."),
        include_hidden: IncludeHidden,
        pattern: Filter.describe(
          `Return only files that match, and the folders that contain them. ${GLOB}.`,
        ),
        max_entries: z.int().min(1).max(limits.maxTreeEntries)
          .default(Math.min(DEFAULT_ENTRIES, limits.maxTreeEntries))
          .describe("The maximum number of files and folders to return."),
      }),
      answer: json("The tree of the folder.", TreeNode),
      errors: WALK_ERRORS,
      run: (context, { path: root, ...input }) => walk(context, { kind: "tree", root, ...input }),
    }),
    define({
      id: "getPathInfo",
      method: "GET",
      path: "/api/filesystem/info/{path}",
      summary: "Get information about a file or folder",
      description:
        "The path is percent-encoded (`info/%2Fetc%2Fhosts`), or plain (`info//etc/hosts`), " +
        "or relative to the home (`info/notes.txt`). It is decoded once: a percent sign is `%25`.",
      params: z.object({ path: PathField("path of the file or folder") }),
      answer: json("The file or folder.", Entry),
      errors: FILE_ERRORS,
      run: getPathInfo,
    }),
    define({
      id: "readFile",
      large: true,
      path: "/api/filesystem/read",
      summary: "Read a file, or part of it",
      description: "Text is split between characters, so `next_offset` may be slightly less " +
        "than `offset + length`; bytes that are not UTF-8 become U+FFFD.",
      body: z.object({
        path: PathField("path of the file"),
        encoding: z.enum(["text", "base64"]).default("text").describe(
          "The encoding of the answer: text or Base64.",
        ),
        offset: z.int().min(0).default(0).describe("The position to start at, in bytes."),
        length: z.int().min(1).max(limits.maxReadBytes)
          .default(Math.min(DEFAULT_READ_BYTES, limits.maxReadBytes))
          .describe("The maximum number of bytes to read."),
      }),
      answer: json(
        "The requested part of the file.",
        z.object({
          content: z.string(),
          encoding: z.enum(["text", "base64"]),
          size: z.int().describe("The size of the file, in bytes."),
          next_offset: z.int().describe(
            "The offset for the next read, in bytes; equal to `size` at the end.",
          ),
        }),
      ),
      errors: FILE_ERRORS,
      run: readFile,
    }),
    ...changingOperations(),
  ];
}

// Has a worker walk through a folder.

const WALKING = {
  list: { action: "Cannot list", field: "path" },
  search: { action: "Cannot search", field: "root_path" },
  tree: { action: "Cannot show", field: "path" },
} as const;

/** @param task whose root is as the caller wrote it */
async function walk({ session, config, signal }: Context, task: WalkTask): Promise<Streamed> {
  const { action, field } = WALKING[task.kind];
  const root = resolvePath(task.root, config.home, field);
  const attempt = { action, path: root, field };
  return await translating(attempt, async () => {
    if (!(await Deno.stat(root)).isDirectory) {
      throw fileError(attempt, "not_a_directory", "it is a file, not a folder");
    }
    try {
      return await session.use(Files).walkers.walk({ ...task, root }, signal);
    } catch (error) {
      if (systemCode(error) !== TOO_COMPLEX) throw error;
      throw new FieldError("pattern", `Pattern is too complex: its ${(error as Error).message}`);
    }
  });
}

async function getPathInfo(
  { config, platform: { files: { hiddenMark } } }: Context,
  input: { readonly path: string },
): Promise<EntryFields> {
  const path = resolvePath(input.path, config.home, "path");
  const attempt: FileAction = { action: "Cannot inspect", path, field: "path" };
  return await translating(attempt, async () => {
    const own = await Deno.lstat(path);
    // a link that is dangling, or in a cycle of links, stands for itself
    const found = own.isSymlink ? await Deno.stat(path).catch(() => own) : own;
    const { isDirectory, size, mtime } = found;
    const isMarkedHidden = hiddenMark.ready && await hiddenMark.use(path);
    return toEntry(path, { isDirectory, size, mtime, isMarkedHidden });
  });
}

// The operations that change something.

const ERRORS = {
  ...FILE_ERRORS,
  already_exists: "The path already exists.",
  not_empty: "The folder is not empty.",
};
const PRECIOUS = {
  forbidden: "The root, the home folder and the folders above it cannot be moved or deleted.",
};

const TransferBody = z.object({
  source: PathField("path of the file or folder"),
  destination: PathField("new path; missing parent folders are created"),
  overwrite: z.boolean().default(false)
    .describe("If true, a file may replace a file, and a folder an empty folder."),
});

export function changingOperations(): readonly Operation[] {
  const define = definingWith({
    group: "filesystem",
    method: "POST",
    readOnly: false,
    errors: ERRORS,
  });
  return [
    define({
      id: "writeFile",
      path: "/api/filesystem/write",
      summary: "Write a file",
      description:
        "Creates missing parent folders. The file is written completely or not at all; one " +
        "that is replaced keeps its mode, owner and links.",
      body: z.object({
        path: PathField("path of the file"),
        content: z.string().describe("The new content."),
        encoding: z.enum(["text", "base64"]).default("text").describe(
          "The encoding of `content`: text or Base64.",
        ),
        overwrite: z.boolean().default(false).describe(
          "If true, an existing file may be replaced.",
        ),
      }),
      answer: noContent("The file was written."),
      errors: {
        ...ERRORS,
        too_large: "The file must be overwritten in place, and is too large to keep a copy.",
      },
      run: writeFile,
    }),
    define({
      id: "createDirectory",
      path: "/api/filesystem/mkdir",
      summary: "Create a folder",
      description: "Creates missing parent folders, too. Succeeds if the folder already exists.",
      body: z.object({ path: PathField("path of the folder") }),
      answer: noContent("The folder exists."),
      run: createDirectory,
    }),
    define({
      id: "movePath",
      long: true,
      path: "/api/filesystem/move",
      summary: "Move or rename a file or folder",
      description:
        "A symbolic link itself is moved, not its target. A move to another file system copies, then deletes, " +
        "either everything or nothing. " +
        "The root, the home folder and the folders above it are never moved.",
      body: TransferBody,
      answer: noContent("The file or folder was moved."),
      errors: { ...ERRORS, ...PRECIOUS },
      run: movePath,
    }),
    define({
      id: "copyPath",
      long: true,
      path: "/api/filesystem/copy",
      summary: "Copy a file or folder",
      description:
        "The copy is made completely or not at all. If the source is a symbolic link, it is followed; links inside " +
        "a folder are copied as links. Sparse files stay sparse; setuid and setgid are kept only if the " +
        "copy has the same owner. A folder with FIFOs, sockets or devices is an error.",
      body: TransferBody,
      answer: noContent("The copy is complete."),
      run: copyPath,
    }),
    define({
      id: "deletePath",
      long: true,
      path: "/api/filesystem/delete",
      summary: "Delete a file or folder",
      description:
        "A symbolic link itself is deleted, never its target. The root, the home folder and the folders " +
        "above it are never deleted.",
      body: z.object({
        path: PathField("path of the file or folder"),
        recursive: z.boolean().default(false).describe(
          "If true, a folder is deleted with everything in it.",
        ),
      }),
      answer: noContent("The file or folder was deleted."),
      errors: { ...ERRORS, ...PRECIOUS },
      run: deletePath,
    }),
  ];
}

async function createDirectory(
  { config }: Context,
  input: { readonly path: string },
): Promise<void> {
  const path = resolvePath(input.path, config.home, "path");
  const attempt = { action: "Cannot create folder", path, field: "path" };
  await translating(attempt, async () => {
    try {
      await Deno.mkdir(path, { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      throw fileError(attempt, "already_exists", "a file of that name exists", error);
    }
  });
}
