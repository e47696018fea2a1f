/**
 * What the operations of open models share: the coordinates, which depend on how a model was trained
 * and is served, and the answer with the next chat message (in OpenAI's form, which their servers
 * take).
 */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import type { Size } from "../../core/geometry.ts";
import type { Context } from "../context.ts";
import type { Streamed } from "../streamed.ts";
import type { FieldNames } from "./actions.ts";
import { DEFAULT_PIXEL_BOUNDS, smartResize } from "./coordinate_space.ts";
import { answerWithPictures, computerFields, dataUrl } from "./pictures.ts";
import { type ActionResult, performTurn, type TurnActions } from "./turn.ts";

const MAX_PIXELS = 1_000_000_000;

/** The fields besides the model's answer. */
export function openModelFields(limits: Limits) {
  return {
    coordinates: z.enum(["0..1000", "pixels", "resized"]).default("0..1000").describe(
      "The unit of the model's coordinates: thousandths of the picture (UI-TARS 1.0 and 2, Doubao, Qwen3-VL), its pixels, or the pixels of the size to which the model scales it (UI-TARS 1.5, Qwen2.5-VL: both sides become multiples of 28).",
    ),
    min_pixels: z.int().min(1).max(MAX_PIXELS).default(DEFAULT_PIXEL_BOUNDS.minPixels)
      .describe(
        "With `resized`: the minimum area of the pictures that the model is configured for, in pixels.",
      ),
    max_pixels: z.int().min(784).max(MAX_PIXELS).default(DEFAULT_PIXEL_BOUNDS.maxPixels)
      .describe(
        "With `resized`: the maximum area of the pictures that the model is configured for, in pixels.",
      ),
    ...computerFields(limits, "the display in its own pixels"),
  };
}

export type OpenModelInput = Readonly<z.output<z.ZodObject<ReturnType<typeof openModelFields>>>>;

/** The answer to a turn. @param messages says what the chat messages are */
export function openModelAnswer(messages: string) {
  return z.object({
    messages: z.array(z.looseObject({ role: z.string() })).describe(messages),
    results: z.array(z.object({
      action: z.string(),
      status: z.enum(["done", "failed", "not_run"]),
      error: z.string().nullable(),
    })).describe("The results of the actions, in order."),
    end: z.object({
      kind: z.enum(["finished", "call_user", "answer", "terminate"]),
      status: z.enum(["success", "failure"]).nullable(),
      content: z.string().nullable(),
    }).nullable().describe("The way in which the model ended its task; `null` while it continues."),
    frame: z.string().nullable().describe("The `X-Frame` of the picture."),
  });
}

type OpenModelAnswer = z.output<ReturnType<typeof openModelAnswer>>;

/** What the model reads besides the picture. */
interface Words {
  /** Messages of their own. */
  readonly messages: OpenModelAnswer["messages"];
  /** Beside the picture. */
  readonly text?: string | undefined;
}

/** Performs a turn, and answers with what `describe` makes of its results, and the picture. */
export async function answerOpenModel(
  context: Context,
  input: OpenModelInput,
  { fieldNames, ...turn }: TurnActions & { readonly fieldNames: FieldNames },
  describe: (results: readonly ActionResult[]) => Words,
): Promise<OpenModelAnswer | Streamed> {
  const { coordinates, min_pixels: minPixels, max_pixels: maxPixels } = input;
  const { results, end, picture } = await performTurn(context, {
    ...input,
    fieldNames,
    space: coordinates === "0..1000" ? coordinates : "pictures",
    ...(coordinates === "resized" && {
      resize: (size: Size) => smartResize(size, { minPixels, maxPixels }),
    }),
  }, turn);
  const { messages, text } = describe(results);
  return answerWithPictures((base64) => {
    const content: object[] = text === undefined ? [] : [{ type: "text", text }];
    if (picture !== undefined) {
      content.push({ type: "image_url", image_url: { url: dataUrl(picture, base64) } });
    }
    return {
      messages: [...messages, ...(content.length === 0 ? [] : [{ role: "user", content }])],
      results: [...results],
      end,
      frame: picture?.frame ?? null,
    };
  });
}
