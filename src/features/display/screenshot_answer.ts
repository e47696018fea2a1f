/** The answers to a request for a picture, as data. */

import type { FileAnswer, ResultOf } from "../outcomes.ts";
import { type Format, FORMATS } from "../../imaging/encode.ts";

const WITH_EVERY_PICTURE = {
  "X-Frame":
    "It says which picture this is; operations that take coordinates also take it as `frame`.",
  "X-Display": "The picture shows the display with this number.",
  "X-Scale": "One pixel of the screen is this many of the picture.",
  "ETag": "It stays the same until something changes on the display.",
  "Content-Disposition": "A browser saves the picture under this name.",
  "Cache-Control": "A copy may be kept, and is asked about before it is used.",
};

const PICTURE = {
  status: 200,
  description: "This is the picture.",
  mediaTypes: FORMATS.map((format): `image/${Format}` => `image/${format}`),
  headers: {
    ...WITH_EVERY_PICTURE,
    "X-Region":
      "With `since`, this is where the part belongs in the older picture: `x,y,width,height`.",
    "X-Changes":
      "With `since`, these are the boxes that have changed: a JSON list of `[x, y, width, height]`.",
  },
} satisfies FileAnswer;

export const SCREENSHOT_ANSWER = {
  oneOf: {
    picture: PICTURE,
    unchanged: {
      status: 204,
      description: "With `since`: nothing has changed after that picture.",
    },
    current: {
      status: 304,
      description: "With `If-None-Match`: the picture would be the one that the client has.",
      headers: {
        "ETag": WITH_EVERY_PICTURE["ETag"],
        "X-Frame": WITH_EVERY_PICTURE["X-Frame"],
      },
    },
  },
} as const;

export type ScreenshotResult = ResultOf<typeof SCREENSHOT_ANSWER>;
