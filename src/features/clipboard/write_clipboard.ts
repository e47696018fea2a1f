/** Puts something on the clipboard. */

import { requireGroup } from "../switched_off.ts";
import { Turns } from "../../core/turns.ts";
import { encodeText } from "../../core/encode_text.ts";
import { ServiceError, ValueFault } from "../../core/errors.ts";
import type { ClipboardContent, Parts } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { translating } from "../filesystem/file_errors.ts";
import { resolvePath } from "../filesystem/path.ts";
import { useClipboard } from "./use_clipboard.ts";

export const MAX_FILES = 1_000;
/** Characters decoded in one go. */
const PIECE = 128 * 1024;
/** Base64 has line breaks where a program has written it for mails. */
const WHITE_SPACE = /[\t\n\f\r ]+/g;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export interface WriteInput {
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
  const turns = new Turns();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const part of encodeText(text)) {
    if (part.includes(0)) {
      throw new ValueFault(field, "A text on the clipboard has no NUL character");
    }
    parts.push(part);
    size += part.length;
    if (size > maxBytes) {
      throw new ServiceError(
        "too_large",
        `The content is larger than ${maxBytes} bytes: --max-clipboard allows more`,
      );
    }
    await turns.pass();
  }
  return parts;
}

/** @throws ValueFault on `png` */
async function decodePng(png: string): Promise<Parts> {
  const turns = new Turns();
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
    await turns.pass();
  }
  if (PNG_SIGNATURE.every((byte, index) => parts[0]?.[index] === byte)) return parts;
  throw new ValueFault("png", "The image is no PNG: convert it first");
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    throw notBase64();
  }
}

function notBase64(): ValueFault {
  return new ValueFault("png", "The image is no base64 text");
}

/** @throws ServiceError `forbidden`: it would tell which files exist, so it must not bypass `--disable` */
async function findFiles({ config }: Context, files: readonly string[]): Promise<string[]> {
  requireGroup(config, "filesystem");
  return await Promise.all(files.map(async (file, index) => {
    const field = ["files", index] as const;
    const path = resolvePath(file, config.home, field);
    await translating({ action: "Cannot copy", path, field }, () => Deno.lstat(path));
    return path;
  }));
}
