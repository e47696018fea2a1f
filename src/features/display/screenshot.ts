/** A picture of a display, of a region of it, or of what changed on it since another picture. */

import { ServiceError } from "../../errors.ts";
import type { Changes, ChangeState, CursorState, Display } from "../../platform/types.ts";
import { type Frame, frameOf } from "../frames.ts";
import { Binary, type Context, WithStatus } from "../operation.ts";
import { type PicturePlan, planChanges, planPicture } from "./picture_plan.ts";
import type { Format, Rendered } from "./render.ts";

export interface ScreenshotInput {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly max_width?: number | undefined;
  readonly max_height?: number | undefined;
  readonly fit?: string | undefined;
  readonly cursor: boolean;
  readonly format: Format;
  readonly quality: number;
  readonly frame?: string | undefined;
  readonly since?: string | undefined;
  readonly display_num: number;
}

/** The screen as it was before the capture, as far as it tells. */
export interface Situation {
  readonly display: Display;
  readonly changes: Changes | undefined;
  readonly state: ChangeState;
  readonly cursor: CursorState | undefined;
}

export async function takeScreenshot(context: Context, input: ScreenshotInput) {
  const { session } = context;
  const since = input.since === undefined ? undefined : session.frames.get(input.since, "since");
  const frame = input.frame === undefined
    ? undefined
    : frameOf(context, input.frame, input.display_num);
  const displayNum = (since ?? frame)?.displayNum ?? input.display_num;
  const situation = await lookAt(await context.platform.displays.open(displayNum), input);
  const plan = since ? planChanges(situation, since, input) : planPicture(situation, frame, input);
  if (plan === "unchanged") return new WithStatus(204, undefined);
  const tag = tagOf(situation, plan);
  if (context.hasCurrent(tag)) {
    return notModified(tag, session.frames.withTag(tag));
  }
  const rendered = await session.pictures.run("render", situation.display, plan);
  const taken = await stillTrue(situation, tag);
  const sent = session.frames.add({
    displayNum,
    region: plan.region,
    size: rendered.size,
    window: rendered.window,
    run: situation.state.run,
    count: situation.state.count,
    cursor: situation.cursor?.box,
    tag: taken,
  });
  return new Binary(rendered.bytes, headersOf(sent, plan, rendered));
}

async function lookAt(display: Display, { cursor }: ScreenshotInput): Promise<Situation> {
  const changes = await changesOf(display);
  if (!changes) {
    const state = { run: crypto.randomUUID(), count: 0, size: display.size };
    return { display, changes, state, cursor: undefined };
  }
  const shown = cursor ? changes.cursor() : undefined;
  return { display, changes, state: await changes.look(), cursor: await shown };
}

/** Nothing for a display that does not tell: then every picture is a new one. */
async function changesOf(display: Display): Promise<Changes | undefined> {
  try {
    return await display.watch();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unsupported") return undefined;
    throw error;
  }
}

/** Everything that the bytes of the picture depend on, so that it is a strong one. */
function tagOf({ display, state, cursor }: Situation, plan: PicturePlan): string {
  const { region, size, window, format, quality, maxBytes } = plan;
  const boxes = [region, window].map(({ x, y, width, height }) => [x, y, width, height].join());
  const parts = [state.run, display.displayNum, state.count, cursor?.key ?? "", ...boxes];
  return `"${
    [
      ...parts,
      `${size.width}x${size.height}`,
      format,
      format === "png" ? "" : quality,
      maxBytes ?? "",
    ]
      .join("-")
  }"`;
}

/** A picture that was taken while the screen changed gets a tag that no other has. */
async function stillTrue({ changes, state, cursor }: Situation, tag: string): Promise<string> {
  if (!changes) return tag;
  const shown = cursor ? changes.cursor() : undefined;
  const now = await changes.look();
  if (now.count === state.count && (await shown)?.key === cursor?.key) return tag;
  return `${tag.slice(0, -1)}-${crypto.randomUUID().slice(0, 8)}"`;
}

function notModified(tag: string, frame: Frame | undefined): WithStatus {
  const headers = { etag: tag, ...(frame ? { "x-frame": frame.id } : {}) };
  return new WithStatus(304, new Binary(new Uint8Array(), headers));
}

function headersOf(frame: Frame, plan: PicturePlan, { size }: Rendered): Record<string, string> {
  const { format } = plan;
  const { x, y, width, height } = frame.window;
  return {
    "content-type": `image/${format}`,
    "content-disposition": `inline; filename="display-${frame.displayNum}.${format}"`,
    "cache-control": "private, no-cache",
    etag: frame.tag,
    "x-display": String(frame.displayNum),
    "x-frame": frame.id,
    "x-scale": String(Math.round(size.width / frame.region.width * 1e6) / 1e6),
    ...(plan.changes === undefined ? {} : {
      "x-region": [x, y, width, height].join(),
      "x-changes": JSON.stringify(plan.changes),
    }),
  };
}
