/** The answers to a request for a picture, as data. */

import type { FileAnswer, ResultOf } from "../outcomes.ts";
import { type Format, FORMATS } from "../../imaging/encode.ts";

export const PICTURE_HEADERS = {
  "X-Frame": "The id of the picture; operations with coordinates accept it as `frame`.",
  "X-Display": "The number of the display that the picture shows.",
  "X-Scale": "The number of picture pixels per pixel of the screen.",
  "ETag": "The entity tag; it stays the same until something changes on the display.",
  "Content-Disposition": "The file name under which a browser saves the picture.",
  "Cache-Control": "A copy may be kept, but must be revalidated before it is used.",
};

const PICTURE = {
  status: 200,
  description: "The picture, as a file.",
  mediaTypes: FORMATS.map((format): `image/${Format}` => `image/${format}`),
  headers: {
    ...PICTURE_HEADERS,
    "X-Region": "With `since`: where the part belongs in the older picture, as `x,y,width,height`.",
    "X-Changes":
      "With `since`: the boxes that have changed, as a JSON list of `[x, y, width, height]`.",
  },
} satisfies FileAnswer;

export const SCREENSHOT_ANSWER = {
  oneOf: {
    picture: PICTURE,
    unchanged: {
      status: 204,
      description: "With `since`: nothing has changed since that picture.",
    },
    current: {
      status: 304,
      description: "With `If-None-Match`: the client already has this picture.",
      headers: {
        "ETag": PICTURE_HEADERS["ETag"],
        "X-Frame": PICTURE_HEADERS["X-Frame"],
      },
    },
  },
} as const;

export type ScreenshotResult = ResultOf<typeof SCREENSHOT_ANSWER>;
