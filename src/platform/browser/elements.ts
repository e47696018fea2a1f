/** Finds elements of pages again, in a world of their own that scripts of the page cannot change. */

import { ServiceError } from "../../core/errors.ts";
import type { PageElement } from "../types/browser.ts";
import { CdpError, type CdpResult } from "./cdp/connection.ts";
import type { RunningBrowser } from "./running_browser.ts";
import type { Tab } from "./tab.ts";
import { listFrames } from "./frames.ts";
import { enterFrame } from "./own_world.ts";
import { readNode } from "./snapshot/roles.ts";

/** An element that is there now. */
export interface FoundElement {
  readonly tab: Tab;
  readonly session: string;
  readonly element: PageElement;
  readonly objectId: string;
}

/**
 * @throws ServiceError `conflict`: it is gone, or it is another element by now
 */
export async function findElement(
  browser: RunningBrowser,
  element: PageElement,
): Promise<FoundElement> {
  const tab = browser.tabOfTarget(element.target);
  const session = tab.sessionOf(element.frame);
  const loader = (await listFrames(tab, session)).get(element.frame);
  if (loader !== element.loader) throw gone(element);
  const objectId = await resolveNode(tab, element.frame, element.node).catch((error) => {
    throw error instanceof CdpError ? gone(element) : error;
  });
  await checkSame(tab, session, element);
  return { tab, session, element, objectId };
}

/** @throws CdpError when there is no such node any more */
export async function resolveNode(tab: Tab, frame: string, node: number): Promise<string> {
  const session = tab.sessionOf(frame);
  const executionContextId = await enterFrame(tab, frame);
  const params = { backendNodeId: node, executionContextId };
  const { object } = await tab.call("DOM.resolveNode", params, { session });
  return object.objectId;
}

/**
 * Calls a function of ours with the element as `this`; gives its JSON.
 * @param script the text of a function
 */
export async function callOn(
  { tab, session, objectId }: Pick<FoundElement, "tab" | "session" | "objectId">,
  script: string,
  args: readonly unknown[] = [],
): Promise<CdpResult> {
  const { result, exceptionDetails } = await tab.call("Runtime.callFunctionOn", {
    functionDeclaration: script,
    objectId,
    arguments: args.map((value) => ({ value })),
    returnByValue: true,
    awaitPromise: true,
  }, { session });
  if (exceptionDetails === undefined) return result.value;
  throw new Error(`A script failed in the page: ${exceptionDetails.exception?.description}`);
}

/** Lists reuse their rows: the same node can stand for something else. */
async function checkSame(tab: Tab, session: string, element: PageElement): Promise<void> {
  const params = { backendNodeId: element.node, fetchRelatives: false };
  const { nodes } = await tab.call("Accessibility.getPartialAXTree", params, { session });
  const now = nodes[0];
  if (now === undefined || now.ignored) {
    throw new ServiceError(
      "conflict",
      `${describeElement(element)} does not show any more: ${TAKE}`,
    );
  }
  const { role, name } = readNode(now);
  if (role === element.role && name === element.name) return;
  throw new ServiceError(
    "conflict",
    `${describeElement(element)} is ${describeElement({ role, name })} now: ${TAKE}`,
  );
}

const TAKE = "take a new snapshot and use its refs";

function gone(element: PageElement): ServiceError {
  return new ServiceError("conflict", `${describeElement(element)} is gone: ${TAKE}`);
}

/** `button "Save"` */
export function describeElement({ role, name }: Pick<PageElement, "role" | "name">): string {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return shown === "" ? `the ${role}` : `the ${role} ${JSON.stringify(shown.toWellFormed())}`;
}
