/** A trajectory as data: its steps, with all that is needed to do them again elsewhere. */

import { z } from "zod";
import type { Point, Size } from "../../../core/geometry.ts";
import { DisplayNumber } from "../../fields.ts";
import { describeLocator, Locator } from "../locator.ts";

const MAX_SECONDS = 86_400;
const DEFAULT_SECONDS = 3_600;

/** What is asked for of a trajectory. */
export const StartBody = z.object({
  texts: z.boolean().default(false).describe(
    "If true, typed texts are kept, as a replay needs them; if false, only their lengths, and words that were typed are `…` in names and titles.",
  ),
  pictures: z.boolean().default(true).describe("If true, pictures are taken."),
  trees: z.boolean().default(true).describe(
    "If true, the elements of windows and pages are kept, and what steps act on is described by them.",
  ),
  max_seconds: z.number().min(1).max(MAX_SECONDS).default(DEFAULT_SECONDS).describe(
    "It ends after this time, in seconds.",
  ),
  display_num: DisplayNumber,
});

export type StartInput = Readonly<z.output<typeof StartBody>>;

const PointFields = z.object({ x: z.number(), y: z.number() });

const TrailWindow = z.object({
  app: z.string().nullable(),
  title: z.string(),
  bounds: PointFields.extend({ width: z.number(), height: z.number() }).optional(),
});

/** Where a step acted. */
const TrailTarget = z.object({
  /** How the element is found again; absent where none is known there. */
  locator: Locator.optional(),
  /** In pixels of the display, whatever picture the request named. */
  point: PointFields.optional(),
  /** The point within the bounds of the element, from 0 to 1. */
  at: PointFields.optional(),
  /** The window that it is in, or that the operation names. */
  window: TrailWindow.optional(),
});

/** Files of the export. */
const FileNames = z.object({ before: z.string().optional(), after: z.string().optional() });

export const TrailStep = z.object({
  /** 1, 2, ... without gaps. */
  number: z.int().min(1),
  request_id: z.string().optional(),
  actor: z.string(),
  /** `mouse.left-click` */
  operation: z.string(),
  /** The checked fields with their defaults; a text that is not kept is `{"text_length": 12}` in its place. */
  fields: z.record(z.string(), z.unknown()),
  /** The paths of what is not kept: `text`, `value.0`. */
  omitted: z.array(z.string()),
  /** In ISO 8601, in UTC, with milliseconds. */
  started_at: z.string(),
  duration_ms: z.number(),
  /** From the end of the step before, or the start of the trajectory. */
  pause_ms: z.number().min(0),
  /** `done`, `cancelled` when its caller has left, or the code of its error; `running` until then. */
  outcome: z.string(),
  surface: z.enum(["desktop", "page", "none"]),
  display_num: z.int().optional(),
  /** By the name of the field; `point` for `x` and `y`, `focus` for what has the keyboard. */
  targets: z.record(z.string(), TrailTarget),
  effect: z.object({
    effect: z.string(),
    by: z.string().optional(),
    reason: z.string().optional(),
    window: z.string().optional(),
  }).optional(),
  pictures: FileNames,
  trees: FileNames,
});

export type TrailWindow = z.output<typeof TrailWindow>;
export type TrailTarget = z.output<typeof TrailTarget>;
export type TrailStep = z.output<typeof TrailStep>;

/** `button "Save" in the row "Ada"`, or `at 10, 20`; `undefined` where it is known by its window alone. */
export function describePlace({ targets }: Pick<TrailStep, "targets">): string | undefined {
  const [{ locator, point } = {}] = Object.values(targets);
  if (locator !== undefined) return describeLocator(locator);
  return point && `at ${point.x}, ${point.y}`;
}

export const ENDINGS = ["stop", "steps", "time", "service_ended"] as const;

/** About the whole. */
export interface TrailInfo extends Omit<StartInput, "max_seconds"> {
  readonly format: 1;
  readonly id: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly ended_by: typeof ENDINGS[number] | null;
  readonly size: Size;
  /** For what there was no room, or no time. */
  readonly dropped: { readonly steps: number; readonly pictures: number; readonly trees: number };
}

/** What there was to see at a moment. */
export interface Seen {
  /** A JPEG file. */
  readonly picture?: Uint8Array | undefined;
  /** The elements of a window or a page, nested, as JSON. */
  readonly tree?: string | undefined;
}

/** A step before its files have names. */
export type KeptStep = Omit<TrailStep, "pictures" | "trees"> & { before: Seen; after: Seen };

export interface KeptTrajectory {
  readonly info: TrailInfo;
  readonly steps: readonly KeptStep[];
}

// The fields of an operation by their paths, as `path.0` or `from.ref`, and which name places.

type Fields = Readonly<Record<string, unknown>>;

/** An element or a point, by the path of its `ref` or of what has its `x` and `y`; `point` is the operation itself. */
export type Place =
  | { readonly name: string; readonly ref: string; readonly point?: undefined }
  | { readonly name: string; readonly ref?: undefined; readonly point: Point };

/** All fields that name places, in lists and objects, too. */
export function findPlaces(fields: Fields, path: readonly string[] = []): readonly Place[] {
  const found: Place[] = [];
  const { x, y, ref } = fields;
  if (typeof x === "number" && typeof y === "number") {
    found.push({ name: path.join(".") || "point", point: { x, y } });
  }
  if (typeof ref === "string") found.push({ name: [...path, "ref"].join("."), ref });
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "object" || value === null || path.length > 3) continue;
    found.push(...findPlaces(value as Fields, [...path, name]));
  }
  return found;
}

/** Sets a field, if what it is in is there; `undefined` takes it away. */
export function setField(fields: object, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop()!;
  let inner: unknown = fields;
  for (const name of names) inner = isRecord(inner) && Object.hasOwn(inner, name) && inner[name];
  if (isRecord(inner)) inner[last] = value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
