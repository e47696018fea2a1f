/** Reads the clipboard, and removes values of the keychain from what it has. */

import { abortAfter } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { ClipboardFormat, Parts, ReadClipboard } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { base64Text, jsonText, type Pieces, streamJson } from "../filesystem/text_answer.ts";
import { createRedactor } from "../secrets/redact.ts";
import { redactTexts } from "../secrets/redact_texts.ts";
import type { Streamed } from "../streamed.ts";
import { useClipboard } from "./use_clipboard.ts";

/** The longest time for one content, whatever it is: megabytes need a fraction of a second. */
const READ_MS = 30_000;

interface ReadInput {
  readonly formats: readonly ClipboardFormat[];
  readonly timeout_ms: number;
  readonly display_num: number;
}

export async function readClipboard(
  context: Context,
  { formats, timeout_ms: idleMs, display_num }: ReadInput,
): Promise<ClipboardAnswer | Streamed> {
  const { maxClipboardBytes: maxBytes } = context.config.limits;
  // a program that sends a byte now and then must not keep a place for ever
  const longestMs = Math.max(READ_MS, idleMs);
  using waiting = abortAfter(longestMs, context.signal, endless(longestMs));
  const { signal } = waiting;
  const read = await useClipboard(
    context,
    display_num,
    "reading",
    (clipboard) => clipboard.read({ formats, maxBytes, idleMs, signal }),
  );
  return answerClipboard(await redactAll(context, read));
}

async function redactAll(context: Context, { content, ...what }: ReadClipboard): Promise<Shown> {
  const { text, html, files, ...rest } = content;
  const shownText = text && await redact(context, text);
  const shownHtml = html && await redact(context, html);
  const shownFiles = files && await redactTexts(context, files);
  const gap = shownText?.gap ?? shownHtml?.gap ?? shownFiles?.gap;
  return {
    ...what,
    ...rest,
    ...(shownText && { text: shownText.parts }),
    ...(shownHtml && { html: shownHtml.parts }),
    ...(shownFiles && { files: shownFiles.shown }),
    ...(gap === undefined ? {} : { redaction_gap: gap }),
  };
}

interface Redacted {
  readonly parts: Parts;
  /** Why values may be left. */
  readonly gap: string | undefined;
}

async function redact({ config, session, signal }: Context, parts: Parts): Promise<Redacted> {
  const redactor = createRedactor(config, session.knownSecrets);
  await redactor.ready;
  const shown: Uint8Array[] = [];
  for (const part of parts) {
    signal.throwIfAborted();
    shown.push(await redactor.push(part));
  }
  shown.push(await redactor.end());
  return { parts: shown as Uint8Array<ArrayBuffer>[], gap: redactor.gap };
}

function endless(ms: number): ServiceError {
  return new ServiceError("timed_out", `The content of the clipboard has not come within ${ms} ms`);
}

// The answer with the content of the clipboard: a large one is encoded while it is sent.

/** What may be shown. */
interface Shown {
  readonly available: readonly ClipboardFormat[];
  readonly types: readonly string[];
  readonly text?: Parts;
  readonly html?: Parts;
  readonly png?: Parts;
  readonly files?: readonly string[];
  readonly redaction_gap?: string;
}

interface ClipboardAnswer extends Omit<Shown, "text" | "html" | "png"> {
  readonly text?: string;
  readonly html?: string;
  readonly png?: string;
}

/** Up to this size, in bytes, an answer is made in one go: that takes some milliseconds. */
const AT_ONCE_BYTES = 1536 * 1024;

function answerClipboard(shown: Shown): ClipboardAnswer | Streamed {
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
