/** Defines the operations that read pages, picture them and wait for them, as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FieldError } from "../../core/errors.ts";
import type { Region } from "../../core/geometry.ts";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import { cutText } from "../../core/texts.ts";
import { FORMATS } from "../../imaging/image_file.ts";
import { MAX_LINE_TEXT } from "../../platform/element_texts.ts";
import type { PageSnapshot } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { definingWith, json, type Operation } from "../operation.ts";
import { cutMargin, redactCut, redactText, redactTexts } from "../secrets/redact_texts.ts";
import {
  FindAnswer,
  ON_PAGES,
  OptionalTab,
  Ref,
  SnapshotAnswer,
  Tab,
  TimeoutMs,
} from "./fields.ts";
import { inBrowser, redactTab } from "./in_browser.ts";
import { findPageElement, PageTarget } from "./page_target.ts";
import { Refs } from "../input/targets/refs.ts";

const READ_TIMEOUT_MS = 20_000;
const MAX_EDGE = 16_384;
const Edge = z.number().gt(0).max(MAX_EDGE).optional();
const At = z.number().min(0).max(MAX_EDGE).optional();
const MAX_TEXT = 10_000;
const Text = z.string().min(1).max(MAX_TEXT).optional();
const MAX_CHARACTERS = 500_000;

export function pageOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ ...ON_PAGES, readOnly: true });
  return [
    define({
      id: "snapshotPage",
      long: true,
      path: "/api/browser/snapshot",
      summary: "Read a page as text with refs",
      description:
        "Reads the accessibility tree of the page with all its frames. Every element has a ref, which mouse, keyboard and browser operations accept in place of coordinates. " +
        "A ref names one element of one document: if that is gone, or has become another one, the answer is 409.",
      body: snapshotBody(limits),
      answer: json("The page as text.", SnapshotAnswer),
      run: snapshotPage,
    }),
    define({
      id: "findOnPage",
      long: true,
      path: "/api/browser/find",
      summary: "Find elements of a page",
      description:
        "Finds at most 20 elements by the words of their name (of what only reacts to clicks or keys, the texts inside), value and role, the best ones first. If no element has all words, those with some of them are returned.",
      body: findBody(limits),
      answer: json("The elements that were found.", FindAnswer),
      run: findOnPage,
    }),
    define({
      id: "getPageText",
      path: "/api/browser/text",
      summary: "Get the text of a page",
      description: "The visible text of the page, then that of its frames.",
      body: z.object({
        max_characters: z.int().min(1).max(MAX_CHARACTERS).default(100_000).describe(
          "The maximum number of characters of the text.",
        ),
        tab_id: OptionalTab,
      }),
      answer: json(
        "The text of the page.",
        z.object({
          tab: Tab,
          text: z.string(),
          truncated: z.boolean().describe("If true, the page has more text."),
        }),
      ),
      run: async (context, { tab_id, max_characters }) => {
        const maxCharacters = max_characters + await cutMargin(context);
        const read = await inBrowser(context, "text", { tab: tab_id, maxCharacters });
        const text = await (read.truncated ? redactCut : redactText)(context, read.text);
        return {
          tab: await redactTab(context, read.tab),
          text: text.slice(0, max_characters).toWellFormed(),
          truncated: read.truncated || text.length > max_characters,
        };
      },
    }),
    define({
      id: "screenshotPage",
      long: true,
      path: "/api/browser/screenshot",
      summary: "Take a picture of a page",
      description:
        "Takes a picture of the viewport of the tab, which becomes the active one; `x`, `y`, `width` and `height` select a region, in pixels of the viewport.",
      body: ScreenshotBody,
      answer: {
        status: 200,
        description: "A picture of the page.",
        mediaTypes: ["image/png", "image/jpeg", "image/webp"],
        headers: {
          "X-Viewport": "The size of the viewport in its own pixels, for example `1050x637`.",
        },
      },
      run: screenshotPage,
    }),
    define({
      readOnly: false,
      id: "waitForPage",
      long: true,
      path: "/api/browser/wait",
      summary: "Wait for a page",
      description:
        "Waits until all given conditions are true at the same time. While a page is too busy to answer, only its address is known. For `ref_gone` the tab becomes the active one, and the element is scrolled into view.",
      body: waitBody(limits),
      answer: json(
        "The result of the wait.",
        z.object({
          status: z.enum(["met", "timeout"]),
          elapsed_ms: z.int().describe("The time that has passed, in milliseconds."),
        }),
      ),
      run: waitForPage,
    }),
  ];
}

// Snapshots of pages and what is found in them, as text with refs.

export function snapshotBody(limits: Limits) {
  return z.object({
    filter: z.enum(["all", "visible", "interactive"]).default("all").describe(
      "`all` is the full page, `visible` what is in the viewport, `interactive` what can be clicked or filled in the viewport.",
    ),
    ref: Ref.optional().describe("The element to read, with its full value; by default the page."),
    max_depth: z.int().min(1).max(10_000).default(100).describe(
      "The maximum number of levels below the page.",
    ),
    max_characters: z.int().min(100).max(MAX_CHARACTERS).default(50_000).describe(
      "The maximum number of characters of the text.",
    ),
    ...readingFields(limits),
  });
}

function findBody(limits: Limits) {
  return z.object({
    query: z.string().min(1).max(1_000).describe(
      'Words of the element, ignoring case, such as "search button".',
    ),
    role: z.string().min(1).max(64).optional().describe("Only this role, such as `button`."),
    ...readingFields(limits),
  });
}

function readingFields(limits: Limits) {
  const timeout_ms = TimeoutMs(limits, READ_TIMEOUT_MS, "The maximum time to read the page");
  return { tab_id: OptionalTab, timeout_ms };
}

/** Elements of one snapshot. */
const MAX_ELEMENTS = 10_000;
const MAX_FOUND = 20;
export async function snapshotPage(
  context: Context,
  input: z.output<ReturnType<typeof snapshotBody>>,
) {
  const read = await inBrowser(context, "snapshot", {
    tab: input.tab_id,
    filter: input.filter,
    maxDepth: input.max_depth,
    maxElements: MAX_ELEMENTS,
    maxCharacters: input.max_characters,
    margin: await cutMargin(context),
    root: input.ref === undefined ? undefined : findPageElement(context, input.ref),
    timeMs: input.timeout_ms,
  });
  const { refs: _, names: __, ...answer } = await answerSnapshot(context, read);
  const value = read.value === undefined ? undefined : await redactText(context, read.value);
  return { ...answer, ...(value !== undefined && { value }) };
}

async function findOnPage(
  context: Context,
  { tab_id, query, role, timeout_ms }: z.output<ReturnType<typeof findBody>>,
) {
  const margin = await cutMargin(context);
  const input = { tab: tab_id, query, role, max: MAX_FOUND, margin, timeMs: timeout_ms };
  const found = await inBrowser(context, "find", input);
  const { refs, names, ...answer } = await answerSnapshot(context, found);
  const matches = found.lines.flatMap(({ role, states }, index) => {
    const ref = refs[index];
    if (ref === undefined) return [];
    const multiline = states.includes("multiline");
    return [{ ref, role, name: names[index]!, ...(multiline && { multiline }) }];
  });
  return { ...answer, matches };
}

function quoteIfAny(text: string): readonly string[] {
  return text === "" ? [] : [JSON.stringify(text)];
}

/** Gives every element its ref. */
async function answerSnapshot(context: Context, { tab, lines, truncated }: PageSnapshot) {
  const refs = context.session.use(Refs);
  const { redacted } = await redactTexts(
    context,
    lines.flatMap(({ name, value }) => [name, value]),
  );
  const shown = redacted.map((text) => cutText(text, MAX_LINE_TEXT));
  const names = lines.map((_, index) => shown[2 * index]!);
  const given: (string | undefined)[] = [];
  const texts: string[] = [];
  const yielder = new EventLoopYielder();
  for (const [index, { level, role, states, element }] of lines.entries()) {
    const [name, value] = [names[index]!, shown[2 * index + 1]!];
    const head = [element === undefined ? "text:" : role, ...quoteIfAny(name)].join(" ");
    const ref = element && refs.add(new PageTarget(context, element, head));
    const marks = [...ref === undefined ? [] : [`ref=${ref}`], ...states];
    const tail = [marks.map((mark) => ` [${mark}]`).join(""), ...quoteIfAny(value)].join(": ");
    given.push(ref);
    texts.push(`${"  ".repeat(level)}- ${head}${tail}`);
    await yielder.yieldIfDue();
  }
  const elements = lines.filter(({ element }) => element).length;
  return {
    tab: await redactTab(context, tab),
    text: texts.join("\n"),
    elements,
    truncated,
    refs: given,
    names,
  };
}

// Waits for what a page shows.

function waitBody(limits: Limits) {
  return z.object({
    text: Text.describe(
      "A text that is visible in the page, within its first 4,000,000 characters.",
    ),
    text_gone: Text.describe(
      "A text that is not visible in the page; refused if the page has more than 4,000,000 characters.",
    ),
    url: Text.describe("A part of its address."),
    ref_gone: Ref.optional().describe("An element that is gone, hidden or covered."),
    loaded: z.boolean().optional().describe("If true, the page has loaded."),
    tab_id: OptionalTab,
    timeout_ms: TimeoutMs(limits, 10_000, "The maximum time to wait"),
  });
}

async function waitForPage(context: Context, input: z.output<ReturnType<typeof waitBody>>) {
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

const ScreenshotBody = z.object({
  x: At.describe("The left edge of a region."),
  y: At.describe("The top edge of a region."),
  width: Edge.describe("The width of a region."),
  height: Edge.describe("The height of a region."),
  full_page: z.boolean().default(false).describe("If true, the picture shows the full page."),
  format: z.enum(FORMATS).default("png"),
  quality: z.int().min(1).max(100).default(80).describe("The quality of JPEG and WebP."),
  tab_id: OptionalTab,
});

type ScreenshotInput = z.output<typeof ScreenshotBody>;

async function screenshotPage(context: Context, input: ScreenshotInput) {
  const { full_page: fullPage, format, quality, tab_id: tab } = input;
  const region = readRegion(input);
  if (region && fullPage) throw new FieldError("full_page", "Give either a region or full_page");
  const request = { tab, format, quality, region, fullPage };
  const { bytes, viewport } = await inBrowser(context, "screenshot", request);
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
