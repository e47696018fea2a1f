/** Defines the display operations as data. */

import { z } from "zod";
import type { Rgb } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { checkOnScreen, DisplayNumber, FrameId, X, Y } from "../fields.ts";
import { framed } from "../input/frames.ts";
import { definingWith, DISPLAY_ERRORS, FILE_ERRORS, json, type Operation } from "../operation.ts";
import { LocateAnswer, LocateBody, ScreenshotQuery } from "./fields.ts";
import { findImage, readImage } from "./find_image.ts";
import { SCREENSHOT_ANSWER, takeScreenshot } from "./screenshot.ts";
import { followChanges, openView } from "./view.ts";

/** For operations that read an image file. */
export const IMAGE_ERRORS = {
  ...FILE_ERRORS,
  permission_denied: "The user who runs the service may not read the image or the screen.",
  not_found: "The image file does not exist.",
  conflict: "The display was resized during the operation, or the system is using the image file.",
  too_large: "The image is too large to be read.",
  unsupported: DISPLAY_ERRORS.unsupported,
  unavailable: `${DISPLAY_ERRORS.unavailable} ${FILE_ERRORS.unavailable}`,
};

const Channel = z.int().min(0).max(255);
const PixelBody = z.object({ x: X, y: Y, frame: FrameId, display_num: DisplayNumber });
const Pixels = z.int().min(1).describe("The size, in pixels.");

/** They change nothing and never wait for input operations. */
export function displayOperations(): readonly Operation[] {
  const define = definingWith({ group: "display", readOnly: true, errors: DISPLAY_ERRORS });
  return [
    define({
      id: "getPixelColor",
      method: "POST",
      path: "/api/display/pixel_color",
      summary: "Get the colour of a pixel",
      body: PixelBody,
      answer: json("Red, green and blue, each from 0 to 255.", z.array(Channel).length(3)),
      run: framed(getPixelColor),
    }),
    define({
      id: "takeScreenshot",
      large: true,
      method: "GET",
      path: "/api/display/screenshot",
      summary: "Take a screenshot of the display, a region, or what has changed",
      description:
        "The response headers describe the picture: `X-Frame` is its id, which operations with coordinates accept as `frame`; `X-Scale` is the number of picture pixels per pixel of the screen; `X-Display` is the number of the display. " +
        "Its `ETag` stays the same until something changes on the display: a request with `If-None-Match` is until then answered with 304, without a capture. " +
        "With `since` the answer is the smallest part of an older picture, at its scale, that contains everything that has changed since: `X-Region` says where it belongs (`x,y,width,height`), and `X-Changes` lists the changed boxes. If nothing has changed, the answer is 204.",
      query: ScreenshotQuery,
      answer: SCREENSHOT_ANSWER,
      errors: { ...DISPLAY_ERRORS, too_large: "The file cannot be made that small." },
      run: takeScreenshot,
    }),
    define({
      id: "getScreenSize",
      method: "GET",
      path: "/api/display/screen_size",
      summary: "Get the size of a display",
      query: z.object({ display_num: DisplayNumber }),
      answer: json("The size of the display.", z.object({ width: Pixels, height: Pixels })),
      run: async ({ platform }, { display_num }) => {
        const { size } = await platform.displays.open(display_num);
        return { width: size.width, height: size.height };
      },
    }),
    define({
      id: "listDisplays",
      method: "GET",
      path: "/api/display/list",
      summary: "List the available displays",
      answer: json(
        "One entry for each display.",
        z.array(z.object({
          display_num: z.int().min(0),
          name: z.string().describe("The system's name of the display, for example `:1`."),
          width: Pixels,
          height: Pixels,
          scale: z.number().gt(0).describe(
            "The number of picture pixels per unit of the coordinates.",
          ),
          primary: z.boolean(),
        })),
      ),
      run: async ({ platform }) => {
        const displays = await platform.displays.list();
        return displays.map(({ displayNum, ...rest }) => ({ display_num: displayNum, ...rest }));
      },
    }),
    define({
      id: "locateImage",
      long: true,
      method: "POST",
      path: "/api/display/locate",
      summary: "Find an image on the display",
      description:
        "Finds the image by normalised correlation, which tolerates small differences in colour and brightness but not in size. With the `frame` of a scaled picture, the image may be cut from that picture. Transparent pixels of the image match anything.",
      body: LocateBody,
      answer: json(
        "The best match, or `null`; with `all` a list, the best match first.",
        LocateAnswer,
      ),
      errors: { ...IMAGE_ERRORS, forbidden: "The group filesystem is disabled." },
      uses: () => ["filesystem"],
      run: locateImage,
    }),
  ];
}

async function getPixelColor({ platform }: Context, at: z.output<typeof PixelBody>): Promise<Rgb> {
  const display = await platform.displays.open(at.display_num);
  checkOnScreen(display, at);
  return await display.pixel(at);
}

/** One match or `null`; with `all`, a list. */
async function locateImage(context: Context, input: z.output<typeof LocateBody>) {
  const { all, confidence } = input;
  const { region: wanted = { x: 0, y: 0 } } = input;
  const { display, frame, regionOf } = await openView(context, input, {
    ...wanted,
    within: ["region"],
  });
  const state = await (await followChanges(display))?.poll();
  const region = regionOf(state?.size ?? display.size);
  const image = await readImage(input.image_path, { config: context.config, field: "image_path" });
  const found = await findImage(context, display, {
    image,
    region,
    frame,
    part: input.region,
    confidence,
    all,
    field: "image_path",
    signal: context.signal,
  });
  return all ? found : found[0] ?? null;
}

export const DISPLAY_EXAMPLES = {
  getPixelColor: { body: { x: 200, y: 150 }, answer: [255, 204, 0] },
  takeScreenshot: { query: { format: "jpeg", quality: 80, max_width: 1_280 } },
  getScreenSize: { query: { display_num: 1 }, answer: { width: 1_280, height: 800 } },
  listDisplays: {
    answer: [{ display_num: 1, name: ":99", width: 1_280, height: 800, scale: 1, primary: true }],
  },
  waitForDisplay: {
    body: { until: "stable", stable_ms: 300, timeout_ms: 10_000 },
    answer: { status: "stable", elapsed_ms: 812 },
  },
  locateImage: {
    body: { image_path: "/home/ada/button.png", confidence: 0.9 },
    answer: { x: 540, y: 310, width: 96, height: 32, confidence: 0.987 },
  },
};
