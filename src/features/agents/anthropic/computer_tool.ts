/** Performs the calls of Anthropic's computer toolset and of its older computer tools. */

import { z } from "zod";
import { ServiceError } from "../../../core/errors.ts";
import type { Size } from "../../../core/geometry.ts";
import type { AgentComputer, ButtonName, Spot } from "../agent_computer.ts";
import { type Box, inDirection } from "../coordinate_space.ts";
import { actionOn, type ActionTable, type FieldNames, readAction, readFields } from "../actions.ts";
import { splitCombinations, splitKeys } from "../key_names.ts";
import type { Declaration, Part, ToolUse } from "./blocks.ts";

/** Our operations' fields by the names that the tools have for them. */
export const COMPUTER_FIELD_NAMES: FieldNames = {
  x: "coordinate",
  y: "coordinate",
  from: "start_coordinate",
  key: "text",
  keys: "text",
  modifiers: "text",
  clicks: "scroll_amount",
  horizontal_clicks: "scroll_amount",
  duration_ms: "duration",
};

export const COMPUTER_TOOLSET = "computer_toolset_20260801";

/** The declaration of a computer tool, as far as it decides what may be done. */
export interface ComputerTool {
  readonly kind: "toolset" | "2025-11-24" | "2025-01-24";
  readonly declaration: Declaration | undefined;
}

/**
 * What one call does, checked as far as that goes without the display.
 * @throws ServiceError with what the model can do instead
 */
export function readComputerAction({ kind, declaration }: ComputerTool, use: ToolUse) {
  const call = kind === "toolset" ? { name: use.name, fields: use.input } : splitAction(use.input);
  const isOff = kind === "toolset"
    ? ConfiguredOff.safeParse(declaration?.["configs"]).data?.[call.name]
    : call.name === "zoom" && declaration && declaration["enable_zoom"] !== true;
  if (isOff && Object.hasOwn(TABLES[kind], call.name)) {
    const why = `"${call.name}" is switched off in the declaration of the tool: use another action`;
    throw new ServiceError("invalid", why);
  }
  return readAction(TABLES[kind], call);
}

/**
 * The size that an older tool declares for the display: its pictures are made to fit it.
 * @throws ServiceError when it declares a size that none can have
 */
export function declaredSize({ declaration }: ComputerTool): Size | undefined {
  const { display_width_px: width, display_height_px: height } = declaration ?? {};
  if (width === undefined && height === undefined) return undefined;
  const { success, data } = Sizes.safeParse({ width, height });
  if (success) return data;
  throw new ServiceError(
    "invalid",
    "The tool was declared with a display_width_px or display_height_px that is not an integer from 1 to 32767",
  );
}

const Edge = z.int().min(1).max(32_767);
const Sizes = z.object({ width: Edge, height: Edge });

function splitAction(input: unknown): { name: string; fields: unknown } {
  const { action, ...fields } = readFields(WithAction, input, "computer");
  return { name: action, fields };
}

const WithAction = z.looseObject({ action: z.string() });

/** `{"zoom": {"enabled": false}}`: whether each named member is switched off. */
const ConfiguredOff = z.record(
  z.string(),
  z.looseObject({ enabled: z.boolean().optional() }).nullable()
    .transform((config) => config?.enabled === false),
);

// The members of Anthropic's computer toolset, which are also the actions of its older computer
// tools: the fields of each, what it does, and what the model reads afterwards.

const MAX_SECONDS = 300;
const MAX_KEYS = 256;
/** Longest piece of the model's own text in an acknowledgement. */
const MAX_ECHO = 200;

const Coordinate = z.array(z.number()).length(2);
const Keys = z.string().min(1).max(MAX_KEYS);
const Modifiers = z.string().max(MAX_KEYS).optional();
const Nothing = z.object({});
const member = actionOn<AgentComputer, Part>();

const Zoom = z.object({ region: z.array(z.number()).length(4) });
const Click = z.object({ coordinate: Coordinate.optional(), text: Modifiers });
const Drag = z.object({ start_coordinate: Coordinate, coordinate: Coordinate, text: Modifiers });
const Move = z.object({ coordinate: Coordinate });
const Scroll = z.object({
  scroll_direction: z.enum(["up", "down", "left", "right"]),
  scroll_amount: z.int().min(0),
  coordinate: Coordinate.optional(),
  text: Modifiers,
});

const KeyPress = z.object({ text: Keys, repeat: z.int().min(1).max(100).default(1) });
const Wait = z.object({ duration: z.number().min(0).max(MAX_SECONDS) });

/**
 * What the actions of the Model Context Protocol's tools take besides, which have the same names: an
 * element in place of the coordinate.
 */
interface At {
  readonly coordinate?: readonly number[] | undefined;
  readonly ref?: string | undefined;
}

interface Typed {
  readonly text: string;
  readonly ref?: string | undefined;
}

export const COMPUTER_MEMBERS = {
  screenshot: member(Nothing, (computer) => computer.screenshot()),
  zoom: member(Zoom, (computer, { region }) => computer.zoom(region as unknown as Box, "region")),
  left_click: click("left", 1, "Clicked."),
  right_click: click("right", 1, "Right-clicked."),
  middle_click: click("middle", 1, "Middle-clicked."),
  double_click: click("left", 2, "Double-clicked."),
  triple_click: click("left", 3, "Triple-clicked."),
  left_click_drag: member(Drag, drag),
  mouse_move: member(Move, async (computer, at: At) => {
    await computer.move(spot(at)!);
    return "Moved the mouse.";
  }),
  left_mouse_down: member(Nothing, async (computer, at: At) => {
    await computer.pressButton("left", spot(at));
    return "Left mouse button pressed.";
  }),
  left_mouse_up: member(Nothing, async (computer, at: At) => {
    await computer.releaseButton("left", spot(at));
    return "Left mouse button released.";
  }),
  cursor_position: member(Nothing, async (computer) => {
    const { x, y } = await computer.cursor();
    return `X=${x}, Y=${y}`;
  }),
  scroll: member(Scroll, async (computer, input) => {
    const { scroll_direction: direction, scroll_amount: amount, text, ...at } = input;
    await computer.scroll({
      at: spot(at),
      ...inDirection(direction, amount),
      modifiers: readModifiers(text),
    });
    return `Scrolled ${direction}.`;
  }),
  type: member(z.object({ text: z.string() }), async (computer, typed: Typed) => {
    await computer.type(typed.text, typed.ref);
    return "Typed.";
  }),
  key: member(KeyPress, async (computer, { text, repeat }) => {
    const combinations = splitCombinations(text);
    // the operation repeats a single one itself
    const [times, options] = combinations.length === 1 ? [1, { repeat }] : [repeat, {}];
    for (let time = 0; time < times; time++) {
      for (const keys of combinations) await computer.pressKeys(keys, options);
    }
    return `Pressed ${echo(text)}.`;
  }),
  hold_key: member(Wait.extend({ text: Keys }), async (computer, { text, duration }) => {
    await computer.pressKeys(splitKeys(text), { durationMs: Math.round(duration * 1000) });
    return `Held ${echo(text)} for ${duration}s.`;
  }),
  wait: member(Wait, async (computer, { duration }) => {
    await computer.wait(duration * 1000);
    return `Waited ${duration}s.`;
  }),
} satisfies ActionTable<AgentComputer, Part>;

/** The older tools' drag may begin at the cursor. */
const OLDER = {
  ...COMPUTER_MEMBERS,
  left_click_drag: member(Drag.extend({ start_coordinate: Coordinate.optional() }), drag),
};
const { zoom: _zoom, ...WITHOUT_ZOOM } = OLDER;

const TABLES: Readonly<Record<ComputerTool["kind"], ActionTable<AgentComputer, Part>>> = {
  toolset: COMPUTER_MEMBERS,
  "2025-11-24": OLDER,
  "2025-01-24": WITHOUT_ZOOM,
};

function click(button: ButtonName, count: number, done: string) {
  return member(Click, async (computer, { text, ...at }) => {
    await computer.click({ button, count, at: spot(at), modifiers: readModifiers(text) });
    return done;
  });
}

async function drag(
  computer: AgentComputer,
  { start_coordinate, start_ref, text, ...to }: At & {
    readonly start_coordinate?: readonly number[] | undefined;
    readonly start_ref?: string | undefined;
    readonly text?: string | undefined;
  },
): Promise<string> {
  const from = spot({ coordinate: start_coordinate, ref: start_ref }, "start_coordinate");
  await computer.drag({ from, to: spot(to)!, modifiers: readModifiers(text) });
  return "Dragged.";
}

/** `undefined` is where the cursor is. */
function spot({ coordinate, ref }: At, field = "coordinate"): Spot | undefined {
  if (ref !== undefined) return { ref };
  return coordinate && { point: { x: coordinate[0]!, y: coordinate[1]! }, field };
}

function readModifiers(text: string | undefined): readonly string[] {
  return text === undefined || text.trim() === "" ? [] : splitKeys(text.trim());
}

/** The model's own text on one line. */
function echo(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").slice(0, MAX_ECHO).toWellFormed();
}
