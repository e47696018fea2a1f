/** Finds elements of pages again, in a world of their own that scripts of the page cannot change. */

import { identifyText, shortOrMark } from "../../core/texts.ts";
import { ServiceError } from "../../core/errors.ts";
import type { ElementUse, PageElement } from "../types/browser.ts";
import { CdpError } from "./cdp/connection.ts";
import type { RunningBrowser } from "./running_browser.ts";
import type { Tab } from "./tab.ts";
import { enterFrame, listFrames } from "./isolated_world.ts";
import { type AxNode, readNode } from "./snapshot/ax_tree.ts";
import { IDENTIFY_THIS } from "./snapshot/clickable.ts";

/** A node that scripts can be called on. */
export interface NodeHandle {
  readonly tab: Tab;
  readonly session: string;
  readonly objectId: string;
}

/** An element that is there now. */
export interface ResolvedElement extends NodeHandle {
  readonly element: PageElement;
  readonly states: ReturnType<typeof readStates>;
}

/**
 * @param anyTexts whether an element that is known by its texts may have others by now
 * @throws ServiceError `conflict`: it is gone, or it is another element by now
 */
export async function findElement(
  browser: RunningBrowser,
  element: PageElement,
  { anyTexts = false } = {},
): Promise<ResolvedElement> {
  const tab = browser.tabOfTarget(element.target);
  const session = tab.sessionOf(element.frame);
  const frame = (await listFrames(tab, session)).get(element.frame);
  if (frame?.loader !== element.loader) throw gone(element);
  const handle = await resolveNode(tab, element.frame, element.node).catch((error) => {
    throw error instanceof CdpError ? gone(element) : error;
  });
  return { ...handle, element, states: await checkSame(handle, element, anyTexts) };
}

/** @throws ServiceError `conflict`: it cannot take what is done next */
export function checkUse({ element, states }: ResolvedElement, use: ElementUse | undefined): void {
  if (use === undefined) return;
  const refuse = (why: string) => {
    throw new ServiceError("conflict", `${describeElement(element)} ${why}`);
  };
  if (states.isDisabled) refuse("is disabled");
  if (use === "click") return;
  if (states.isReadOnly) refuse("is read-only");
  if (use === "secret" && !states.isEditable) refuse("is not a text field: nothing was typed");
}

/** @throws CdpError when there is no such node any more */
export async function resolveNode(tab: Tab, frame: string, node: number): Promise<NodeHandle> {
  const session = tab.sessionOf(frame);
  const executionContextId = await enterFrame(tab, frame);
  const params = { backendNodeId: node, executionContextId };
  const { object } = await tab.call("DOM.resolveNode", params, { session });
  return { tab, session, objectId: object.objectId! };
}

/**
 * Calls a function of ours with the element as `this`; gives its JSON.
 * @param script the text of a function
 */
export async function callOn<Result>(
  { tab, session, objectId }: NodeHandle,
  script: string,
  args: readonly unknown[] = [],
  timeoutMs?: number,
): Promise<Result> {
  const { result, exceptionDetails } = await tab.call("Runtime.callFunctionOn", {
    functionDeclaration: script,
    objectId,
    arguments: args.map((value) => ({ value })),
    returnByValue: true,
    awaitPromise: true,
  }, { session, timeoutMs });
  if (exceptionDetails === undefined) return result.value;
  // names of elements stand before the functions that every element has
  const [why] = String(exceptionDetails.exception?.description).split("\n", 1);
  throw new ServiceError(
    "conflict",
    `The elements of the page cannot be read: ${shortOrMark(why!)}`,
  );
}

/** Lists reuse their rows: the same node can stand for something else. */
async function checkSame(handle: NodeHandle, element: PageElement, anyTexts: boolean) {
  const { tab, session } = handle;
  const params = { backendNodeId: element.node, fetchRelatives: false };
  const { nodes } = await tab.call("Accessibility.getPartialAXTree", params, { session });
  const now = nodes[0];
  if (now === undefined || now.ignored) {
    const message = `${describeElement(element)} is no longer visible: ${TAKE}`;
    throw new ServiceError("conflict", message);
  }
  const { role, name } = readNode(now);
  const isNamed = element.texts === undefined; // others are named by their texts while they have the focus
  if (role !== element.role || isNamed && identifyText(name) !== element.name) {
    throw new ServiceError(
      "conflict",
      `${describeElement(element)} is ${describeElement({ role, name })} now: ${TAKE}`,
    );
  }
  if (isNamed || anyTexts) return readStates(now);
  if (await callOn<string>(handle, IDENTIFY_THIS) === element.texts) return readStates(now);
  const message = `${describeElement(element)} has other texts now: ${TAKE}`;
  throw new ServiceError("conflict", message);
}

/** What the browser itself says about an element; a field for text is editable. */
function readStates({ properties = [] }: Pick<AxNode, "properties">) {
  const read = (name: string) => properties.find((each) => each.name === name)?.value.value;
  return {
    isDisabled: read("disabled") === true,
    isReadOnly: read("readonly") === true,
    isEditable: read("editable") !== undefined,
  };
}

const TAKE = "take a new snapshot and use its refs";

function gone(element: PageElement): ServiceError {
  return new ServiceError("conflict", `${describeElement(element)} is gone: ${TAKE}`);
}

/** `button "Save"` */
export function describeElement({ role, name }: Pick<PageElement, "role" | "name">): string {
  const shortName = shortOrMark(name);
  return shortName === "" ? `the ${role}` : `the ${role} ${JSON.stringify(shortName)}`;
}
