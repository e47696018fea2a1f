/** Defines the operations that picture a page and wait for it as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FieldError } from "../../core/errors.ts";
import type { Region } from "../../core/geometry.ts";
import { FORMATS } from "../../imaging/encode.ts";
import type { Context } from "../context.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { json } from "../outcomes.ts";
import { BROWSER_ERRORS, OptionalTab, Ref, TimeoutMs } from "./fields.ts";
import { inBrowser } from "./in_browser.ts";
import { findPageElement } from "./use_browser.ts";

const MAX_EDGE = 16_384;
const Edge = z.number().gt(0).max(MAX_EDGE).optional();
const At = z.number().min(0).max(MAX_EDGE).optional();
const MAX_TEXT = 10_000;
const Text = z.string().min(1).max(MAX_TEXT).optional();

export function pictureOperations(limits: Limits): readonly Operation[] {
  const common = { group: "browser", readOnly: true } as const;
  return [
    defineOperation({
      ...common,
      method: "POST",
      id: "screenshotPage",
      long: true,
      path: "/api/browser/screenshot",
      summary: "Take a picture of a page",
      description:
        "Takes a picture of the viewport of the tab, which becomes the active one; `x`, `y`, `width` and `height` select a region, in pixels of the viewport.",
      body: z.object({
        x: At.describe("The left edge of a region."),
        y: At.describe("The top edge of a region."),
        width: Edge.describe("The width of a region."),
        height: Edge.describe("The height of a region."),
        full_page: z.boolean().default(false).describe("If true, the picture shows the full page."),
        format: z.enum(FORMATS).default("png"),
        quality: z.int().min(1).max(100).default(80).describe("The quality of JPEG and WebP."),
        tab_id: OptionalTab,
      }),
      answer: {
        status: 200,
        description: "A picture of the page.",
        mediaTypes: ["image/png", "image/jpeg", "image/webp"],
        headers: {
          "X-Viewport": "The size of the viewport in its own pixels, for example `1050x637`.",
        },
      },
      errors: BROWSER_ERRORS,
      run: screenshotPage,
    }),
    defineOperation({
      ...common,
      method: "POST",
      readOnly: false,
      id: "waitForPage",
      long: true,
      path: "/api/browser/wait",
      summary: "Wait for a page",
      description:
        "Waits until all given conditions are true at the same time. For `ref_gone` the tab becomes the active one, and the element is scrolled into view.",
      body: z.object({
        text: Text.describe("A text that is visible in the page."),
        text_gone: Text.describe("A text that is not visible in the page."),
        url: Text.describe("A part of its address."),
        ref_gone: Ref.optional().describe("An element that is gone, hidden or covered."),
        loaded: z.boolean().optional().describe("If true, the page has loaded."),
        tab_id: OptionalTab,
        timeout_ms: TimeoutMs(limits, 10_000, "The maximum time to wait"),
      }),
      answer: json(
        "The result of the wait.",
        z.object({
          status: z.enum(["met", "timeout"]),
          elapsed_ms: z.int().describe("The time that has passed, in milliseconds."),
        }),
      ),
      errors: BROWSER_ERRORS,
      run: waitForPage,
    }),
  ];
}

// Waits for what a page shows.

interface WaitInput {
  readonly text?: string | undefined;
  readonly text_gone?: string | undefined;
  readonly url?: string | undefined;
  readonly ref_gone?: string | undefined;
  readonly loaded?: boolean | undefined;
  readonly tab_id?: string | undefined;
  readonly timeout_ms: number;
}

async function waitForPage(context: Context, input: WaitInput) {
  const { text, text_gone: textGone, url, ref_gone: refGone, loaded } = input;
  if ([text, textGone, url, refGone].every((each) => each === undefined) && !loaded) {
    throw new FieldError("text", "Give text, text_gone, url, ref_gone or loaded");
  }
  const gone = refGone === undefined ? undefined : findPageElement(context, refGone, "ref_gone");
  const { met, elapsedMs } = await inBrowser(context, "wait", {
    tab: input.tab_id,
    timeMs: input.timeout_ms,
    text,
    textGone,
    url,
    gone,
    loaded,
  });
  return { status: met ? "met" as const : "timeout" as const, elapsed_ms: elapsedMs };
}

// Takes pictures of pages.

interface ScreenshotInput extends Partial<{ readonly [N in keyof Region]: number | undefined }> {
  readonly full_page: boolean;
  readonly format: "png" | "jpeg" | "webp";
  readonly quality: number;
  readonly tab_id?: string | undefined;
}

async function screenshotPage(context: Context, input: ScreenshotInput) {
  const { full_page: fullPage, format, quality, tab_id: tab } = input;
  const region = readRegion(input);
  if (region && fullPage) throw new FieldError("full_page", "Give either a region or full_page");
  const asked = { tab, format, quality, region, fullPage };
  const { bytes, viewport } = await inBrowser(context, "screenshot", asked);
  return {
    mediaType: `image/${format}` as const,
    bytes,
    headers: { "X-Viewport": `${viewport.width}x${viewport.height}` },
  };
}

function readRegion({ x, y, width, height }: ScreenshotInput): Region | undefined {
  const given = { x, y, width, height };
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) throw new FieldError(name, "A region has x, y, width and height");
  }
  return given as Region;
}
