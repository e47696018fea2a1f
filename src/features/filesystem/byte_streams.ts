/**
 * Files as bytes, of any size: what `/v1/files/{path}` does. Each is one of the file operations in
 * another form, under its name, so that `--disable`, scopes, `--approve` and the console treat it as
 * that one.
 */

import { z } from "zod";
import { encodeFileName } from "../../core/texts.ts";
import type { Context } from "../context.ts";
import { defineOperation, FILE_ERRORS, noContent, type Operation } from "../operation.ts";
import { fileAnswers, sendFile } from "../streamed.ts";
import { changingOperations } from "./operations.ts";
import { PathField, resolvePath } from "./paths.ts";
import { openFile } from "./read_file.ts";
import { contentOfStream } from "./safe_write/content.ts";
import { receiveTo } from "./write_file.ts";

interface PathInput {
  readonly path: string;
}

const params = z.object({ path: PathField("path of the file") });

const ANY = ["application/octet-stream"] as const;
const HEADERS = {
  "Accept-Ranges": "Always `bytes`.",
  "Content-Disposition": "The name of the file.",
  "Cache-Control": "Always `private, no-cache`.",
  "ETag": "The version of the file.",
} as const;

/** Sends a file, or the range of it that is asked for. */
export const SEND_FILE: Operation = defineOperation({
  id: "readFile",
  group: "filesystem",
  readOnly: true,
  method: "POST",
  path: "/api/filesystem/read",
  summary: "Send a file",
  params,
  answer: fileAnswers(ANY, HEADERS),
  errors: FILE_ERRORS,
  run: readFile,
});

async function readFile(context: Context, input: PathInput) {
  const path = resolvePath(input.path, context.config.home, "path");
  const { file } = await openFile({ action: "Cannot read", path, field: "path" });
  return await sendFile(context, file, ({ size, mtimeMs, dev, ino }) => ({
    mediaType: ANY[0],
    headers: {
      "Accept-Ranges": "bytes",
      "Content-Disposition": `attachment; filename*=utf-8''${encodeFileName(path)}`,
      "Cache-Control": "private, no-cache",
      "ETag": `"${[dev, ino, size, Math.round(mtimeMs * 1_000)].join("-")}"`,
    },
  }));
}

function changing(id: string) {
  const { body: _, ...operation } = changingOperations().find((each) => each.id === id)!;
  return { ...operation, params };
}

/**
 * @param receive is called once it is known that the bytes may be written; it ends with the reason of
 * the signal when they may no longer
 */
export function receiveFile(
  receive: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Operation {
  const { errors = {}, ...like } = changing("writeFile");
  return {
    ...like,
    answer: noContent("The file was written."),
    errors: { ...errors, conflict: "The file can only be written in place, or has changed." },
    async run(context: Context, input: PathInput) {
      const path = resolvePath(input.path, context.config.home, "path");
      await receiveTo(path, contentOfStream(receive(context.signal)), context);
    },
  };
}

export function deleteFile(): Operation {
  return changing("deletePath");
}
