/** The display operations as data. */

import { z } from "zod";
import type { Limits } from "../../limits.ts";
import { DisplayNumber, X, Y } from "../fields.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { listDisplays } from "./list.ts";
import { getPixelColor } from "./pixel_color.ts";
import { getScreenSize } from "./screen_size.ts";
import { takeScreenshot } from "./screenshot.ts";

const UNAVAILABLE = { 503: "The display is not there now" };

const Channel = z.int().min(0).max(255);
const Pixels = z.int().min(1).describe("In pixels.");

/** Every display operation. They change nothing and never wait for input operations. */
export function displayOperations(_limits: Limits): readonly Operation[] {
  const common = { group: "display", readOnly: true, errors: UNAVAILABLE } as const;
  return [
    defineOperation({
      ...common,
      id: "getPixelColor",
      method: "POST",
      path: "/api/display/pixel_color",
      summary: "The colour of a pixel",
      body: z.object({ x: X, y: Y, display_num: DisplayNumber }),
      answer: {
        status: 200,
        description: "Red, green and blue, each 0 to 255",
        schema: z.array(Channel).length(3),
      },
      run: getPixelColor,
    }),
    defineOperation({
      ...common,
      id: "takeScreenshot",
      method: "GET",
      path: "/api/display/screenshot",
      summary: "A picture of the display or of a region",
      query: z.object({
        x: z.int().min(0).default(0).describe("Left edge of the region, in pixels."),
        y: z.int().min(0).default(0).describe("Top edge of the region, in pixels."),
        width: z.int().min(1).optional()
          .describe(
            "Width of the region, in pixels; without it the region ends at the right edge.",
          ),
        height: z.int().min(1).optional()
          .describe("Height of the region, in pixels; without it the region ends at the bottom."),
        format: z.enum(["png"]).default("png").describe("Format of the picture."),
        display_num: DisplayNumber,
      }),
      answer: { status: 200, description: "The picture", mediaType: "image/png" },
      run: takeScreenshot,
    }),
    defineOperation({
      ...common,
      id: "getScreenSize",
      method: "GET",
      path: "/api/display/screen_size",
      summary: "The size of a display",
      query: z.object({ display_num: DisplayNumber }),
      answer: {
        status: 200,
        description: "Width and height",
        schema: z.object({ width: Pixels, height: Pixels }),
      },
      run: getScreenSize,
    }),
    defineOperation({
      ...common,
      id: "listDisplays",
      method: "GET",
      path: "/api/display/list",
      summary: "The displays that can be reached",
      answer: {
        status: 200,
        description: "One entry for each display",
        schema: z.array(z.object({
          display_num: z.int().min(0),
          name: z.string().describe("The system's name of it, for example `:1`."),
          width: Pixels,
          height: Pixels,
          scale: z.number().gt(0).describe("Pixels of a picture per unit of the coordinates."),
          primary: z.boolean(),
        })),
      },
      run: listDisplays,
    }),
  ];
}
