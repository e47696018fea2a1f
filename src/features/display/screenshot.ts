/**
 * Takes a picture of a display, of a region of it, or of what has changed since another picture.
 */

import { type Format, FORMATS } from "../../imaging/image_file.ts";
import { boxAround } from "../../imaging/boxes.ts";
import { fitSize, parseFit } from "../../imaging/fit.ts";
import type { CursorState, Region } from "../../platform/types/mod.ts";
import { FieldError } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import { findFrame, type Frame, Frames } from "../input/frames.ts";
import type { FileAnswer, ResultOf } from "../operation.ts";
import { isCompared, readSituation, type ScreenshotInput, type Situation } from "./fields.ts";
import type { Rendered, RenderJob } from "./render.ts";
import { openView } from "./view.ts";
import { Pictures } from "./pictures.ts";

export async function takeScreenshot(
  context: Context,
  input: ScreenshotInput,
): Promise<ScreenshotResult> {
  const { session } = context;
  const since = input.since === undefined ? undefined : findFrame(context, input.since, {
    displayNum: input.display_num,
    field: "since",
  });
  const { x = 0, y = 0, width, height } = input;
  const view = await openView(context, since ? { display_num: since.displayNum } : input, {
    x,
    y,
    width,
    height,
    within: [],
  });
  const situation = await readSituation(view.display, input);
  const plan = since
    ? planChanges(situation, since, input)
    : planPicture(view.regionOf(situation.state.size), input);
  if (plan === "unchanged") return { outcome: "unchanged" };
  const known = knownTag(situation, plan);
  if (known !== undefined && context.hasCurrent(known)) {
    return notModified(known, session.use(Frames).withTag(known));
  }
  const isSummed = situation.isPolled && situation.changes?.shows !== undefined;
  const job = { ...plan, isSummed };
  const rendered = await session.use(Pictures).run("render", situation.display, job);
  const tag = known ?? await tagFromBytes(situation, plan, rendered);
  if (known === undefined) {
    if (tag === since?.tag) return { outcome: "unchanged" };
    if (context.hasCurrent(tag)) return notModified(tag, session.use(Frames).withTag(tag));
  }
  const cursor = drawn(rendered, situation);
  const isKnownStill = known === undefined || cursor?.key === situation.cursor?.key;
  const isCounted = !isSummed || await wasCompared(situation, rendered);
  const isOwn = isKnownStill && (isCounted || known === undefined);
  const taken = isOwn ? await stillTrue(situation, tag) : unique(tag);
  const sent = session.use(Frames).add({
    displayNum: view.display.displayNum,
    screen: situation.state.size,
    serverRun: view.display.serverRun,
    region: plan.region,
    size: rendered.size,
    window: rendered.window,
    run: isCounted ? situation.state.run : crypto.randomUUID(),
    count: situation.state.count,
    cursor,
    tag: taken,
  });
  return {
    outcome: "picture",
    mediaType: `image/${plan.format}`,
    bytes: rendered.bytes,
    headers: describePicture(sent, plan, rendered),
  };
}

/** The tag that the picture will have, if it is known before the capture. */
function knownTag(situation: Situation, plan: PicturePlan): string | undefined {
  if (isCompared(situation.changes) || plan.boxes) return undefined;
  const { state, cursor } = situation;
  return makeTag([state.run, state.count, cursor?.key ?? ""], situation, plan);
}

/**
 * Between two checks the screen may change and change back unseen, so such pictures are identified
 * by their content.
 */
async function tagFromBytes(
  situation: Situation,
  plan: PicturePlan,
  { bytes }: Rendered,
): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return makeTag([hash.toHex().slice(0, 32)], situation, plan);
}

/** Covers everything that the bytes of the picture depend on, so that the tag is a strong one. */
function makeTag(
  content: readonly (string | number)[],
  { display }: Pick<Situation, "display">,
  plan: PicturePlan,
): string {
  const { region, size, window, format, quality, maxBytes } = plan;
  const boxes = [region, window].map(({ x, y, width, height }) => [x, y, width, height].join());
  const scale = `${size.width}x${size.height}`;
  const encoding = [format, format === "png" ? "" : quality, maxBytes ?? ""];
  return `"${[...content, display.displayNum, ...boxes, scale, ...encoding].join("-")}"`;
}

/**
 * The cursor as the picture shows it. A cursor that was drawn elsewhere than expected gets no key,
 * so that the next picture redraws it completely.
 */
function drawn({ cursor }: Rendered, situation: Situation): CursorState | undefined {
  if (!cursor || cursor.key === situation.cursor?.key) return cursor;
  return { ...cursor, key: "" };
}

/**
 * Whether the picture shows what was compared with others: what comes and goes between two comparisons can be in
 * it, and then no count says whether the screen still shows it.
 */
async function wasCompared({ changes }: Situation, { seen }: Rendered): Promise<boolean> {
  return seen !== undefined && await changes!.shows!(seen);
}

/** Gives a unique tag to a picture that was taken while the screen changed. */
async function stillTrue({ changes, state }: Situation, tag: string): Promise<string> {
  if (isCompared(changes)) return tag;
  const now = await changes?.poll();
  return now === undefined || now.count === state.count ? tag : unique(tag);
}

function unique(tag: string): string {
  return `${tag.slice(0, -1)}-${crypto.randomUUID().slice(0, 8)}"`;
}

function notModified(tag: string, frame: Frame | undefined): ScreenshotResult {
  return { outcome: "current", headers: { ETag: tag, ...(frame && { "X-Frame": frame.id }) } };
}

export function describePicture(frame: Frame, plan: PicturePlan, { size }: Rendered) {
  const { format } = plan;
  const { x, y, width, height } = frame.window;
  return {
    "Content-Disposition": `inline; filename="display-${frame.displayNum}.${format}"`,
    "Cache-Control": "private, no-cache",
    ETag: frame.tag,
    "X-Display": String(frame.displayNum),
    "X-Frame": frame.id,
    "X-Scale": String(Math.round(size.width / frame.region.width * 1e6) / 1e6),
    ...(plan.changes === undefined ? {} : {
      "X-Region": [x, y, width, height].join(),
      "X-Changes": JSON.stringify(plan.changes),
    }),
  };
}

// The answers to a request for a picture, as data.

export const PICTURE_HEADERS = {
  "X-Frame": "The id of the picture; operations with coordinates accept it as `frame`.",
  "X-Display": "The number of the display that the picture shows.",
  "X-Scale": "The number of picture pixels per pixel of the screen.",
  "ETag": "The entity tag; it stays the same until something changes on the display.",
  "Content-Disposition": "The file name under which a browser saves the picture.",
  "Cache-Control": "A copy may be kept, but must be revalidated before it is used.",
};

export const PICTURE_MEDIA_TYPES = FORMATS.map((format): `image/${Format}` => `image/${format}`);

const PICTURE = {
  status: 200,
  description: "The picture, as a file.",
  mediaTypes: PICTURE_MEDIA_TYPES,
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
      headers: { "ETag": PICTURE_HEADERS["ETag"], "X-Frame": PICTURE_HEADERS["X-Frame"] },
    },
  },
} as const;

type ScreenshotResult = ResultOf<typeof SCREENSHOT_ANSWER>;

// Decides what a picture shows and how large it is, before anything is captured.

interface PicturePlan extends RenderJob {
  /** The areas that changed, as `[x, y, width, height]` in pixels of the older picture. */
  readonly changes?: readonly (readonly number[])[];
}

/**
 * Plans a picture of a region of the screen.
 * @throws FieldError on `fit`.
 */
export function planPicture(region: Region, input: ScreenshotInput): PicturePlan {
  const { max_width: maxWidth, max_height: maxHeight, max_edge: maxEdge } = input;
  const fit = parseFit(input.fit);
  const size = fitSize(region, { maxWidth, maxHeight, maxEdge, fit, enlarge: input.enlarge });
  return {
    ...renderOptions(input),
    region,
    size,
    window: { x: 0, y: 0, ...size },
    maxBytes: fit?.kind === "max_bytes" ? fit.bytes : undefined,
  };
}

/**
 * Plans the smallest part of an older picture that contains everything that has changed since.
 * @throws FieldError on `since` when the screen is not the one that the older picture shows.
 */
function planChanges(
  { changes, state, cursor }: Situation,
  since: Frame,
  input: ScreenshotInput,
): PicturePlan | "unchanged" {
  checkAlone(input);
  const { region, size } = since;
  if (region.x + region.width > state.size.width || region.y + region.height > state.size.height) {
    throw new FieldError(
      "since",
      `The display has been resized since picture "${since.id}": take a full picture`,
    );
  }
  const known = since.run === state.run ? changes?.since(since.count) : undefined;
  const areas = [...known ?? [region], ...cursorAreas(since.cursor, cursor)];
  const parts = areas.flatMap((area) => coveredPart(since, area) ?? []);
  if (parts.length === 0) return "unchanged";
  return {
    ...renderOptions(input),
    region,
    size,
    window: boxAround(parts),
    maxBytes: undefined,
    changes: parts.map(({ x, y, width, height }) => [x, y, width, height]),
  };
}

function renderOptions({ format, quality, cursor, boxes }: ScreenshotInput) {
  return {
    ...{ format, quality, cursor: cursor ? "shown" : "hidden" } as const,
    ...(boxes && { boxes }),
  };
}

/**
 * Rejects other fields beside `since`: the older picture determines what is shown, and at which
 * size.
 */
function checkAlone(input: ScreenshotInput): void {
  const others = [
    "x",
    "y",
    "width",
    "height",
    "max_width",
    "max_height",
    "max_edge",
    "fit",
    "frame",
  ] as const;
  const field = others.find((name) => input[name] !== undefined);
  if (field === undefined) return;
  throw new FieldError(
    field,
    `${field} cannot be combined with since: the picture is a part of the older one`,
  );
}

/** The areas to redraw because the cursor has moved or changed: where it was and where it is. */
function cursorAreas(before: CursorState | undefined, now: CursorState | undefined): Region[] {
  if (before?.key === now?.key) return [];
  return [before, now].flatMap((cursor) => cursor?.box ?? []);
}

/** The pixels of the older picture that show any part of an area of the screen. */
function coveredPart({ region, size }: Frame, area: Region): Region | undefined {
  const left = Math.max(area.x, region.x) - region.x;
  const top = Math.max(area.y, region.y) - region.y;
  const right = Math.min(area.x + area.width, region.x + region.width) - region.x;
  const bottom = Math.min(area.y + area.height, region.y + region.height) - region.y;
  if (right <= left || bottom <= top) return undefined;
  const x = Math.floor(left * size.width / region.width);
  const y = Math.floor(top * size.height / region.height);
  const width = Math.ceil(right * size.width / region.width) - x;
  const height = Math.ceil(bottom * size.height / region.height) - y;
  return { x, y, width, height };
}
