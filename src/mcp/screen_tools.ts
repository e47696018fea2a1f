/** The screen as models are trained to use it, `screenshot`, `zoom` and `wait`, and its elements. */

import { z } from "zod";
import type { Limits } from "../config/limits.ts";
import { pause } from "../core/deadline.ts";
import {
  type ActAnswer,
  ActFields,
  type FindAnswer,
  type MatchedElement,
  RefField,
  type SnapshotAnswer,
} from "../features/accessibility/fields.ts";
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

// The elements that programs show: read them, find them, act on them.

const Window = z.string().min(1).max(100).default("focused").describe(
  "`focused`, `all`, or the id of a window from a snapshot.",
);

export function elementTools(): readonly Operation[] {
  return [
    defineOperation({
      ...toolBase("read_elements", "accessibility"),
      readOnly: true,
      long: true,
      summary: "The elements of a window as text",
      description:
        'Buttons, fields, menus and texts, one line each: `- button "Save" [ref=e12]`. Tools accept the ref in place of coordinates, which never misses. Programs that report no elements have no lines: use a screenshot.',
      body: z.object({ window: Window, ref: RefField.optional(), display_num: Display }),
      answer: json("The lines of the elements.", z.string()),
      async run(context, input) {
        const snapshot = await callOperation(context, "accessibility.snapshot", input);
        const { text = "", silent } = snapshot as z.output<typeof SnapshotAnswer>;
        const missing = silent.map((name) => `(${name} does not respond)\n`).join("");
        return text === "" && missing === "" ? "No program reports its elements." : text + missing;
      },
    }),
    defineOperation({
      ...toolBase("find_elements", "accessibility"),
      readOnly: true,
      long: true,
      summary: "Find elements by role, name or text",
      description: "At most 20, with their refs; includes those that are scrolled out of view.",
      body: z.object({
        role: z.string().min(1).max(64).optional().describe("`button`, `textbox`, `link`, ..."),
        name: z.string().min(1).max(1_000).optional().describe("A part of the label."),
        text: z.string().min(1).max(1_000).optional().describe("A part of any text."),
        window: Window,
        display_num: Display,
      }),
      answer: json("The lines of the elements.", z.string()),
      async run(context, input) {
        const found = await callOperation(context, "accessibility.find", input);
        const { elements, total } = found as z.output<typeof FindAnswer>;
        if (total === 0) return "Nothing matches.";
        const more = total > elements.length ? `\n(${total - elements.length} more)` : "";
        return elements.map(formatMatch).join("\n") + more;
      },
    }),
    defineOperation({
      ...toolBase("act_on_element", "accessibility"),
      readOnly: false,
      long: true,
      summary: "Act on an element, and read back the effect",
      description:
        "`confirmed` means that the effect was observed; after `unverified`, check before you repeat it.",
      body: z.object({
        action: ActFields.action,
        ref: ActFields.ref,
        value: ActFields.value,
        menu_path: ActFields.menu_path,
        display_num: Display,
      }),
      answer: json("The result.", z.string()),
      async run(context, input) {
        const acted = await callOperation(context, "accessibility.act", input);
        const { result, reason } = acted as ActAnswer;
        return `${result}: ${reason}`;
      },
    }),
  ];
}

function formatMatch(
  { ref, role, name, value, states, within }: z.output<typeof MatchedElement>,
): string {
  const inBrackets = states.map((state) => ` [${state}]`).join("");
  const held = value === undefined ? "" : `: ${JSON.stringify(value)}`;
  const container = within === undefined ? "" : ` in ${within}`;
  return `- ${role} ${JSON.stringify(name)} [ref=${ref}]${inBrackets}${held}${container}`;
}
