/** The screen as models are trained to use it: `screenshot`, `zoom`, `wait`. */

import { z } from "zod";
import type { Limits } from "../config/limits.ts";
import { pause } from "../core/deadline.ts";
import { callOperation } from "../features/agents/actions.ts";
import { type AgentPicture, takePicture } from "../features/agents/pictures.ts";
import type { Box } from "../features/agents/coordinate_space.ts";
import { defineOperation, type FileAnswer, json, type Operation } from "../features/operation.ts";
import { computerOf, Display, RegionCorners, toolBase } from "./tool.ts";

const PICTURE = {
  status: 200,
  description: "The picture, as a file.",
  mediaTypes: ["image/png", "image/jpeg"],
} satisfies FileAnswer;

const ZOOM_FIELDS = { x: "region", y: "region", width: "region", height: "region" };

export function displayTools(limits: Limits): readonly Operation[] {
  return [
    defineOperation({
      ...toolBase("screenshot", "display"),
      readOnly: true,
      summary: "A picture of the screen",
      description: "Coordinates of the other tools are pixels of this picture.",
      body: z.object({ display_num: Display }),
      answer: PICTURE,
      run: async (context, { display_num }) =>
        fileOf(await computerOf(context, display_num).screenshot()),
    }),
    defineOperation({
      ...toolBase("zoom", "display"),
      readOnly: true,
      summary: "A part of the screen at full resolution",
      description:
        "For small text. Coordinates of the other tools remain pixels of the full screenshot.",
      body: z.object({ region: RegionCorners, display_num: Display }),
      answer: PICTURE,
      async run(context, { region: corners, display_num }) {
        const computer = computerOf(context, display_num, ZOOM_FIELDS);
        const box = corners as unknown as Box;
        const region = (await computer.coordinates()).areaOnScreen(box, "region");
        return fileOf(await takePicture(computer, { ...computer.options, region }));
      },
    }),
    defineOperation({
      ...toolBase("wait", "display"),
      readOnly: true,
      long: true,
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
        const waited = await callOperation(context, "display.wait", input);
        const { status, elapsed_ms } = waited as { status: string; elapsed_ms: number };
        return `${OUTCOMES[status] ?? status} (${elapsed_ms} ms).`;
      },
    }),
  ];
}

const OUTCOMES: Readonly<Record<string, string>> = {
  changed: "The screen has changed",
  stable: "The screen is stable",
  timeout: "The time is up",
};

function fileOf({ mediaType, bytes }: AgentPicture) {
  return { mediaType: mediaType as "image/png" | "image/jpeg", bytes };
}
