/** The pictures that models are shown: what is asked of them, and how they are made within what vendors take. */

import { z } from "zod";
import type { Region, Size } from "../../core/geometry.ts";
import type { Limits } from "../../config/limits.ts";
import { FORMATS } from "../../imaging/image_file.ts";
import type { CallResult } from "../context.ts";
import { base64Text, type Pieces, streamJson } from "../filesystem/read_file.ts";
import type { Streamed } from "../streamed.ts";
import { DisplayNumber, FrameId } from "../fields.ts";

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

// What every vendor's endpoint for a computer takes beside the model's answer.

const MAX_EDGE = 32_767;
const DEFAULT_SETTLE_MS = 1_000;

/** @param fit says which `fit` applies where none is given */
export function computerFields(limits: Limits, fit: string) {
  return {
    display_num: DisplayNumber,
    fit: z.string().max(64).optional().describe(
      `Scales pictures to fit the model, like the \`fit\` of a screenshot; without it, ${fit}.`,
    ),
    max_edge: z.int().min(1).max(MAX_EDGE).optional().describe(
      "The maximum length of either side of a picture, in pixels.",
    ),
    frame: FrameId.describe(
      "The `X-Frame` of the picture that the model got: its coordinates are then pixels of that picture; without it, of the pictures that this operation takes.",
    ),
    format: z.enum(FORMATS).default("png").describe("The format of the pictures."),
    quality: z.int().min(1).max(100).default(80)
      .describe("The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best)."),
    cursor: z.boolean().default(true).describe("If true, the cursor is drawn into pictures."),
    settle_ms: z.int().min(0).max(limits.maxDurationMs).default(
      Math.min(DEFAULT_SETTLE_MS, limits.maxDurationMs),
    ).describe(
      "The maximum time that a picture after an action waits for the display to be stable, in milliseconds; 0 does not wait.",
    ),
    after_action: z.boolean().default(false).describe(
      "If true, the first picture also waits for the display to be stable: for when an action of an earlier request may still be changing it.",
    ),
    then_screenshot: z.boolean().default(true).describe(
      "If true, a picture of the display after the actions is added to the last result, if it has none yet.",
    ),
  };
}

/** What {@link computerFields} give. */
export type ComputerInput = Readonly<z.output<z.ZodObject<ReturnType<typeof computerFields>>>>;
