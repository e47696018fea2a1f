/** The results of calls as JSON, and how much of it an answer may hold. */

import { InputError, type ServiceError } from "../../core/errors.ts";
import { readImageHeader } from "../../imaging/header.ts";
import type { CallResult, FileResult } from "../call/calls.ts";
import type { Failure, PictureValue } from "./fields.ts";

/** The value of a result; `undefined` when there is nothing. */
export function toValue(result: CallResult): unknown {
  if (result.kind === "json") return result.value;
  return result.kind === "file" ? toPicture(result) : undefined;
}

export function toPicture({ mediaType, bytes, headers }: FileResult): PictureValue {
  const { width = 0, height = 0 } = readImageHeader(bytes) ?? {};
  return {
    media_type: mediaType,
    data: bytes.toBase64(),
    width,
    height,
    frame: headers["X-Frame"] ?? "",
    scale: Number(headers["X-Scale"]),
    display_num: Number(headers["X-Display"]),
    ...readChanges(headers),
  };
}

export function toFailure(error: ServiceError): Failure {
  const { code, status, message } = error;
  if (!(error instanceof InputError)) return { code, status, detail: message };
  const detail = error.faults.map(({ loc, msg, type }) => ({ loc: [...loc], msg, type }));
  return { code, status, detail };
}

/** The values of an answer that may have `maxBytes` in all. */
export class BoundedValues {
  /** By number of the step, in order, with the size of each. */
  readonly #kept = new Map<number, { readonly value: unknown; readonly size: number }>();
  #size = 0;

  constructor(private readonly maxBytes: number) {}

  /** Keeps the value of a step if it fits. */
  add(step: number, value: unknown): void {
    const size = sizeOf(value);
    if (this.#size + size > this.maxBytes) return;
    this.#size += size;
    this.#kept.set(step, { value, size });
  }

  /** The value of a step, if it was kept. */
  get(step: number): unknown {
    return this.#kept.get(step)?.value;
  }

  /**
   * Makes room for another value, for which those of the last steps are given up.
   * @returns whether it fits
   */
  makeRoom(value: unknown): boolean {
    const size = sizeOf(value);
    if (size > this.maxBytes) return false;
    for (const [step, last] of [...this.#kept].reverse()) {
      if (this.#size + size <= this.maxBytes) break;
      this.#kept.delete(step);
      this.#size -= last.size;
    }
    this.#size += size;
    return true;
  }
}

/** The length of its JSON; pictures are not serialised for this, because nearly all is `data`. */
function sizeOf(value: unknown): number {
  const data = typeof value === "object" && value !== null && "data" in value ? value.data : null;
  return typeof data === "string" ? data.length : JSON.stringify(value).length;
}

function readChanges(headers: FileResult["headers"]): Pick<PictureValue, "region" | "changes"> {
  const [region, changes] = [headers["X-Region"], headers["X-Changes"]];
  if (region === undefined || changes === undefined) return {};
  const [x = 0, y = 0, width = 0, height = 0] = region.split(",").map(Number);
  return { region: { x, y, width, height }, changes: JSON.parse(changes) };
}
