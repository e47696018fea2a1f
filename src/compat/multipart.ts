/** Reads the forms that clients of other projects send: fields and files (RFC 7578, HTML standard). */

import { Buffer } from "node:buffer";
import { type CompatContext, invalid } from "./compat.ts";

export interface SentFile {
  /** As its sender calls it: it may have folders. */
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The values by the names of their fields; the first of each name. */
export type Form = ReadonlyMap<string, string | SentFile>;

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
