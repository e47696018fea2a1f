/** Answers with pictures in JSON, encoded while they are sent, so that no other request waits. */

import { base64Text, type Pieces, streamJson } from "../filesystem/text_answer.ts";
import type { Streamed } from "../streamed.ts";
import type { AgentPicture } from "./pictures.ts";

/** Stands for the Base64 text of a picture, in the text that is made of it. */
export type EncodePicture = (picture: AgentPicture) => string;

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
