/** The screen as models are trained to use it: `screenshot`, `zoom`, `wait`. */

import { z } from "zod";
import type { Limits } from "../config/limits.ts";
import { pause } from "../core/deadline.ts";
import type { CallResult, Calls } from "../features/call/calls.ts";
import type { Context } from "../features/context.ts";
import { defineOperation, type Operation } from "../features/operation.ts";
import { type FileAnswer, json } from "../features/outcomes.ts";
import {
  callInside,
  Display,
  findPictureSpace,
  FIT,
  INSIDE_ERRORS,
  RegionCorners,
  valueInside,
} from "./tool.ts";

/** A larger picture is sent as JPEG: clients take no result of more than a megabyte in base64. */
const MAX_PNG_BYTES = 700_000;

const PICTURE = {
  status: 200,
  description: "The picture, as a file.",
  mediaTypes: ["image/png", "image/jpeg"],
} satisfies FileAnswer;

const common = {
  group: "display",
  method: "POST",
  readOnly: true,
  errors: INSIDE_ERRORS,
} as const;

export function displayTools(calls: Calls, limits: Limits): readonly Operation[] {
  return [
    defineOperation({
      ...common,
      id: "screenshot",
      path: "/mcp/screenshot",
      summary: "A picture of the screen",
      description: "Coordinates of the other tools are pixels of this picture.",
      body: z.object({ display_num: Display }),
      answer: PICTURE,
      run: (context, { display_num }) =>
        takePicture(calls, context, { fit: FIT, cursor: true, display_num }),
    }),
    defineOperation({
      ...common,
      id: "zoom",
      path: "/mcp/zoom",
      summary: "A part of the screen at full resolution",
      description:
        "For small text. Coordinates of the other tools remain pixels of the full screenshot.",
      body: z.object({ region: RegionCorners, display_num: Display }),
      answer: PICTURE,
      async run(context, { region, display_num }) {
        const space = await findPictureSpace(context, display_num);
        const corners = region as [number, number, number, number];
        const area = space.areaOnScreen(corners, "region");
        const input = { ...area, fit: FIT, cursor: true, display_num };
        return await takePicture(calls, context, input);
      },
    }),
    defineOperation({
      ...common,
      id: "wait",
      long: true,
      path: "/mcp/wait",
      summary: "Wait",
      description:
        "Waits `duration` seconds; with `until`, only until the screen changes or has become stable.",
      body: z.object({
        duration: z.number().min(0).max(limits.maxDurationMs / 1_000).default(1)
          .describe("Seconds, at most."),
        until: z.enum(["change", "stable"]).optional(),
        display_num: Display,
      }),
      answer: json("The result, and the time that it took.", z.string()),
      async run(context, { duration, until, display_num }) {
        if (until === undefined) {
          await pause(duration * 1_000, context.signal);
          return `Waited ${duration} s.`;
        }
        const input = { until, timeout_ms: Math.round(duration * 1_000), display_num };
        const call = { operation: "display.wait", input };
        const waited = await valueInside(calls, context, call) as Waited;
        return `${OUTCOMES[waited.status] ?? waited.status} (${waited.elapsed_ms} ms).`;
      },
    }),
  ];
}

interface Waited {
  readonly status: string;
  readonly elapsed_ms: number;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  changed: "The screen has changed",
  stable: "The screen is stable",
  timeout: "The time is up",
};

/** A PNG, or a JPEG where that would be too large for clients. */
async function takePicture(
  calls: Calls,
  context: Context,
  input: Readonly<Record<string, unknown>>,
): Promise<{ mediaType: "image/png" | "image/jpeg"; bytes: Uint8Array<ArrayBuffer> }> {
  const take = async (more: Readonly<Record<string, unknown>>) =>
    pictureOf(
      await callInside(calls, context, {
        operation: "display.screenshot",
        input: { ...input, ...more },
        names: { x: "region", y: "region", width: "region", height: "region" },
      }),
    );
  const bytes = await take({ format: "png" });
  if (bytes.length <= MAX_PNG_BYTES) return { mediaType: "image/png", bytes };
  return { mediaType: "image/jpeg", bytes: await take({ format: "jpeg" }) };
}

function pictureOf(result: CallResult): Uint8Array<ArrayBuffer> {
  if (result.kind !== "file") throw new TypeError("The screenshot returned no picture");
  return result.bytes;
}
