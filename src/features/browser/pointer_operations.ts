/** Defines the operations of the mouse inside pages as data. */

import { z } from "zod";
import { defineOperation, type Operation } from "../operation.ts";
import { noContent } from "../outcomes.ts";
import { BROWSER_ERRORS, OptionalTab, Ref } from "./fields.ts";
import { clickOnPage } from "./click_on_page.ts";

const Pixel = z.number().min(0).max(100_000);
export const PageX = Pixel.optional().describe(
  "The X coordinate, in pixels of the page from the left edge of its viewport.",
);
export const PageY = Pixel.optional().describe(
  "The Y coordinate, in pixels of the page from the top edge of its viewport.",
);
const Modifiers = z.array(z.string().min(1).max(64)).max(8).default([]).describe(
  "Keys to hold down meanwhile: `ctrl`, `shift`, `alt`, `meta`.",
);

export function pointerOperations(): readonly Operation[] {
  const common = { group: "browser", method: "POST", readOnly: false } as const;
  return [
    defineOperation({
      ...common,
      id: "clickOnPage",
      path: "/api/browser/click",
      summary: "Click an element of a page",
      description:
        "Scrolls the element into view and clicks its visible middle, inside the browser: other windows and the cursor of the display play no part. " +
        "To click as a person does, give the ref to `mouse/left-click`.",
      body: z.object({
        ref: Ref.optional().describe("The element, by its ref in a snapshot."),
        x: PageX,
        y: PageY,
        button: z.enum(["left", "middle", "right", "back", "forward"]).default("left"),
        click_count: z.int().min(1).max(3).default(1).describe(
          "The number of clicks: 2 is a double click.",
        ),
        modifiers: Modifiers,
        tab_id: OptionalTab,
      }),
      answer: noContent("The page has the click."),
      errors: BROWSER_ERRORS,
      run: clickOnPage,
    }),
  ];
}
