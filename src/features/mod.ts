/** The list of all operations, from which every interface (HTTP, OpenAPI, ...) is made. */

import type { Limits } from "../config/limits.ts";
import type { Operation } from "./operation.ts";
import { batchOperations } from "./batch/operations.ts";
import { ElementNode } from "./accessibility/fields.ts";
import { accessibilityOperations } from "./accessibility/operations.ts";
import { agentOperations } from "./agents/operations.ts";
import { bashOperations } from "./bash/operations.ts";
import { browserOperations } from "./browser/operations.ts";
import { clipboardOperations } from "./clipboard/operations.ts";
import { displayOperations } from "./display/operations.ts";
import { keychainOperations } from "./keychain/operations.ts";
import { recordingOperations } from "./recording/operations.ts";
import { editorOperations } from "./editor/operations.ts";
import { Entry } from "./filesystem/entry.ts";
import { filesystemOperations, TreeNode } from "./filesystem/operations.ts";
import { Effect } from "./input/effect.ts";
import { keyboardOperations } from "./keyboard/operations.ts";
import { mouseOperations } from "./mouse/operations.ts";
import { systemOperations } from "./system/operations.ts";
import { waitingOperations } from "./waiting/operations.ts";
import { windowOperations } from "./window/operations.ts";
import { WindowEntry } from "./window/window_answer.ts";

/** Schemas with names of their own in documents, which refer to them by name. */
export const NAMED_SCHEMAS = {
  FilesystemEntry: Entry,
  DirectoryTreeNode: TreeNode,
  InputEffect: Effect,
  AccessibleElement: ElementNode,
  WindowEntry,
};

/** All operations, with the limits of this service. */
export function allOperations(limits: Limits): readonly Operation[] {
  return [
    ...displayOperations(),
    ...waitingOperations(limits),
    ...mouseOperations(limits),
    ...keyboardOperations(limits),
    ...clipboardOperations(limits),
    ...accessibilityOperations(limits),
    ...windowOperations(limits),
    ...recordingOperations(limits),
    ...keychainOperations(limits),
    ...editorOperations(limits),
    ...filesystemOperations(limits),
    ...bashOperations(limits),
    ...browserOperations(limits),
    ...batchOperations(limits),
    ...agentOperations(limits),
    ...systemOperations(),
  ];
}
