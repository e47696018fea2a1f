/** The display operations as data. */

import { z } from "zod";
import type { Limits } from "../../core/limits.ts";
import { DisplayNumber, FrameId, X, Y } from "../fields.ts";
import { framed } from "../input/framed.ts";
import { type Answer, defineOperation, type Operation } from "../operation.ts";
import { listDisplays } from "./list.ts";
import { locateImage } from "./locate.ts";
import { LocateAnswer, LocateFields, ScreenshotFields, WaitAnswer, waitFields } from "./fields.ts";
import { getPixelColor } from "./pixel_color.ts";
import { getScreenSize } from "./screen_size.ts";
import { FORMATS } from "../../imaging/encode.ts";
import { takeScreenshot } from "./screenshot.ts";
import { waitForDisplay } from "./wait.ts";

const UNAVAILABLE = { 503: "The display is not there now" };
const IMAGE = {
  ...UNAVAILABLE,
  400: "The path is a folder",
  403: "No permission to read the image",
  404: "There is no such image",
  413: "The image is too large to be read",
};
const UNTOLD = { 501: "This display does not tell of changes" };

const Channel = z.int().min(0).max(255);
const Pixels = z.int().min(1).describe("In pixels.");

function data(description: string, schema: z.ZodType): Answer {
  return { status: 200, description, schema };
}

/** Every display operation. They change nothing and never wait for input operations. */
export function displayOperations(limits: Limits): readonly Operation[] {
  const common = { group: "display", readOnly: true, errors: UNAVAILABLE } as const;
  return [
    defineOperation({
      ...common,
      id: "getPixelColor",
      method: "POST",
      path: "/api/display/pixel_color",
      summary: "The colour of a pixel",
      body: z.object({ x: X, y: Y, frame: FrameId, display_num: DisplayNumber }),
      answer: data("Red, green and blue, each 0 to 255", z.array(Channel).length(3)),
      run: framed(getPixelColor),
    }),
    defineOperation({
      ...common,
      id: "takeScreenshot",
      method: "GET",
      path: "/api/display/screenshot",
      summary: "A picture of the display, of a region, or of what has changed",
      description:
        "The answer says in `X-Frame` which picture it is (operations that take coordinates also take that `frame`), in `X-Scale` how many of its pixels are one of the screen, and in `X-Display` which display it shows. " +
        "Its `ETag` stays the same until something changes on the display: with `If-None-Match` the answer is then 304, and nothing is captured. " +
        "With `since` it is the smallest part of an older picture, at its scale, that holds everything that has changed after it: `X-Region` says where it belongs there (`x,y,width,height`), `X-Changes` lists the changed boxes; 204 when nothing has changed.",
      query: z.object({ ...ScreenshotFields, display_num: DisplayNumber }),
      answer: {
        status: 200,
        description: "The picture",
        mediaTypes: FORMATS.map((one) => `image/${one}`),
      },
      also: {
        204: "With `since`: nothing has changed after that picture",
        304: "With `If-None-Match`: nothing has changed",
      },
      headers: {
        "X-Frame":
          "Which picture this is; operations that take coordinates also take it as `frame`.",
        "X-Display": "Number of the display that it shows.",
        "X-Scale": "How many pixels of the picture are one of the screen.",
        "X-Region":
          "With `since`: where this part belongs in the older picture, `x,y,width,height`.",
        "X-Changes":
          "With `since`: the boxes that have changed, a JSON list of `[x, y, width, height]`.",
        "ETag": "Stays the same until something changes on the display.",
      },
      errors: {
        ...UNAVAILABLE,
        409: "The display changed its size meanwhile",
        413: "No picture of so few bytes can be made",
      },
      run: takeScreenshot,
    }),
    defineOperation({
      ...common,
      id: "getScreenSize",
      method: "GET",
      path: "/api/display/screen_size",
      summary: "The size of a display",
      query: z.object({ display_num: DisplayNumber }),
      answer: data("Width and height", z.object({ width: Pixels, height: Pixels })),
      run: getScreenSize,
    }),
    defineOperation({
      ...common,
      id: "listDisplays",
      method: "GET",
      path: "/api/display/list",
      summary: "The displays that can be reached",
      answer: data(
        "One entry for each display",
        z.array(z.object({
          display_num: z.int().min(0),
          name: z.string().describe("The system's name of it, for example `:1`."),
          width: Pixels,
          height: Pixels,
          scale: z.number().gt(0).describe("Pixels of a picture per unit of the coordinates."),
          primary: z.boolean(),
        })),
      ),
      run: listDisplays,
    }),
    defineOperation({
      ...common,
      id: "waitForDisplay",
      long: true,
      method: "POST",
      path: "/api/display/wait",
      summary: "Wait until the display changes, is stable, or shows something",
      description:
        "Driven by the display's own change events: it needs no CPU while nothing changes. What is drawn again as it was is no change.",
      body: z.object({ ...waitFields(limits), frame: FrameId, display_num: DisplayNumber }),
      answer: data("What came, and after how long", WaitAnswer),
      errors: { ...IMAGE, ...UNTOLD },
      run: waitForDisplay,
    }),
    defineOperation({
      ...common,
      id: "locateImage",
      long: true,
      method: "POST",
      path: "/api/display/locate",
      summary: "Find an image on the display",
      description:
        "Normalised correlation, tolerant of small differences of colour and brightness but not of size; with the `frame` of a scaled picture the image may be cut from that picture. Transparent pixels of the image fit anything.",
      body: z.object({ ...LocateFields, frame: FrameId, display_num: DisplayNumber }),
      answer: data("The best match or `null`; with `all` a list, the best one first", LocateAnswer),
      errors: IMAGE,
      run: locateImage,
    }),
  ];
}
