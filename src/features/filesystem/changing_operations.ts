/** Defines the filesystem operations that change something, as data. */

import { z } from "zod";
import type { Context } from "../context.ts";
import { definingWith, type Operation } from "../operation.ts";
import { FILE_ERRORS, noContent } from "../outcomes.ts";
import { copyPath } from "./copy.ts";
import { deletePath } from "./delete.ts";
import { fileError, translating } from "./file_errors.ts";
import { movePath } from "./move.ts";
import { PathField, resolvePath } from "./paths.ts";
import { writeFile } from "./write_file.ts";

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
