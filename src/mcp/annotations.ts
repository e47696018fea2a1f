/** What a tool does to its surroundings, as hints by which a host asks its user or does not. */

import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { Operation } from "../features/operation.ts";

/** What changes something without destroying anything, by id. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...["openTab", "activateTab", "scrollPage", "movePagePointer", "waitForPage"],
  ...["mouse_move", "moveMouse", "scroll", "scrollMouse", "left_mouse_up", "mouseUp"],
  ...["holdKey", "releaseKey", "releaseAll"],
  ...["createFile", "undoEdit", "createDirectory", "setItem", "authenticate"],
  ...["startRecording", "stopRecording"],
]);

/** What can be done again without any further effect, by id. */
const IDEMPOTENT: ReadonlySet<string> = new Set([
  ...["activateTab", "fillField", "uploadFiles", "waitForPage"],
  ...["mouse_move", "moveMouse", "left_mouse_up", "mouseUp", "left_mouse_down", "mouseDown"],
  ...["holdKey", "releaseKey", "releaseAll"],
  ...["setClipboard", "clearClipboard"],
  ...["stopRecording", "deleteRecording"],
  ...["createDirectory", "setItem", "deleteItem", "terminateProcess", "restartShell"],
]);

/** Groups whose operations may reach anything, for example a web site in a browser. */
const OPEN_WORLD: ReadonlySet<string> = new Set([
  ...["mouse", "keyboard", "accessibility", "bash", "browser", "batch", "agents"],
]);

export function annotate({ id, group, readOnly, summary }: Operation): ToolAnnotations {
  if (readOnly) return { title: summary, readOnlyHint: true, openWorldHint: false };
  return {
    title: summary,
    readOnlyHint: false,
    destructiveHint: !HARMLESS.has(id),
    idempotentHint: IDEMPOTENT.has(id),
    openWorldHint: OPEN_WORLD.has(group),
  };
}
