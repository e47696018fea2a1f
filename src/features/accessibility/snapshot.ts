/** Shows the elements of a window, as text, JSON or XML, and a picture with their boxes. */

import type { z } from "zod";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import { escapeXml } from "../../core/texts.ts";
import { type Box, overlap } from "../../imaging/boxes.ts";
import type { Display, Region, Size } from "../../platform/types/mod.ts";
import { type AgentPicture, answerWithPictures } from "../agents/pictures.ts";
import { type CallServices, type Context, innerContext } from "../context.ts";
import { takeScreenshot } from "../display/screenshot.ts";
import type { Streamed } from "../streamed.ts";
import {
  type Contents,
  type Entry,
  outline,
  shortenName,
  statesToReport,
  toNode,
  valueToReport,
  type Writer,
} from "./outline.ts";
import { ElementTarget } from "./element_target.ts";
import type { ElementNode, SnapshotAnswer, snapshotFields } from "./fields.ts";
import { textOf } from "./labels.ts";
import { redactElements } from "./redact_elements.ts";
import { type ReadElements, readElements } from "./use_accessibility.ts";
import { Frames } from "../input/frames.ts";
import { Refs } from "../input/targets/refs.ts";

type SnapshotInput = z.output<z.ZodObject<ReturnType<typeof snapshotFields>>>;
type Answer = z.output<typeof SnapshotAnswer>;

export async function takeSnapshot(
  context: Context,
  input: SnapshotInput,
): Promise<Answer | Streamed> {
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
  const { picture, size, scale } = await takePicture(context, { display, input, boxes });
  return answerWithPictures((base64) => ({
    ...answer,
    screenshot: {
      media_type: picture.mediaType,
      data: base64(picture),
      ...size,
      frame: picture.frame,
      scale,
      display_num: display.displayNum,
    },
    elapsed_ms: since(start),
  }));
}

/** Gives refs, by which operations find the elements again. */
export function nameEntry(
  context: CallServices,
  { display, top: known }: Pick<ReadElements, "display" | "top">,
): (entry: Pick<Entry, "element" | "top">) => string {
  return ({ element, top }) =>
    context.session.use(Refs).add(
      new ElementTarget(context, { displayNum: display.displayNum, element, top: known ?? top }),
    );
}

function describeWritten(written: Written, { tree }: ReadElements): Omit<Answer, "elapsed_ms"> {
  const { named, omitted, ...contents } = written;
  return {
    ...contents,
    count: named.length,
    truncated: [...(omitted > 0 ? ["characters"] as const : []), ...tree.truncated],
    omitted,
    silent: [...tree.unresponsive],
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
): Promise<{ readonly picture: AgentPicture; readonly size: Size; readonly scale: number }> {
  const { actor, signal } = context;
  const result = await takeScreenshot(innerContext(context, { actor, signal }), {
    max_edge: input.max_edge,
    fit: input.fit,
    enlarge: false,
    cursor: false,
    format: input.picture_format,
    quality: input.quality,
    display_num: display.displayNum,
    ...(boxes && { boxes }),
  });
  if (result.outcome !== "picture") throw new TypeError("The screenshot returned no picture");
  const { mediaType, bytes, headers } = result;
  const frame = headers["X-Frame"]!;
  const { width, height } = context.session.use(Frames).get(frame).window;
  const picture = { mediaType, bytes, frame };
  return { picture, size: { width, height }, scale: Number(headers["X-Scale"]) };
}

function since(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}

// Writes a snapshot as XML, in which every element has its coordinates.

function writeXml(): Writer {
  const lines: string[] = ["<elements>"];
  const open: { readonly tag: string; start: string; isEmpty: boolean }[] = [];
  const close = (depth: number) => {
    while (open.length > depth) {
      const { tag, start, isEmpty } = open.pop()!;
      const indent = "  ".repeat(open.length + 1);
      lines.push(isEmpty ? `${indent}${start}/>` : `${indent}</${tag}>`);
    }
  };
  return {
    add(entry, ref) {
      const tag = toTag(entry.element.role);
      const start = `<${tag}${formatAttributes(toNode(entry, ref!))}`;
      return {
        size: 2 * entry.depth + start.length + 4,
        write() {
          close(entry.depth);
          const parent = open.at(-1);
          if (parent?.isEmpty) {
            lines.push(`${"  ".repeat(open.length)}${parent.start}>`);
            parent.isEmpty = false;
          }
          open.push({ tag, start, isEmpty: true });
        },
      };
    },
    end(omitted) {
      close(0);
      if (omitted > 0) lines.push(`  <omitted count="${omitted}"/>`);
      return { xml: [...lines, "</elements>", ""].join("\n") };
    },
  };
}

function formatAttributes(node: ElementNode): string {
  const { ref, name, label, value, description, states, bounds, window } = node;
  const attributes = {
    ref,
    name,
    label,
    value,
    description,
    window,
    states: states.length === 0 ? undefined : states.join(" "),
    ...bounds,
  };
  return Object.entries(attributes)
    .map(([key, text]) =>
      text === undefined || text === "" ? "" : ` ${key}="${toXmlText(String(text))}"`
    )
    .join("");
}

/** Roles are names of XML already, but for those that a system makes up. */
function toTag(role: string): string {
  const tag = role.replace(/[^A-Za-z0-9_-]/g, "-");
  return /^[A-Za-z_]/.test(tag) ? tag : `role-${tag}`;
}

function toXmlText(text: string): string {
  // deno-lint-ignore no-control-regex -- XML 1.0 has no such characters
  return escapeXml(text).replace(/[\u0000-\u001f\ufffe\uffff]/g, "\ufffd");
}

// Writes the entries of a snapshot as text, as JSON or as XML, within a number of characters.

type SnapshotFormat = SnapshotInput["format"];

interface WriteOptions {
  readonly maxChars: number;
  /** The ref of an element, by which it can be found from now on. */
  readonly name: (entry: Entry) => string;
  readonly signal: AbortSignal;
}

interface Written extends Contents {
  /** Elements with a ref that have been written, and where they are. */
  readonly named: readonly Named[];
  /** Entries for which there was no room. */
  readonly omitted: number;
}

interface Named {
  readonly ref: string;
  readonly bounds: Region | undefined;
  readonly isWindow: boolean;
}

const WRITERS: Readonly<Record<SnapshotFormat, () => Writer>> = {
  text: writeText,
  json: writeJson,
  xml: writeXml,
};

/** Entries between two checks of the clock. */
const SLICE = 100;

async function writeSnapshot(
  entries: Iterable<Entry>,
  format: SnapshotFormat,
  { maxChars, name, signal }: WriteOptions,
): Promise<Written> {
  const writer = WRITERS[format]();
  const yielder = new EventLoopYielder();
  const named: Named[] = [];
  let [size, omitted, seen] = [0, 0, 0];
  for (const entry of entries) {
    if (++seen % SLICE === 0) {
      signal.throwIfAborted();
      await yielder.yieldIfDue();
    }
    if (omitted > 0) {
      omitted++;
      continue;
    }
    const isNamed = entry.kind === "element" || format !== "text";
    const ref = isNamed ? name(entry) : undefined;
    const line = writer.add(entry, ref);
    size += line.size;
    if (size > maxChars && seen > 1) {
      omitted++;
      continue;
    }
    line.write();
    if (ref !== undefined) {
      named.push({ ref, bounds: entry.element.bounds, isWindow: entry.element === entry.top });
    }
  }
  return { ...writer.end(omitted), named, omitted };
}

/** Characters of a name, a text or a value in a line. */
const MAX_LINE_TEXT = 80;

function writeText(): Writer {
  const lines: string[] = [];
  return {
    add(entry, ref) {
      const line = formatLine(entry, ref);
      return { size: line.length + 1, write: () => lines.push(line) };
    },
    end(omitted) {
      if (omitted > 0) {
        lines.push(`… ${omitted} more: request one part by its ref, or more characters`);
      }
      return { text: lines.map((line) => `${line}\n`).join("") };
    },
  };
}

/** `  - button "Save" [ref=e12] [disabled]` */
function formatLine(entry: Entry, ref: string | undefined): string {
  const { depth, element, kind } = entry;
  const indent = "  ".repeat(depth);
  if (kind === "text" && ref === undefined) return `${indent}- text: ${quote(textOf(element))}`;
  const name = element.name === "" ? "" : ` ${quote(element.name)}`;
  const label = element.label === undefined ? "" : ` [label=${quote(element.label)}]`;
  const window = element.window === undefined ? "" : ` [window=${element.window}]`;
  const states = statesToReport(element).map((state) => ` [${state}]`).join("");
  const value = valueToReport(element);
  const end = value === undefined ? "" : `: ${quote(value)}`;
  return `${indent}- ${element.role}${name} [ref=${ref}]${label}${window}${states}${end}`;
}

function quote(text: string): string {
  return JSON.stringify(shortenName(text, MAX_LINE_TEXT));
}

function writeJson(): Writer {
  const elements: ElementNode[] = [];
  const path: ElementNode[] = [];
  return {
    add(entry, ref) {
      const node = toNode(entry, ref!);
      return {
        size: JSON.stringify(node).length,
        write() {
          path.length = entry.depth;
          const parent = path.at(-1);
          if (parent) (parent.children ??= []).push(node);
          else elements.push(node);
          path.push(node);
        },
      };
    },
    end: () => ({ elements }),
  };
}
