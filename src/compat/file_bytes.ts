/**
 * Moves the bytes of files for clients of other projects: reads a file of any size in pieces while
 * it is sent, and appends to one.
 */

import { lastLine } from "../core/texts.ts";
import { OperationFailure, type Operations } from "./compat.ts";

/** So much is read at a time: short enough that decoding it holds up no other request. */
const PIECE_BYTES = 1024 * 1024;

export interface OpenedFile {
  /** In bytes; `undefined` for a file that the kernel generates, whose size is known at its end. */
  readonly size: number | undefined;
  /** Ends with an error if the file becomes shorter meanwhile. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Opens a file by reading its first piece.
 * @param path as operations take it
 * @throws OperationFailure
 */
export async function openFile(operations: Operations, path: string): Promise<OpenedFile> {
  const first = await readPiece(operations, path, 0);
  const size = first.bytes.length > first.size ? undefined : first.size;
  let next: Uint8Array<ArrayBuffer> | undefined = first.bytes;
  let sent = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const bytes = next ?? (await readPiece(operations, path, sent)).bytes;
      next = undefined;
      const piece = size === undefined ? bytes : bytes.subarray(0, size - sent);
      sent += piece.length;
      if (piece.length > 0) controller.enqueue(piece);
      if (sent === size || (size === undefined && piece.length === 0)) controller.close();
      else if (piece.length === 0) controller.error(new Error("The file has become shorter"));
    },
  }, { highWaterMark: 0 });
  return { size, stream };
}

interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the whole file, in bytes. */
  readonly size: number;
}

async function readPiece(
  { call }: Operations,
  path: string,
  offset: number,
): Promise<Piece> {
  const wanted = { path, encoding: "base64", offset, length: PIECE_BYTES };
  const { content, size } = await call("/api/filesystem/read", wanted);
  return { bytes: Uint8Array.fromBase64(content), size };
}

/** The name of the variable is in no other program's way. */
const PATH_VARIABLE = "COMPAT_APPEND_TO";

/**
 * Appends to a file, which is made if there is none. No operation on files appends bytes, so that
 * the shell does it, where the system has `base64` (Linux and macOS).
 * @param path as operations take it
 * @throws OperationFailure
 */
export async function appendBytes(
  { call }: Operations,
  path: string,
  base64: string,
): Promise<void> {
  const { output, exit_code } = await call("/api/bash/command", {
    command: `base64 --decode >> "$${PATH_VARIABLE}"`,
    env: { [PATH_VARIABLE]: path.replace(/^~\//, "") }, // commands begin in the home
    stdin: base64,
  });
  if (exit_code === 0) return;
  const reason = exit_code === null ? "it takes too long" : lastLine(output);
  throw new OperationFailure(400, "invalid", `Cannot append to ${JSON.stringify(path)}: ${reason}`);
}
