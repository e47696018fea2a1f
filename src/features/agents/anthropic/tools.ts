/** Finds which of Anthropic's tools a call is for, and in which version. */

import { COMPUTER_TOOLSET, type ComputerTool } from "./computer_tool.ts";
import type { Declaration, Declared, ToolUse } from "./blocks.ts";
import type { EditorVersion } from "../text_editor/text_editor.ts";

export type Tool =
  | { readonly kind: "computer"; readonly tool: ComputerTool }
  | { readonly kind: "bash" }
  | { readonly kind: "editor"; readonly version: EditorVersion; readonly maxCharacters?: number }
  | { readonly kind: "memory" }
  /** A tool of the caller's own, which the caller answers. */
  | { readonly kind: "callers" }
  | { readonly kind: "unknown" };

/** The tool of a call: by its toolset, then by what was declared, then by its usual name. */
export function findTool({ name, toolsetName }: ToolUse, declared: Declared): Tool {
  if (toolsetName !== undefined) return findToolset(toolsetName, declared);
  if (declared === undefined) return makeTool(USUAL_NAMES[name], undefined);
  const declaration = declared.find((tool) => (tool.name ?? tool.type) === name);
  if (declaration === undefined) return { kind: "unknown" };
  return makeTool(declaration.type, declaration);
}

function findToolset(toolsetName: string, declared: Declared): Tool {
  if (toolsetName !== "computer") return { kind: "callers" };
  const declaration = declared?.find(({ type }) => type === COMPUTER_TOOLSET);
  return { kind: "computer", tool: { kind: "toolset", declaration } };
}

/** The newest version of each tool by its name. */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  computer: "computer_20251124",
  bash: "bash_20250124",
  str_replace_based_edit_tool: "text_editor_20250728",
  str_replace_editor: "text_editor_20250124",
  memory: "memory_20250818",
};

function makeTool(type: string | undefined, declaration: Declaration | undefined): Tool {
  switch (type) {
    case "computer_20251124":
      return { kind: "computer", tool: { kind: "2025-11-24", declaration } };
    case "computer_20250124":
    case "computer_20241022":
      return { kind: "computer", tool: { kind: "2025-01-24", declaration } };
    case "bash_20250124":
    case "bash_20241022":
      return { kind: "bash" };
    case "text_editor_20250728":
      return { kind: "editor", version: "2025-07-28", ...readMaximum(declaration) };
    case "text_editor_20250429":
      return { kind: "editor", version: "2025-04-29" };
    case "text_editor_20250124":
    case "text_editor_20241022":
      return { kind: "editor", version: "2025-01-24" };
    case "memory_20250818":
      return { kind: "memory" };
    default:
      return { kind: "callers" };
  }
}

function readMaximum(declaration: Declaration | undefined): { maxCharacters?: number } {
  const maximum = declaration?.["max_characters"];
  return typeof maximum === "number" && maximum >= 1 ? { maxCharacters: Math.floor(maximum) } : {};
}
