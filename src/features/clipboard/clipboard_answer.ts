/** The answer with the content of the clipboard: a large one is encoded while it is sent. */

import type { ClipboardFormat, Parts } from "../../platform/types/mod.ts";
import { base64Text, jsonText, type Pieces, streamJson } from "../filesystem/text_answer.ts";
import type { Streamed } from "../streamed.ts";

/** What may be shown. */
export interface Shown {
  readonly available: readonly ClipboardFormat[];
  readonly types: readonly string[];
  readonly text?: Parts;
  readonly html?: Parts;
  readonly png?: Parts;
  readonly files?: readonly string[];
  readonly redaction_gap?: string;
}

export interface ClipboardAnswer extends Omit<Shown, "text" | "html" | "png"> {
  readonly text?: string;
  readonly html?: string;
  readonly png?: string;
}

/** Up to this size, in bytes, an answer is made in one go: that takes some milliseconds. */
const AT_ONCE_BYTES = 1536 * 1024;

export function answerClipboard(shown: Shown): ClipboardAnswer | Streamed {
  const { text, html, png, ...rest } = shown;
  const fields = Object.entries({
    ...(text && { text: jsonText(text) }),
    ...(html && { html: jsonText(html) }),
    ...(png && { png: base64OfParts(png) }),
  });
  const size = [text, html, png].reduce((sum, parts) => sum + countBytes(parts), 0);
  if (size > AT_ONCE_BYTES) return streamJson(joinFields(rest, fields));
  return {
    ...rest,
    ...(text && { text: decode(text) }),
    ...(html && { html: decode(html) }),
    ...(png && { png: [...base64OfParts(png)].join("") }),
  };
}

function* joinFields(rest: object, fields: readonly [string, Pieces][]): Pieces {
  yield JSON.stringify(rest).slice(0, -1);
  for (const [name, pieces] of fields) {
    yield `,"${name}":"`;
    for (const piece of pieces) if (piece !== "") yield piece;
    yield `"`;
  }
  yield "}";
}

/** Base64 has groups of three bytes, which parts can split. */
function* base64OfParts(parts: Parts): Pieces {
  let rest = new Uint8Array();
  for (const part of parts) {
    const all = rest.length === 0 ? part : join(rest, part);
    const whole = all.length - all.length % 3;
    yield* base64Text(all.subarray(0, whole));
    rest = all.slice(whole);
  }
  yield rest.toBase64();
}

function decode(parts: Parts): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const texts = parts.map((part) => decoder.decode(part, { stream: true }));
  return texts.join("") + decoder.decode();
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function countBytes(parts: Parts = []): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
