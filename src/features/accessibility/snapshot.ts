/** Shows the elements of a window, as text, JSON or XML, and a picture with their boxes. */

import type { Box } from "../../imaging/boxes.ts";
import type { Format } from "../../imaging/encode.ts";
import { overlap } from "../../imaging/regions.ts";
import type { Display, Region } from "../../platform/types/mod.ts";
import type { AgentPicture } from "../agents/pictures.ts";
import { answerWithPictures } from "../agents/picture_answer.ts";
import { requireGroup } from "../switched_off.ts";
import type { Context } from "../context.ts";
import { takeScreenshot } from "../display/screenshot.ts";
import type { Streamed } from "../streamed.ts";
import type { z } from "zod";
import { ElementTarget } from "./element_target.ts";
import type { SnapshotAnswer } from "./fields.ts";
import { type Entry, outline } from "./outline.ts";
import { redactElements } from "./redact_elements.ts";
import { type ReadElements, readElements, type ReadInput } from "./use_accessibility.ts";
import { type SnapshotFormat, writeSnapshot, type Written } from "./write_snapshot.ts";

export interface SnapshotInput extends ReadInput {
  readonly format: SnapshotFormat;
  readonly max_chars: number;
  readonly screenshot: boolean;
  readonly boxes: boolean;
  readonly max_edge?: number | undefined;
  readonly fit?: string | undefined;
  readonly picture_format: Format;
  readonly quality: number;
}

type Answer = z.output<typeof SnapshotAnswer>;

/** @throws ServiceError `forbidden` for a picture where screenshots are switched off */
export async function takeSnapshot(
  context: Context,
  input: SnapshotInput,
): Promise<Answer | Streamed> {
  if (input.screenshot || input.boxes) requireGroup(context.config, "display");
  const start = performance.now();
  const read = await readElements(context, input);
  const { roots, gap } = await redactElements(context, read.tree.roots);
  const { display } = read;
  const view = { x: 0, y: 0, ...display.size };
  const entries = outline(roots, { view, hidden: input.include_hidden });
  const written = await writeSnapshot(entries, input.format, {
    maxChars: input.max_chars,
    name: nameEntry(context, read),
    signal: context.signal,
  });
  const answer = {
    ...describeWritten(written, read),
    ...(gap === undefined ? {} : { redaction_gap: gap }),
  };
  if (!input.screenshot && !input.boxes) return { ...answer, elapsed_ms: since(start) };
  const boxes = input.boxes ? boxesOf(written, view) : undefined;
  const { picture, scale } = await takePicture(context, { display, input, boxes });
  return answerWithPictures((base64) => ({
    ...answer,
    screenshot: {
      media_type: picture.mediaType,
      data: base64(picture),
      ...picture.size,
      ...{ frame: picture.frame, scale, display_num: display.displayNum },
    },
    elapsed_ms: since(start),
  }));
}

/** Gives refs, by which operations find the elements again. */
export function nameEntry(
  context: Pick<Context, "platform" | "config" | "session">,
  { display, top: known }: Pick<ReadElements, "display" | "top">,
): (entry: Pick<Entry, "element" | "top">) => string {
  return ({ element, top }) =>
    context.session.refs.add(
      new ElementTarget(context, {
        displayNum: display.displayNum,
        element,
        top: known ?? top,
      }),
    );
}

function describeWritten(written: Written, { tree }: ReadElements): Omit<Answer, "elapsed_ms"> {
  const { text, elements, xml, named, omitted } = written;
  return {
    ...(text === undefined ? {} : { text }),
    ...(elements === undefined ? {} : { elements: [...elements] }),
    ...(xml === undefined ? {} : { xml }),
    count: named.length,
    truncated: [...(omitted > 0 ? ["characters"] as const : []), ...tree.truncated],
    omitted,
    silent: [...tree.silent],
  };
}

/** Windows have none, because theirs would lie around all others. */
function boxesOf({ named }: Written, view: Region): Box[] {
  return named.flatMap(({ ref, bounds, isWindow }) => {
    const area = bounds && !isWindow && overlap(bounds, view);
    return area ? [{ ...area, label: ref }] : [];
  });
}

async function takePicture(
  context: Context,
  { display, input, boxes }: {
    readonly display: Display;
    readonly input: SnapshotInput;
    readonly boxes: readonly Box[] | undefined;
  },
): Promise<{ readonly picture: AgentPicture; readonly scale: number }> {
  const result = await takeScreenshot({
    ...{ platform: context.platform, config: context.config, session: context.session },
    ...{ calls: context.calls, signal: context.signal },
    hasCurrent: () => false, // an answer with elements is never known already
  }, {
    ...{ max_edge: input.max_edge, fit: input.fit, enlarge: false, cursor: false },
    ...{ format: input.picture_format, quality: input.quality, display_num: display.displayNum },
    ...(boxes && { boxes }),
  });
  if (result.outcome !== "picture") throw new TypeError("A screenshot gave no picture");
  const { mediaType, bytes, headers } = result;
  const frame = headers["X-Frame"]!;
  const { width, height } = context.session.frames.get(frame).window;
  const picture = { mediaType, bytes, size: { width, height }, frame };
  return { picture, scale: Number(headers["X-Scale"]) };
}

function since(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}
