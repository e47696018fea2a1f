/** Defines the filesystem operations that change something, as data. */

import { z } from "zod";
import { FILE_ERRORS } from "../common_errors.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { noContent } from "../outcomes.ts";
import { copyPath } from "./copy_path.ts";
import { createDirectory } from "./create_directory.ts";
import { deletePath } from "./delete_path.ts";
import { movePath } from "./move_path.ts";
import { PathField } from "./path.ts";
import { writeFile } from "./write_file.ts";

const ERRORS = {
  ...FILE_ERRORS,
  already_exists: "Something exists at the path already.",
  not_empty: "The folder is not empty.",
};
const PRECIOUS = { forbidden: "The root, the home and the folders above it stay where they are." };

const Transfer = z.object({
  source: PathField("the path of the file or folder"),
  destination: PathField("the new path, above which missing folders are made"),
  overwrite: z.boolean().default(false)
    .describe("When true, a file may replace a file, and a folder an empty folder."),
});

export function changingOperations(): readonly Operation[] {
  const common = {
    group: "filesystem",
    method: "POST",
    readOnly: false,
    errors: ERRORS,
  } as const;
  return [
    defineOperation({
      ...common,
      id: "writeFile",
      path: "/api/filesystem/write",
      summary: "Write a whole file",
      description: "Missing folders above it are made. The file appears whole or not at all; one " +
        "that is replaced keeps its mode, owner and links.",
      body: z.object({
        path: PathField("the path of the file"),
        content: z.string().describe("The file holds this then."),
        encoding: z.enum(["text", "base64"]).default("text").describe(
          "`content` is text or Base64.",
        ),
        overwrite: z.boolean().default(false).describe("When true, a file may be replaced."),
      }),
      answer: noContent("The file is written."),
      errors: {
        ...ERRORS,
        too_large: "The file that is replaced in place is too large to keep a copy of.",
      },
      run: writeFile,
    }),
    defineOperation({
      ...common,
      id: "createDirectory",
      path: "/api/filesystem/mkdir",
      summary: "Make a folder",
      description: "The folders above it are made, too. A folder that exists is fine.",
      body: z.object({ path: PathField("the path of the folder") }),
      answer: noContent("The folder exists."),
      run: createDirectory,
    }),
    defineOperation({
      ...common,
      id: "movePath",
      long: true,
      path: "/api/filesystem/move",
      summary: "Move or rename a file or folder",
      description: "A link is moved itself. To another file system it is copied, then deleted: " +
        "whole, or not at all. " +
        "The root, the home and the folders above it are never moved.",
      body: Transfer,
      answer: noContent("The file or folder has moved."),
      errors: { ...ERRORS, ...PRECIOUS },
      run: movePath,
    }),
    defineOperation({
      ...common,
      id: "copyPath",
      long: true,
      path: "/api/filesystem/copy",
      summary: "Copy a file or folder",
      description:
        "It appears whole or not at all. A link that is named is followed; links inside " +
        "a folder are copied as links. Holes stay holes; setuid and setgid are kept only where the " +
        "copy has the same owner. A folder with FIFOs, sockets or devices is refused.",
      body: Transfer,
      answer: noContent("The copy is complete."),
      run: copyPath,
    }),
    defineOperation({
      ...common,
      id: "deletePath",
      long: true,
      path: "/api/filesystem/delete",
      summary: "Delete a file or folder",
      description:
        "A link is deleted itself, never what it leads to. The root, the home and the folders " +
        "above it are never deleted.",
      body: z.object({
        path: PathField("the path of the file or folder"),
        recursive: z.boolean().default(false).describe("When true, a folder may hold something."),
      }),
      answer: noContent("The file or folder is deleted."),
      errors: { ...ERRORS, ...PRECIOUS },
      run: deletePath,
    }),
  ];
}
