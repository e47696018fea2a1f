/** Performs the calls of Anthropic's computer toolset and of its older computer tools. */

import { z } from "zod";
import { ServiceError } from "../../../core/errors.ts";
import type { Size } from "../../../core/geometry.ts";
import type { AgentComputer } from "../agent_computer.ts";
import type { FieldNames } from "../failure_text.ts";
import { readFields } from "../read_fields.ts";
import type { Declaration, Part, ToolUse } from "./blocks.ts";
import { isMember, type Member, type MemberName, MEMBERS, OLDER_DRAG } from "./computer_members.ts";

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

/** What one call does, checked as far as that goes without the display. */
export interface ComputerAction {
  readonly name: string;
  perform(computer: AgentComputer): Promise<Part>;
}

/** @throws ServiceError with what the model can do instead */
export function readAction(tool: ComputerTool, use: ToolUse): ComputerAction {
  const { name, fields } = tool.kind === "toolset"
    ? { name: use.name, fields: use.input }
    : splitAction(use.input);
  const member = findMember(tool, name);
  const input = readFields(member.fields, fields, `"${name}"`);
  return { name, perform: (computer) => member.run(computer, input) };
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
    "The tool was declared with a display_width_px or display_height_px that is no whole number from 1 to 32767",
  );
}

const Edge = z.int().min(1).max(32_767);
const Sizes = z.object({ width: Edge, height: Edge });

function splitAction(input: unknown): { name: string; fields: unknown } {
  const { action, ...fields } = readFields(WithAction, input, "computer");
  return { name: action, fields };
}

const WithAction = z.looseObject({ action: z.string() });

function findMember({ kind, declaration }: ComputerTool, name: string): Member {
  const shown = JSON.stringify(name.slice(0, 100).toWellFormed());
  const known = memberNames(kind);
  if (!isMember(name) || !known.includes(name)) {
    const names = known.map((each) => `"${each}"`).join(", ");
    throw new ServiceError("invalid", `There is no action ${shown}; there are ${names}`);
  }
  if (isOff(declaration, kind, name)) {
    const why = `${shown} is switched off in the declaration of the tool: use another action`;
    throw new ServiceError("invalid", why);
  }
  return kind !== "toolset" && name === "left_click_drag" ? OLDER_DRAG : MEMBERS[name];
}

function memberNames(kind: ComputerTool["kind"]): readonly string[] {
  const names = Object.keys(MEMBERS);
  return kind === "2025-01-24" ? names.filter((name) => name !== "zoom") : names;
}

function isOff(
  declaration: Declaration | undefined,
  kind: ComputerTool["kind"],
  name: MemberName,
): boolean {
  if (declaration === undefined) return false;
  if (kind === "toolset") {
    return ConfiguredOff.safeParse(declaration["configs"]).data?.[name] ?? false;
  }
  return name === "zoom" && declaration["enable_zoom"] !== true;
}

/** `{"zoom": {"enabled": false}}`: whether each named member is switched off. */
const ConfiguredOff = z.record(
  z.string(),
  z.looseObject({ enabled: z.boolean().optional() }).nullable()
    .transform((config) => config?.enabled === false),
);
