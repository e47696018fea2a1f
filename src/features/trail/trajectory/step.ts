/** A trajectory as data: its steps, with all that is needed to do them again elsewhere. */

import type { Point, Region, Size } from "../../../core/geometry.ts";
import type { Locator } from "../locator.ts";

/** Where a step acted. */
export interface TrailTarget {
  /** How the element is found again; absent where none is known there. */
  readonly locator?: Locator;
  /** In pixels of the display, whatever picture the request named. */
  readonly point?: Point;
  /** The point within the bounds of the element, from 0 to 1. */
  readonly at?: Point;
  /** The window that it is in, or that the operation names. */
  readonly window?: TrailWindow;
}

export interface TrailWindow {
  readonly app: string | null;
  readonly title: string;
  readonly bounds?: Region;
}

export interface TrailStep {
  /** 1, 2, ... without gaps. */
  readonly number: number;
  readonly request_id?: string;
  readonly actor: string;
  /** `mouse.left-click` */
  readonly operation: string;
  /** The checked fields with their defaults; a text that is not kept is `{"text_length": 12}` in its place. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The paths of what is not kept: `text`, `value.0`. */
  readonly omitted: readonly string[];
  /** In ISO 8601, in UTC, with milliseconds. */
  readonly started_at: string;
  readonly duration_ms: number;
  /** From the end of the step before, or the start of the trajectory. */
  readonly pause_ms: number;
  /** `done`, `cancelled` when its caller has left, or the code of its error; `running` until then. */
  readonly outcome: string;
  readonly surface: "desktop" | "page" | "none";
  readonly display_num?: number;
  /** By the name of the field; `point` for `x` and `y`, `focus` for what has the keyboard. */
  readonly targets: Readonly<Record<string, TrailTarget>>;
  readonly effect?: StepEffect;
  /** Files of the export. */
  readonly pictures: { readonly before?: string; readonly after?: string };
  readonly trees: { readonly before?: string; readonly after?: string };
}

export interface StepEffect {
  readonly effect: string;
  readonly by?: string;
  readonly reason?: string;
  readonly window?: string;
}

export const ENDINGS = ["stop", "steps", "time", "service_ended"] as const;

/** About the whole. */
export interface TrailInfo {
  readonly format: 1;
  readonly id: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly ended_by: typeof ENDINGS[number] | null;
  readonly display_num: number;
  readonly size?: Size;
  /** Whether typed texts are kept. */
  readonly texts: boolean;
  readonly pictures: boolean;
  readonly trees: boolean;
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
export type KeptStep = Omit<TrailStep, "pictures" | "trees"> & {
  readonly before: Seen;
  readonly after: Seen;
};

export interface KeptTrajectory {
  readonly info: TrailInfo;
  readonly steps: readonly KeptStep[];
}
