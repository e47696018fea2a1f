/** The schemas of what can be waited for. */

import { z } from "zod";
import { Confidence, ImagePath } from "../display/fields.ts";
import { X, Y } from "../fields.ts";
import { PathField } from "../filesystem/path.ts";

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
      "With `exists` it waits until something has this path, with `gone` until nothing has. What is so for less than 25 ms can be missed.",
    ),
    contains: Contained.describe(
      "With `exists` it waits until the file also holds this text, as UTF-8; with `gone` until the file holds it no longer, or is gone itself. Files up to 64 MiB are searched.",
    ),
  }),
});

const GoneFile = z.object({
  file: z.object({
    path: FilePath,
    contains: Contained.describe("It waits until the file does not hold this text."),
  }),
});

const Process = z.object({
  process: z.object({
    pid: z.int().min(1).max(4_294_967_295).describe(
      "The process that has this id when the wait begins, of whatever user: it waits until it has ended. Another one that gets the same id later does not count.",
    ),
  }),
});

const Gone = z.object({
  gone: z.union([Pixel, Image, GoneFile, Process]).describe(
    "It waits until this does not hold, or no longer.",
  ),
});

/** What can hold, and what can be gone. */
export const Until = z.union([
  z.enum(["change", "stable"]),
  ...[Pixel, Image, File, Process, Gone] as const,
]);

export type Until = z.output<typeof Until>;
export type Condition = Exclude<Until, { gone: unknown }> | z.output<typeof Gone>["gone"];
