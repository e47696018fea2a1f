/** The filesystem operations that change something, as data. */

import { z } from "zod";
import { type Answer, defineOperation, type Operation } from "../operation.ts";
import { copyPath } from "./copy_path.ts";
import { createDirectory } from "./create_directory.ts";
import { deletePath } from "./delete_path.ts";
import { movePath } from "./move_path.ts";
import { PathField } from "./path.ts";
import { writeFile } from "./write_file.ts";

const ERRORS = {
  400: "It exists already, or is a file where a folder is needed or the other way round",
  403: "The user who runs the service may not do that",
  404: "There is no such file or folder",
  409: "The system is using it, or another program has changed it meanwhile",
  503: "The disk is full, or the state folder cannot be used",
};

const Transfer = z.object({
  source: PathField("What"),
  destination: PathField("Its new path; missing folders above it are made"),
  overwrite: z.boolean().default(false)
    .describe("Whether a file may be replaced by a file, and an empty folder by a folder."),
});

function done(description: string): Answer {
  return { status: 204, description };
}

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
        path: PathField("The file"),
        content: z.string().describe("What it shall hold."),
        encoding: z.enum(["text", "base64"]).default("text").describe("How `content` is written."),
        overwrite: z.boolean().default(false).describe("Whether a file may be replaced."),
      }),
      answer: done("Written"),
      errors: {
        ...ERRORS,
        413: "The file that is replaced in place is too large to keep a copy of",
      },
      run: writeFile,
    }),
    defineOperation({
      ...common,
      id: "createDirectory",
      path: "/api/filesystem/mkdir",
      summary: "Make a folder",
      description: "With the folders above it. One that exists is fine.",
      body: z.object({ path: PathField("The folder") }),
      answer: done("It is there"),
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
      answer: done("Moved"),
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
      answer: done("Copied"),
      run: copyPath,
    }),
    defineOperation({
      ...common,
      id: "deletePath",
      long: true,
      path: "/api/filesystem/delete",
      summary: "Delete a file or folder",
      description: "A link itself, never what it leads to. The root, the home and the folders " +
        "above it are never deleted.",
      body: z.object({
        path: PathField("The file or folder"),
        recursive: z.boolean().default(false).describe("Whether a folder may hold something."),
      }),
      answer: done("Deleted"),
      run: deletePath,
    }),
  ];
}
