/** The answers to Gemini's function calls, in the form of the interface that each came from. */

import type { EncodePicture } from "../picture_answer.ts";
import type { AgentPicture } from "../pictures.ts";
import type { FunctionCall } from "./calls.ts";

export interface Result {
  readonly call: FunctionCall;
  /** What went wrong, in words for the model. */
  readonly error?: string;
  readonly picture?: AgentPicture;
}

/** A part with a `functionResponse`, for a content with the role `user`. */
export function toPart({ call, error, picture }: Result, base64: EncodePicture) {
  const { id, name, safety } = call;
  return {
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      name,
      response: {
        ...(error === undefined ? { output: "done" } : { error }),
        ...(safety === undefined ? {} : { safety_acknowledgement: "true" }),
      },
      ...(picture === undefined ? {} : {
        parts: [{ inlineData: { mimeType: picture.mediaType, data: base64(picture) } }],
      }),
    },
  };
}

/** A step of the type `function_result`. */
export function toStep({ call, error, picture }: Result, base64: EncodePicture) {
  const { id, name, safety } = call;
  const acknowledged = safety === undefined ? "" : '; "safety_acknowledgement": "true"';
  return {
    type: "function_result",
    call_id: id ?? "",
    name,
    ...(error === undefined ? {} : { is_error: true }),
    result: [
      { type: "text", text: `${error ?? "done"}${acknowledged}` },
      ...(picture === undefined
        ? []
        : [{ type: "image", data: base64(picture), mime_type: picture.mediaType }]),
    ],
  };
}
