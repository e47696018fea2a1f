/** Reads the clipboard, and removes values of the keychain from what it has. */

import { abortAfter } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { ClipboardFormat, Parts, ReadClipboard } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { createRedactor } from "../secrets/redact.ts";
import { redactTexts } from "../secrets/redact_texts.ts";
import type { Streamed } from "../streamed.ts";
import { answerClipboard, type ClipboardAnswer, type Shown } from "./clipboard_answer.ts";
import { useClipboard } from "./use_clipboard.ts";

/** The longest time for one content, whatever it is: megabytes need a fraction of a second. */
const READ_MS = 30_000;

export interface ReadInput {
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
