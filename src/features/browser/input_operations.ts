/** Defines the operations that fill fields of pages, and those of mouse and keyboard inside pages, as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { within } from "../../core/deadline.ts";
import { FieldError, ServiceError } from "../../core/errors.ts";
import type { Filled, PointerTarget } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { lowerLetter, splitCombination } from "../../platform/keys.ts";
import { translating } from "../filesystem/file_errors.ts";
import { PathField, resolvePath } from "../filesystem/paths.ts";
import type { PositionFields } from "../input/targets/refs.ts";
import { definingWith, json, noContent, type Operation } from "../operation.ts";
import {
  BROWSER_ERRORS,
  ON_PAGES,
  OptionalTab,
  PAGE_POSITION_SCHEMA,
  PageRef,
  PageX,
  PageY,
  RequiredPageRef,
} from "./fields.ts";
import { inBrowser } from "./in_browser.ts";
import { findPageElement } from "./page_target.ts";

const Modifiers = z.array(z.string().min(1).max(64)).max(8).default([]).describe(
  "Keys to hold down during the action: `ctrl`, `shift`, `alt`, `meta`.",
);
const At = { ref: PageRef, x: PageX, y: PageY };
const Button = z.enum(["left", "middle", "right", "back", "forward"]).default("left");
const Pixel = z.number().min(0).max(100_000);
const Notches = z.int().min(-1_000).max(1_000).default(0);
const MAX_PATH = 1_000;
const MAX_VALUE = 1_000_000;
const Text = z.string().max(MAX_VALUE);

const FilledField = z.object({
  result: z.enum(["confirmed", "unverified"]).describe(
    "`confirmed` if the field had the requested value when it was read again.",
  ),
  reason: z.string().describe("The reason for the result."),
});

const INSIDE =
  "The input is sent inside the browser: other windows and the cursor of the display are not involved. ";

export function pageInputOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ ...ON_PAGES, readOnly: false });
  return [
    define({
      id: "fillField",
      path: "/api/browser/fill",
      summary: "Fill a field of a page",
      description:
        "Replaces the content of a text field, checks or unchecks a box, chooses options by value or label, or sets a date, a number or a color; then reads the field again. " +
        "A value that the field does not accept is 422; the message says what it accepts.",
      body: z.object({
        ref: RequiredPageRef,
        value: z.union([Text, z.number(), z.boolean(), z.array(Text).max(1_000)]).describe(
          "A text; true or false for a checkbox, a switch or a radio button; an option, or a list of them; a date as `YYYY-MM-DD`.",
        ),
      }),
      answer: json("The field was filled.", FilledField),
      run: (context, { ref, value }) =>
        inBrowser(context, "fill", { element: findPageElement(context, ref), value }),
    }),
    define({
      id: "uploadFiles",
      path: "/api/browser/upload",
      summary: "Set the files of a file field of a page",
      description:
        "Chooses existing files for a file field, as its dialog would. Needs the group `filesystem`.",
      body: z.object({
        ref: RequiredPageRef,
        paths: z.array(PathField("path of a file")).min(1).max(100).describe(
          "The paths of the files.",
        ),
      }),
      answer: json("The field was filled.", FilledField),
      errors: {
        ...BROWSER_ERRORS,
        not_found: "A file does not exist.",
        is_a_directory: "A path is a folder.",
        not_a_file: "A path leads through a loop of symbolic links.",
        not_a_directory: "A component of a path is a file.",
        permission_denied: "The service lacks the permission for a file.",
        forbidden: "The group `filesystem` is disabled.",
      },
      uses: () => ["filesystem"],
      run: uploadFiles,
    }),
    define({
      id: "clickOnPage",
      path: "/api/browser/click",
      summary: "Click an element of a page",
      description: "Scrolls the element into view and clicks its visible middle. " + INSIDE +
        "To click as a person does, give the ref to `mouse/left-click`.",
      body: z.object({
        ...At,
        button: Button,
        click_count: z.int().min(1).max(3).default(1).describe(
          "The number of clicks: 2 is a double click.",
        ),
        modifiers: Modifiers,
        tab_id: OptionalTab,
      }).meta(PAGE_POSITION_SCHEMA),
      answer: noContent("The click was delivered to the page."),
      run: (context, { tab_id: tab, button, click_count: count, modifiers, ...position }) => {
        const at = readPosition(context, position);
        return inBrowser(context, "click", { tab, at, button, count, modifiers });
      },
    }),
    define({
      id: "movePagePointer",
      path: "/api/browser/pointer",
      summary: "Move the mouse in a page, press or release a button",
      description: INSIDE + "A button stays down until it is released by the same operation.",
      body: PointerBody,
      answer: noContent("The events were delivered to the page."),
      run: movePointer,
    }),
    define({
      id: "dragOnPage",
      path: "/api/browser/drag",
      summary: "Drag in a page",
      description:
        "Presses the left button at the first point, moves through all points, and releases it.",
      body: z.object({
        path: z.array(z.object({ x: Pixel, y: Pixel })).min(2).max(MAX_PATH).describe(
          "The points, in pixels of the viewport.",
        ),
        modifiers: Modifiers,
        tab_id: OptionalTab,
      }),
      answer: noContent("The drag was delivered to the page."),
      run: (context, { tab_id: tab, path, modifiers }) =>
        inBrowser(context, "drag", { tab, path, modifiers }),
    }),
    define({
      id: "scrollPage",
      path: "/api/browser/scroll",
      summary: "Scroll a page, or an element into view",
      description:
        "Turns the wheel over an element, a point, or the middle of the page. With `ref` alone the element is only scrolled into view.",
      body: ScrollBody,
      answer: noContent("The wheel events were delivered to the page, or the element is in view."),
      run: scrollPage,
    }),
    define({
      id: "typeOnPage",
      long: true,
      path: "/api/browser/type",
      summary: "Type into a page",
      description: "The text goes to the element that has the focus, as keyboard input. " +
        INSIDE + "To set the value of a field, use `browser/fill`.",
      body: z.object({
        text: z.string().max(limits.maxTextLength),
        ref: PageRef.describe("The element that gets the focus first."),
        tab_id: OptionalTab,
      }),
      answer: noContent("The keys were delivered to the page."),
      run: (context, { tab_id: tab, ref, text }) => {
        const element = ref === undefined ? undefined : findPageElement(context, ref);
        return inBrowser(context, "type", { tab, element, text });
      },
    }),
    define({
      id: "pressPageKey",
      long: true,
      path: "/api/browser/key",
      summary: "Press a key or a combination in a page",
      description: INSIDE +
        "Shortcuts of the browser itself, such as the one for a new tab, have no effect.",
      body: z.object({
        key: z.string().min(1).max(256).describe(
          "One key (`Enter`, `a`, `PageDown`), or a combination such as `ctrl+shift+k`; the words are those of `keyboard/key`, the characters those of a US keyboard.",
        ),
        repeat: z.int().min(1).max(100).default(1).describe(
          "The number of times that it is pressed and released.",
        ),
        duration_ms: z.int().min(0).max(limits.maxDurationMs).default(0).describe(
          "The time for which it is held down each time, in milliseconds.",
        ),
        tab_id: OptionalTab,
      }),
      answer: noContent("The keys were delivered to the page."),
      run: (context, { key, repeat, duration_ms: durationMs, tab_id: tab }) => {
        const names = splitCombination(key);
        const keys = names.length > 1 ? names.map(lowerLetter) : names;
        return inBrowser(context, "keys", { tab, keys, repeat, durationMs });
      },
    }),
  ];
}

// The mouse inside pages.

const PointerBody = z.object({
  action: z.enum(["move", "down", "up"]).default("move"),
  ...At,
  button: Button,
  tab_id: OptionalTab,
}).meta(PAGE_POSITION_SCHEMA);

async function movePointer(context: Context, input: z.output<typeof PointerBody>): Promise<void> {
  const { tab_id, action, button } = input;
  const at = readPosition(context, input);
  const pointed = await inBrowser(context, "pointer", { tab: tab_id, action, at, button });
  const { tab, press } = pointed;
  if (press === undefined) return;
  const { platform, config, session, inputScope } = context; // not the context, which keeps its request
  inputScope?.noteElsewhere(async () => {
    const { signal } = new AbortController();
    const held = { tab, button, press };
    const release = inBrowser({ platform, config, session, signal }, "release", held);
    await within(release, RELEASE_TIMEOUT_MS); // a page that hangs has it later
  });
}

/** How long the end of those who hold a button waits for its release. */
const RELEASE_TIMEOUT_MS = 2_000;

const ScrollBody = z.object({
  ...At,
  clicks: Notches.describe(
    "The number of notches: positive scrolls up, negative down, as in `mouse/scroll`.",
  ),
  horizontal_clicks: Notches.describe(
    "The number of horizontal notches: positive scrolls right, negative left.",
  ),
  tab_id: OptionalTab,
});

async function scrollPage(context: Context, input: z.output<typeof ScrollBody>): Promise<void> {
  const { tab_id: tab, clicks, horizontal_clicks: right, ref, x, y } = input;
  const hasPosition = ref !== undefined || x !== undefined || y !== undefined;
  if (!hasPosition && clicks === 0 && right === 0) {
    throw new FieldError("clicks", "Give ref, clicks or horizontal_clicks");
  }
  const at = hasPosition ? readPosition(context, input) : undefined;
  await inBrowser(context, "scroll", { tab, at, right, down: clicks === 0 ? 0 : -clicks });
}

// The position on a page that an operation names: an element, or a point.

/** @throws FieldError when there is neither or both */
function readPosition(context: Context, { ref, x, y }: PositionFields): PointerTarget {
  if (ref !== undefined) {
    if (x !== undefined || y !== undefined) {
      throw new FieldError("ref", "Give either ref or x and y");
    }
    return { element: findPageElement(context, ref) };
  }
  if (x === undefined) throw new FieldError("x", "Give ref, or x and y");
  if (y === undefined) throw new FieldError("y", "If x is given, y is required, too");
  return { point: { x, y } };
}

async function uploadFiles(
  context: Context,
  { ref, paths }: { readonly ref: string; readonly paths: readonly string[] },
): Promise<Filled> {
  const element = findPageElement(context, ref);
  const found = await Promise.all(paths.map((path, index) => findFile(context, path, index)));
  return await inBrowser(context, "upload", { element, paths: found });
}

async function findFile({ config }: Context, path: string, index: number): Promise<string> {
  const field = ["paths", index] as const;
  const found = resolvePath(path, config.home, field);
  const attempt = { action: "Cannot upload", path: found, field };
  const { isDirectory } = await translating(attempt, () => Deno.stat(found));
  if (!isDirectory) return found;
  throw new ServiceError("is_a_directory", `"${found}" is a folder: give its files instead`);
}
