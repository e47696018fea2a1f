/** A picture of a display, as the service answers it. */

import { toBase64 } from "./base64.ts";

/** `[x, y, width, height]` in pixels. */
export type Box = readonly [x: number, y: number, width: number, height: number];

export interface Picture {
  readonly bytes: Uint8Array;
  /** `image/png`, `image/jpeg` or `image/webp`. */
  readonly mediaType: string;
  /** Give it to operations that take coordinates: these are then pixels of this picture. */
  readonly frame: string;
  /** The display that it shows. */
  readonly displayNum: number;
  /** A pixel of the screen is this many of the picture. */
  readonly scale: number;
  /** With `since`: where it belongs in the older picture. */
  readonly region?: Box;
  /** With `since`: the boxes that have changed. */
  readonly changes?: readonly Box[];
}

/** What an answer with a picture holds. */
export async function readPicture(response: Response): Promise<Picture> {
  const { headers } = response;
  const region = headers.get("x-region");
  const changes = headers.get("x-changes");
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    mediaType: headers.get("content-type") ?? "",
    frame: headers.get("x-frame") ?? "",
    displayNum: Number(headers.get("x-display")),
    scale: Number(headers.get("x-scale")),
    ...(region === null ? {} : { region: region.split(",").map(Number) as unknown as Box }),
    ...(changes === null ? {} : { changes: JSON.parse(changes) as Box[] }),
  };
}

/** `data:image/png;base64,...`: how most models take a picture. */
export function toDataUrl({ bytes, mediaType }: Pick<Picture, "bytes" | "mediaType">): string {
  return `data:${mediaType};base64,${toBase64(bytes)}`;
}
