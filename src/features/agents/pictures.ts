/** Makes the pictures that models are shown, within what the vendors take. */

import type { Region, Size } from "../../core/geometry.ts";
import type { CallResult } from "../calls.ts";
import { base64Text, type Pieces, streamJson } from "../filesystem/read_file.ts";
import type { Streamed } from "../streamed.ts";
import type { ComputerInput } from "./computer_fields.ts";

export interface AgentPicture {
  /** `image/png` */
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The name of the picture, which operations with coordinates take as `frame`. */
  readonly frame: string;
}

/** As Base64 it has 5 MB, the least that a vendor takes. */
const MAX_BYTES = 3_750_000;
const SMALLER_QUALITY = 85;

interface Caller {
  call(name: string, input: Readonly<Record<string, unknown>>): Promise<CallResult>;
}

interface PictureOptions
  extends Pick<ComputerInput, "fit" | "max_edge" | "format" | "quality" | "cursor"> {
  /** On the screen; without it, all of it. */
  readonly region?: Region;
  readonly max?: Size | undefined;
  /** Whether a smaller region is enlarged to `max`. */
  readonly enlarge?: boolean;
  /** A larger PNG becomes a JPEG. */
  readonly maxBytes?: number;
}

/** Takes one picture of the caller's display. */
export async function takePicture(caller: Caller, options: PictureOptions): Promise<AgentPicture> {
  const { fit, region, max, max_edge, cursor, format, quality, enlarge } = options;
  const { maxBytes = MAX_BYTES } = options;
  const bounds = { fit, max_width: max?.width, max_height: max?.height, max_edge, enlarge };
  const input = { ...region, ...bounds, cursor };
  let result = await caller.call("takeScreenshot", { ...input, format, quality });
  if (result.kind === "file" && result.bytes.length > maxBytes) {
    const smaller = { format: "jpeg", quality: Math.min(quality, SMALLER_QUALITY) };
    result = await caller.call("takeScreenshot", { ...input, ...smaller });
  }
  if (result.kind !== "file") throw new TypeError("The screenshot returned no picture");
  const { mediaType, bytes, headers } = result;
  return { mediaType, bytes, frame: headers["X-Frame"]! };
}

// Answers with pictures in JSON, encoded while they are sent, so that no other request waits.

/** Stands for the Base64 text of a picture, in the text that is made of it. */
export type EncodePicture = (picture: AgentPicture) => string;

export function dataUrl(picture: AgentPicture, base64: EncodePicture): string {
  return `data:${picture.mediaType};base64,${base64(picture)}`;
}

/**
 * The answer that `make` builds; it puts what `base64` gives where the text of a picture belongs,
 * also in the middle of a text (`data:image/png;base64,...`).
 */
export function answerWithPictures<T>(make: (base64: EncodePicture) => T): T | Streamed {
  const mark = crypto.randomUUID();
  const pictures: AgentPicture[] = [];
  const answer = make((picture) => `${mark}${pictures.push(picture) - 1}${mark}`);
  if (pictures.length === 0) return answer;
  return streamJson(fillIn(JSON.stringify(answer).split(mark), pictures));
}

/** Every second part is the number of a picture. */
function* fillIn(parts: readonly string[], pictures: readonly AgentPicture[]): Pieces {
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) yield* base64Text(pictures[Number(part)]!.bytes);
    else yield part;
  }
}
