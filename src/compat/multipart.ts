/** Finds the file in a body of `multipart/form-data` (RFC 7578). */

import { Buffer } from "node:buffer";
import { OperationFailure } from "./compat.ts";

export interface SentFile {
  /** As its sender calls it: it may have folders. */
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

const BLANK_LINE = "\r\n\r\n";

/**
 * The first file in the field `field`.
 * @throws OperationFailure `invalid` (422)
 */
export function findFile(
  body: Uint8Array<ArrayBuffer>,
  contentType: string,
  field: string,
): SentFile {
  for (const { head, content } of parts(body, readBoundary(contentType))) {
    const disposition = /^content-disposition:([^\r\n]*)/im.exec(head)?.[1] ?? "";
    const name = parameter(disposition, "filename");
    if (name !== undefined && parameter(disposition, "name") === field) return { name, content };
  }
  throw invalid(`The body has no file in the field "${field}"`);
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

function invalid(message: string): OperationFailure {
  return new OperationFailure(422, "invalid", message);
}
