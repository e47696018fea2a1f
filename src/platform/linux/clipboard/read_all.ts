/** Reads all types of what is on the clipboard, so that it can be put back. */

import { abortAfter } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Parts } from "../../types/mod.ts";
import { FORMAT_TYPES } from "./formats.ts";
import type { TypedClipboard, TypedContent } from "./typed_clipboard.ts";

/** What its owner does not give within these bounds is lost: how long it may be silent, and in all. */
const SILENT_MS = 1_000;
const READ_MS = 10_000;
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** What no program can have put there: the answers about a content (ICCCM, 2.6.2). */
const ABOUT = new Set(["TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE"]);

/** @throws the reason of `signal`; ServiceError `unavailable`: the display has gone */
export async function readAll(
  clipboard: TypedClipboard,
  signal: AbortSignal = new AbortController().signal,
  maxMs = READ_MS,
): Promise<TypedContent> {
  // input waits for this: an owner that sends a byte now and then must not hold it up
  using bounded = abortAfter(maxMs, signal, new ServiceError("timed_out", "Too slow to be kept"));
  const content = new Map<string, Parts>();
  const last = performance.now() + maxMs;
  let end = performance.now() + SILENT_MS;
  let rest = MAX_READ_BYTES;
  const asked = clipboard.types({ idleMs: SILENT_MS, signal: bounded.signal });
  const types = await unlessSilent(asked) ?? [];
  for (const type of new Set(inOrder(types))) {
    const idleMs = Math.min(end, last) - performance.now();
    if (idleMs <= 0) break;
    if (ABOUT.has(type)) continue;
    const reading = { maxBytes: rest, idleMs, signal: bounded.signal };
    const read = await unlessSilent(clipboard.readType(type, reading));
    if (read === undefined) continue;
    content.set(type, read.parts);
    end = performance.now() + SILENT_MS; // an owner that answers is slow, but not silent
    rest -= read.parts.reduce((sum, { length }) => sum + length, 0);
  }
  const given = types.filter((type) => content.has(type));
  return new Map(given.map((type) => [type, content.get(type)!]));
}

/** What the formats of the service need comes first: a slow owner may not get to the rest. */
function inOrder(types: readonly string[]): string[] {
  const known = FORMAT_TYPES.map(({ type }) => type).filter((type) => types.includes(type));
  return [...known, ...types];
}

async function unlessSilent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServiceError && error.code !== "unavailable") return undefined;
    throw error;
  }
}
