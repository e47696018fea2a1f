/**
 * Files for clients of other projects: what is at a path, the bytes of a file of any size in pieces
 * while it is sent, writing one, appending to it, and the forms by which they are sent.
 */

import { Buffer } from "node:buffer";
import { throwUnless } from "../core/errors.ts";
import { EventLoopYielder } from "../core/event_loop_yielder.ts";
import { encodeFileName, lastLine } from "../core/texts.ts";
import {
  type CompatBindings,
  type CompatContext,
  invalid,
  OperationFailure,
  type Operations,
} from "./compat.ts";
import { runCommand } from "./run_command.ts";

/** An entry as operations describe it. */
export interface Entry {
  readonly name: string;
  /** The absolute path. */
  readonly path: string;
  readonly type: "file" | "directory";
  readonly size: number;
  /** In local time, without a zone. */
  readonly modified_time: string;
}

/** What is meant by a path where nothing is. */
const NOTHING: ReadonlySet<string> = new Set(["not_found", "not_a_directory"]);

/**
 * What is at a path as operations take it; `undefined` if nothing is.
 * @throws OperationFailure
 */
export async function infoOf({ call }: Operations, path: unknown): Promise<Entry | undefined> {
  if (typeof path !== "string" || path === "") throw invalid("path should be the path of a file");
  const named = /^\.\.?$/.test(path) ? `~/${path}` : path; // an address has no dots
  return await call(`/api/filesystem/info/${encodeURIComponent(named.toWellFormed())}`)
    .catch(throwUnless((error) => error instanceof OperationFailure && NOTHING.has(error.code)));
}

/** So much is read at a time: short enough that decoding it holds up no other request. */
const READ_BYTES = 1024 * 1024;

/**
 * Sends a file while it is read, never as a page. Of the answer to HEAD only the headers are sent.
 * The answer is cut off if the file becomes shorter meanwhile.
 * @param headers replace those of any file
 * @throws OperationFailure
 */
export async function sendFile(
  operations: Operations,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const first = await readPiece(operations, path, 0);
  // a file that the kernel generates has a size only at its end
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
  return new Response(stream, {
    headers: {
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
      "content-disposition": `attachment; filename*=utf-8''${encodeFileName(path)}`,
      ...(size === undefined ? {} : { "content-length": String(size) }),
      ...headers,
    },
  });
}

interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the whole file, in bytes. */
  readonly size: number;
}

async function readPiece({ call }: Operations, path: string, offset: number): Promise<Piece> {
  const wanted = { path, encoding: "base64", offset, length: READ_BYTES };
  const { content, size } = await call("/api/filesystem/read", wanted);
  return { bytes: Uint8Array.fromBase64(content), size };
}

/** Writes a file in place of another, with the folders that it needs. @throws OperationFailure */
export async function writeFile(
  { send }: Operations,
  path: string,
  content: Uint8Array,
): Promise<void> {
  const fields = { path, encoding: "base64", overwrite: true };
  await send("/api/filesystem/write", ReadableStream.from(encodeJson(fields, "content", content)));
}

/** So much is encoded at a time, in bytes; without a rest, which only the last part may have. */
const PIECE_BYTES = 96 * 1024;

/**
 * The JSON of `fields` and, last, of the Base64 of `content` under `name`, in pieces: many megabytes at
 * once would hold up other requests.
 */
export async function* encodeJson(
  fields: Readonly<Record<string, unknown>>,
  name: string,
  content: Uint8Array,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const yielder = new EventLoopYielder();
  const text = new TextEncoder();
  yield text.encode(`${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:"`);
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    yield text.encode(content.subarray(at, at + PIECE_BYTES).toBase64());
    await yielder.yieldIfDue();
  }
  yield text.encode('"}');
}

/** The name of the variable is in no other program's way. */
const PATH_VARIABLE = "COMPAT_APPEND_TO";
const APPEND_SECONDS = 60;

/**
 * Appends to a file, which is made if there is none. No operation on files appends bytes, so that
 * the shell does it, where the system has `base64` (Linux and macOS) and both groups are enabled.
 * @param path as operations take it
 * @throws OperationFailure
 */
export async function appendBytes(
  env: CompatBindings,
  path: string,
  base64: string,
): Promise<void> {
  const info = await infoOf(env.operations, path);
  if (info === undefined) {
    const body = { path, content: base64, encoding: "base64" };
    return void await env.operations.call("/api/filesystem/write", body);
  }
  const line = `base64 --decode >> "$${PATH_VARIABLE}"`;
  const { exitCode, stderr } = await runCommand(env, line, APPEND_SECONDS, {
    env: { [PATH_VARIABLE]: info.path },
    stdin: base64,
  });
  if (exitCode === 0) return;
  const reason = exitCode === undefined ? "it takes too long" : lastLine(stderr);
  throw invalid(`Cannot append to ${JSON.stringify(path)}: ${reason}`);
}

// The forms that clients send: fields and files (RFC 7578, HTML standard).

interface SentFile {
  /** As its sender calls it: it may have folders. */
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The values by the names of their fields; the first of each name. */
type Form = ReadonlyMap<string, string | SentFile>;

const BLANK_LINE = "\r\n\r\n";
/** Bounds, so that no form takes long to read. */
const MAX_PARTS = 100;
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_TEXT_BYTES = 64 * 1024;

/** @throws OperationFailure `invalid` (422) */
export async function readForm({ req }: CompatContext): Promise<Form> {
  const type = req.header("content-type") ?? "";
  const body = new Uint8Array(await req.raw.arrayBuffer());
  const form = new Map<string, string | SentFile>();
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const sent = new URLSearchParams(decodeField(body));
    for (const [name, value] of sent) if (!form.has(name)) form.set(name, value);
    return form;
  }
  let count = 0;
  for (const { head, content } of parts(body, readBoundary(type))) {
    if (++count > MAX_PARTS) throw invalid(`The body has more than ${MAX_PARTS} parts`);
    const disposition = /^content-disposition:([^\r\n]*)/im.exec(head)?.[1] ?? "";
    const field = parameter(disposition, "name");
    if (field === undefined || form.has(field)) continue;
    const name = parameter(disposition, "filename");
    form.set(field, name === undefined ? decodeField(content) : { name, content });
  }
  return form;
}

/** @throws OperationFailure `invalid` (422) */
export function readFile(form: Form, field: string): SentFile {
  const found = form.get(field);
  if (typeof found === "object") return found;
  throw invalid(`The body has no file in the field "${field}"`);
}

function decodeField(content: Uint8Array): string {
  if (content.length <= MAX_TEXT_BYTES) return new TextDecoder().decode(content);
  throw invalid(`A field of the body has more than ${MAX_TEXT_BYTES} bytes`);
}

function readBoundary(contentType: string): string {
  const found = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i
    .exec(contentType);
  if (found !== null) return (found[1] ?? found[2])!;
  throw invalid("The body should be multipart/form-data with a boundary");
}

/** The parts in the order of the body; each head has its lines, without the last line break. */
function* parts(
  body: Uint8Array<ArrayBuffer>,
  boundary: string,
): Generator<{ readonly head: string; readonly content: Uint8Array<ArrayBuffer> }> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = `--${boundary}`;
  let at = bytes.indexOf(delimiter);
  while (at >= 0) {
    const begin = at + delimiter.length;
    if (bytes.toString("latin1", begin, begin + 2) === "--") return;
    const headEnd = bytes.indexOf(BLANK_LINE, begin);
    if (headEnd < 0) throw invalid("A part of the body has no end of its head");
    if (headEnd - begin > MAX_HEAD_BYTES) throw invalid("The head of a part is too long");
    const from = headEnd + BLANK_LINE.length;
    const end = bytes.indexOf(`\r\n${delimiter}`, from);
    if (end < 0) throw invalid("The body ends within a part");
    yield { head: bytes.toString("utf8", begin, headEnd), content: body.subarray(from, end) };
    at = end + 2;
  }
}

/** Quotes and line breaks are sent as browsers do: `%22`, `%0D`, `%0A` (HTML standard). */
function parameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, "i").exec(disposition);
  return (found?.[1] ?? found?.[2])?.replaceAll("%22", '"').replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n");
}
