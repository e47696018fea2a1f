/** Reads all types of what is on the clipboard, so that it can be put back. */

import { ServiceError } from "../../../core/errors.ts";
import type { Parts } from "../../types/mod.ts";
import type { TypedClipboard, TypedContent } from "./typed_clipboard.ts";

/** What its owner does not give within these bounds is lost. */
const READ_MS = 1_000;
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** What no program can have put there: the answers about a content (ICCCM, 2.6.2). */
const ABOUT = new Set(["TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE"]);

/** @throws the reason of `signal`; ServiceError `unavailable`: the display has gone */
export async function readAll(
  clipboard: TypedClipboard,
  signal?: AbortSignal,
): Promise<TypedContent> {
  const content = new Map<string, Parts>();
  const end = performance.now() + READ_MS;
  let rest = MAX_READ_BYTES;
  const types = await unlessSilent(clipboard.types({ idleMs: READ_MS, signal })) ?? [];
  for (const type of new Set(types)) {
    const idleMs = end - performance.now();
    if (idleMs <= 0) break;
    if (ABOUT.has(type)) continue;
    const read = await unlessSilent(clipboard.readType(type, { maxBytes: rest, idleMs, signal }));
    if (read === undefined) continue;
    content.set(type, read.parts);
    rest -= read.parts.reduce((sum, { length }) => sum + length, 0);
  }
  return content;
}

async function unlessSilent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServiceError && error.code !== "unavailable") return undefined;
    throw error;
  }
}
