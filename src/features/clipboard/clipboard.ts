/** Reads the clipboard, and removes values of the keychain from what it has. */

import { countBytes, joinBytes } from "../../core/bytes.ts";
import { abortAfter } from "../../core/deadline.ts";
import { FieldError, ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { decodeText, encodeText } from "../../core/texts.ts";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import { requireCapability } from "../../platform/capability.ts";
import type {
  Clipboard,
  ClipboardContent,
  ClipboardFormat,
  Parts,
  ReadClipboard,
} from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { translating } from "../filesystem/file_errors.ts";
import { resolvePath } from "../filesystem/paths.ts";
import { base64Text, jsonText, type Pieces, streamJson } from "../filesystem/read_file.ts";
import { createRedactor } from "../secrets/redact.ts";
import { redactTexts } from "../secrets/redact_texts.ts";
import type { Streamed } from "../streamed.ts";
import type { Session } from "../session.ts";
import { KnownSecrets } from "../secrets/known_secrets.ts";
import { Control } from "../control/control.ts";

/** The longest time for one content, whatever it is: megabytes need a fraction of a second. */
const READ_TIMEOUT_MS = 30_000;

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
  // a program that sends a byte now and then must not keep a permit for ever
  const longestMs = Math.max(READ_TIMEOUT_MS, idleMs);
  const late = `The content of the clipboard did not arrive within ${longestMs} ms`;
  using waiting = abortAfter(longestMs, context.signal, new ServiceError("timed_out", late));
  const { signal } = waiting;
  const read = await useClipboard(
    context,
    display_num,
    "reading",
    (clipboard) => clipboard.read({ formats, maxBytes, idleMs, signal }),
  );
  return answerClipboard(await redactAll(context, read));
}

async function redactAll(
  context: Context,
  { content, ...what }: ReadClipboard,
): Promise<ClipboardReading> {
  const { text, html, files, ...rest } = content;
  const redactedText = text && await redact(context, text);
  const redactedHtml = html && await redact(context, html);
  const redactedFiles = files && await redactTexts(context, files);
  const gap = redactedText?.gap ?? redactedHtml?.gap ?? redactedFiles?.gap;
  return {
    ...what,
    ...rest,
    ...(redactedText && { text: redactedText.parts }),
    ...(redactedHtml && { html: redactedHtml.parts }),
    ...(redactedFiles && { files: redactedFiles.redacted }),
    ...(gap === undefined ? {} : { redaction_gap: gap }),
  };
}

interface Redacted {
  readonly parts: Parts;
  /** Why values may be left. */
  readonly gap: string | undefined;
}

async function redact({ config, session, signal }: Context, parts: Parts): Promise<Redacted> {
  const redactor = createRedactor(config, session.use(KnownSecrets));
  await redactor.ready;
  const redacted: Uint8Array[] = [];
  for (const part of parts) {
    signal.throwIfAborted();
    redacted.push(await redactor.push(part));
  }
  redacted.push(await redactor.end());
  return { parts: redacted as Uint8Array<ArrayBuffer>[], gap: redactor.gap };
}

// The answer with the content of the clipboard: a large one is encoded while it is sent.

/** The content, redacted. */
interface ClipboardReading {
  readonly available: readonly ClipboardFormat[];
  readonly types: readonly string[];
  readonly text?: Parts;
  readonly html?: Parts;
  readonly png?: Parts;
  readonly files?: readonly string[];
  readonly redaction_gap?: string;
}

interface ClipboardAnswer extends Omit<ClipboardReading, "text" | "html" | "png"> {
  readonly text?: string;
  readonly html?: string;
  readonly png?: string;
}

/** Up to this size, in bytes, an answer is made in one go: that takes some milliseconds. */
const AT_ONCE_BYTES = 1536 * 1024;

function answerClipboard(reading: ClipboardReading): ClipboardAnswer | Streamed {
  const { text, html, png, ...rest } = reading;
  const fields = Object.entries({
    ...(text && { text: jsonText(text) }),
    ...(html && { html: jsonText(html) }),
    ...(png && { png: base64OfParts(png) }),
  });
  const size = [text, html, png].reduce((sum, parts) => sum + countBytes(parts ?? []), 0);
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
    const all = rest.length === 0 ? part : joinBytes([rest, part]);
    const whole = all.length - all.length % 3;
    yield* base64Text(all.subarray(0, whole));
    rest = all.slice(whole);
  }
  yield rest.toBase64();
}

function decode(parts: Parts): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(joinBytes(parts));
}

export const MAX_FILES = 1_000;
/** Characters decoded in one go. */
const PIECE = 128 * 1024;
/** Base64 has line breaks where a program has written it for mails. */
const WHITE_SPACE = /[\t\n\f\r ]+/g;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

interface WriteInput {
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  /** In base64. */
  readonly png?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly display_num: number;
}

export async function writeClipboard(context: Context, input: WriteInput): Promise<void> {
  const { text, html, png, files, display_num } = input;
  const { maxClipboardBytes } = context.config.limits;
  const content: ClipboardContent = {
    ...(text === undefined ? {} : { text: await encode("text", text, maxClipboardBytes) }),
    ...(html === undefined ? {} : { html: await encode("html", html, maxClipboardBytes) }),
    ...(png === undefined ? {} : { png: await decodePng(png) }),
    ...(files === undefined ? {} : { files: await findFiles(context, files) }),
  };
  const { signal } = context;
  await useClipboard(
    context,
    display_num,
    "writing",
    (clipboard) => clipboard.write(content, signal),
  );
}

async function encode(field: "text" | "html", text: string, maxBytes: number): Promise<Parts> {
  const yielder = new EventLoopYielder();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const part of encodeText(text)) {
    if (part.includes(0)) {
      throw new FieldError(field, "A text for the clipboard must not contain a NUL character");
    }
    parts.push(part);
    size += part.length;
    if (size > maxBytes) {
      throw new ServiceError("too_large", `The content is larger than ${maxBytes} bytes`);
    }
    await yielder.yieldIfDue();
  }
  return parts;
}

/** @throws FieldError on `png` */
async function decodePng(png: string): Promise<Parts> {
  const yielder = new EventLoopYielder();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let rest = "";
  for (let at = 0; at < png.length; at += PIECE) {
    // line breaks are nowhere in groups of four, by which alone it can be divided
    const text = rest + png.slice(at, at + PIECE).replace(WHITE_SPACE, "");
    const isLast = at + PIECE >= png.length;
    const whole = isLast ? text.length : text.length - text.length % 4;
    rest = text.slice(whole);
    const isAfterEnd = text !== "" && parts.length > 0 && parts.at(-1)!.length % 3 !== 0;
    if (isAfterEnd) throw notBase64();
    if (whole > 0) parts.push(decodeBase64(text.slice(0, whole)));
    await yielder.yieldIfDue();
  }
  if (PNG_SIGNATURE.every((byte, index) => parts[0]?.[index] === byte)) return parts;
  throw new FieldError("png", "The image is not a PNG: convert it first");
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    throw notBase64();
  }
}

function notBase64(): FieldError {
  return new FieldError("png", "The image is not valid Base64");
}

async function findFiles({ config }: Context, files: readonly string[]): Promise<string[]> {
  return await Promise.all(files.map(async (file, index) => {
    const field = ["files", index] as const;
    const path = resolvePath(file, config.home, field);
    await translating({ action: "Cannot copy", path, field }, () => Deno.lstat(path));
    return path;
  }));
}

// Uses the clipboard of a display. Few read at once, because each content can be large, and one
// writes: a write goes on for a while after its caller has left, and would replace a later one.
// Readers, who wait for other programs, keep no writer out.

/**
 * @throws ServiceError `unsupported` where the display has no clipboard, `unavailable` when too many
 * wait
 */
export async function useClipboard<T>(
  { platform, session, signal }: Pick<Context, "platform" | "session" | "signal">,
  displayNum: number,
  how: "reading" | "writing",
  use: (clipboard: Clipboard) => Promise<T>,
): Promise<T> {
  const display = await platform.displays.open(displayNum);
  const clipboard = requireCapability(display.clipboard);
  const permits = session.use(ClipboardPermits);
  const semaphore = how === "reading" ? permits.reading : permits.writing(clipboard);
  return await semaphore.run(() => use(clipboard), signal);
}

class ClipboardPermits {
  readonly reading = createSemaphore(4);
  readonly #writing = new WeakMap<Clipboard, Semaphore>();

  /** No clipboard that does not answer keeps out who writes to another one. */
  writing(clipboard: Clipboard): Semaphore {
    return this.#writing.getOrInsertComputed(clipboard, () => createSemaphore(1));
  }
}

function createSemaphore(capacity: number): Semaphore {
  return new Semaphore({
    capacity,
    maxWaiting: 1_000,
    full: () =>
      new ServiceError("unavailable", "Too many clipboard operations are waiting: try again"),
  });
}

// The text that a person has put on a clipboard, as the console does to paste it: what is still
// there of it when control is handed back is taken away before programs may read it.

/** A longer one is taken away whatever is there by then. */
const MAX_KEPT = 1024 * 1024;
/** Time for all of it, and for the program that owns what is there by then. */
const CLEAR_MS = 3_000;
const IDLE_MS = 1_000;

export class PersonsText {
  static readonly ofService = true;
  /** By session and display. */
  readonly #last = new Map<Session, Map<number, string | undefined>>();

  constructor(session: Session) {
    session.use(Control).onHandBack(() => this.#clearAll());
  }

  /** What a person is about to put there. */
  note(session: Session, displayNum: number, text: string): void {
    const last = this.#last.getOrInsertComputed(session, () => new Map());
    last.set(displayNum, text.length > MAX_KEPT ? undefined : text);
  }

  async #clearAll(): Promise<void> {
    const all = [...this.#last].flatMap(([session, texts]) =>
      [...texts].map(([displayNum, text]) => ({ session, displayNum, text }))
    );
    this.#last.clear();
    const signal = AbortSignal.timeout(CLEAR_MS);
    await Promise.allSettled(all.map(({ session, displayNum, text }) =>
      // after a write that goes on
      useClipboard(
        { platform: session.platform, session, signal },
        displayNum,
        "writing",
        async (clipboard) => {
          const isThere = text === undefined || await readText(clipboard, signal) === plain(text);
          if (isThere) await clipboard.clear(signal);
        },
      )
    ));
  }
}

/** `undefined` for more than is kept, or none. */
async function readText(clipboard: Clipboard, signal: AbortSignal): Promise<string | undefined> {
  const reading = { formats: ["text"], maxBytes: 4 * MAX_KEPT, idleMs: IDLE_MS, signal } as const;
  const { content: { text } } = await clipboard.read(reading);
  return text && plain(await decodeText(joinBytes(text)));
}

/** As systems keep lines. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").toWellFormed();
}
