/** The schemas of what can be waited for. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import type { Group } from "../../core/groups.ts";
import { findFields } from "../accessibility/fields.ts";
import { Confidence, ImagePath } from "../display/fields.ts";
import { X, Y } from "../fields.ts";
import { WindowEntry } from "../window/window_answer.ts";
import { PathField } from "../filesystem/paths.ts";

const Channel = z.int().min(0).max(255);

const Pixel = z.object({
  pixel: z.object({
    x: X,
    y: Y,
    rgb: z.array(Channel).length(3).describe("Red, green and blue, each from 0 to 255."),
    tolerance: z.int().min(0).max(255).default(0)
      .describe("The maximum difference in each of the three channels."),
  }),
});

const Image = z.object({ image: ImagePath, confidence: Confidence });

const FilePath = PathField("path of the file or folder");
const Contained = z.string().min(1).max(1_000).optional();

const File = z.object({
  file: z.object({
    path: FilePath,
    state: z.enum(["exists", "gone"]).default("exists").describe(
      "With `exists`, waits until the path exists, with `gone` until it does not. States shorter than 25 ms may be missed.",
    ),
    contains: Contained.describe(
      "With `exists`, waits until the file also contains this text, as UTF-8; with `gone`, until the file does not contain it, or does not exist. Files up to 64 MiB are searched.",
    ),
  }),
});

const GoneFile = z.object({
  file: z.object({
    path: FilePath,
    contains: Contained.describe("Waits until the file does not contain this text."),
  }),
});

const Process = z.object({
  process: z.union([
    z.object({
      pid: z.int().min(1).max(4_294_967_295).describe(
        "Waits until the process that has this id when the wait begins has ended; it can belong to any user. A later process with the same id is ignored.",
      ),
    }),
    z.object({
      name: z.string().min(1).max(255).describe(
        "The file name of a program, such as `mousepad`, on Windows with or without `.exe`: waits until a process of it is running, of any user; with `gone`, until none is. Processes that run for less than 100 ms may be missed. On Linux a program that has renamed itself has both names, and a script has its own name; elsewhere it has that of its interpreter.",
      ),
    }),
  ]),
});

function elementCondition(limits: Limits) {
  const { role, name, text, states, exact, ref } = findFields(limits);
  return z.object({
    element: z.object({
      role,
      name,
      text,
      states,
      exact,
      window: z.string().min(1).max(100).default("all").describe(
        "The window to search: `all`, `focused`, or the id of a window.",
      ),
      ref: ref.describe(
        "The ref of an element: waits for that element, for example until it has a state.",
      ),
    }).refine(
      (fields) => names(fields, ["role", "name", "text", "states", "ref"]),
      "Give at least one of role, name, text, states and ref",
    ),
  });
}

const WindowCondition = z.object({
  window: z.object({
    title: z.string().max(1_000).optional().describe(
      "A part of the title, ignoring case; with `exact` the full title in the same case.",
    ),
    app: z.string().min(1).max(200).optional().describe(
      "A part of the name of the program, ignoring case; with `exact` the full name in the same case.",
    ),
    id: WindowEntry.shape.id.min(1).max(100).optional(),
    pid: z.int().min(1).max(4_294_967_295).optional().describe("The process of its program."),
    states: z.array(WindowEntry.shape.states.element).min(1).max(8).optional().describe(
      "States that the window must have, all of them: `active`, for example.",
    ),
    exact: z.boolean().default(false).describe(
      "If true, `title` and `app` must match in full, in the same case.",
    ),
  }).refine(
    (fields) => names(fields, ["title", "app", "id", "pid", "states"]),
    "Give at least one of title, app, id, pid and states",
  ),
});

const Text = z.object({
  text: z.string().min(1).max(1_000).describe(
    "A part of the name, value or description of any visible element, ignoring case.",
  ),
});

/** The schema of what can hold, and of what can be gone. */
export function untilField(limits: Limits) {
  const [Element, Gone] = [elementCondition(limits), [Pixel, Image, GoneFile, Process] as const];
  return z.union([
    z.enum(["change", "stable"]),
    ...[Pixel, Image, File, Process, Element, Text, WindowCondition] as const,
    z.object({
      gone: z.union([...Gone, Element, Text, WindowCondition]).describe(
        "Waits until this is false.",
      ),
    }),
  ]);
}

export type Until = z.output<ReturnType<typeof untilField>>;
type Gone = Extract<Until, { gone: unknown }>;
export type Condition = Exclude<Until, Gone> | Gone["gone"];
export type ElementCondition = z.output<ReturnType<typeof elementCondition>>["element"];
export type ProcessCondition = z.output<typeof Process>["process"];
export type WindowCondition = z.output<typeof WindowCondition>["window"];

function names(fields: Readonly<Record<string, unknown>>, some: readonly string[]): boolean {
  return some.some((name) => fields[name] !== undefined);
}

/** The groups whose operations would tell the same. */
export function groupsOf(until: Until): readonly Group[] {
  const condition: Condition = typeof until === "object" && "gone" in until ? until.gone : until;
  if (typeof condition === "string") return [];
  if ("file" in condition || "image" in condition) return ["filesystem"];
  if ("element" in condition || "text" in condition) return ["accessibility"];
  return "window" in condition ? ["window"] : [];
}
