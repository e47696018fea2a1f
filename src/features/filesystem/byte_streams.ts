/**
 * Files as bytes, of any size: what `/v1/files/{path}` does. Each is one of the file operations in
 * another form, under its name, so that `--disable`, scopes, `--approve` and the console treat it as
 * that one.
 */

import { stat } from "node:fs/promises";
import { z } from "zod";
import type { Context } from "../context.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { FILE_ERRORS, noContent } from "../outcomes.ts";
import { streamFile } from "../streamed.ts";
import { changingOperations } from "./changing_operations.ts";
import { PathField, resolvePath } from "./paths.ts";
import { openFile } from "./read_file.ts";
import { cannotReplace, contentOfStream } from "./safe_write/content.ts";
import { writeTo } from "./write_file.ts";

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

const READ = {
  oneOf: {
    whole: {
      status: 200,
      description: "The file.",
      mediaTypes: ANY,
      streamed: true,
      headers: HEADERS,
    },
    part: {
      status: 206,
      description: "The requested part of the file.",
      mediaTypes: ANY,
      streamed: true,
      headers: { ...HEADERS, "Content-Range": "The part: `bytes 0-499/1234`." },
    },
    current: {
      status: 304,
      description: "With `If-None-Match`: the client already has this file.",
      headers: { "ETag": HEADERS["ETag"] },
    },
  },
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
  answer: READ,
  errors: FILE_ERRORS,
  run: sendFile,
});

async function sendFile(context: Context, input: PathInput) {
  const path = resolvePath(input.path, context.config.home, "path");
  const { file, info } = await openFile({ action: "Cannot read", path, field: "path" });
  try {
    const { size, mtimeMs, dev, ino } = info;
    const tag = `"${[dev, ino, size, Math.round(mtimeMs * 1_000)].join("-")}"`;
    if (context.hasCurrent?.(tag)) {
      await file.close();
      return { outcome: "current", headers: { "ETag": tag } } as const;
    }
    const range = context.wantedRange?.(size, tag);
    const { start, end } = range ?? { start: 0, end: size };
    const headers = {
      "Accept-Ranges": "bytes",
      "Content-Disposition": `attachment; filename*=utf-8''${encodeName(path)}`,
      "Cache-Control": "private, no-cache",
      "ETag": tag,
    };
    const sent = { mediaType: ANY[0], file: streamFile(file, { start, length: end - start }) };
    if (range === undefined) return { outcome: "whole", ...sent, headers } as const;
    const part = { ...headers, "Content-Range": `bytes ${start}-${end - 1}/${size}` };
    return { outcome: "part", ...sent, headers: part } as const;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** As RFC 8187 has it. */
function encodeName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return encodeURIComponent(name.toWellFormed()).replaceAll("'", "%27");
}

function changing(id: string) {
  const { body: _, ...operation } = changingOperations().find((each) => each.id === id)!;
  return { ...operation, params };
}

/** @param bytes are read only once it is known that they may be written */
export function receiveFile(bytes: AsyncIterable<Uint8Array>): Operation {
  const { errors = {}, ...like } = changing("writeFile");
  return {
    ...like,
    answer: noContent("The file was written."),
    errors: { ...errors, conflict: "The file can only be written in place, or has changed." },
    async run(context: Context, input: PathInput) {
      const path = resolvePath(input.path, context.config.home, "path");
      const there = await stat(path).catch(() => undefined);
      if (there?.isFile() && there.nlink > 1) throw cannotReplace();
      const { session, config, signal } = context;
      const content = contentOfStream(whileAllowed(bytes, signal));
      await writeTo(path, content, { session, config, signal, overwrite: true });
    },
  };
}

/** @throws the signal's reason when the client has gone, or may no longer write */
async function* whileAllowed(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  for await (const piece of bytes) {
    signal.throwIfAborted();
    yield piece;
  }
  signal.throwIfAborted();
}

export function deleteFile(): Operation {
  return changing("deletePath");
}
