/** A world for our own scripts in each frame, whose built-in functions scripts of the page cannot change. */

import type { CallOptions, CdpResult } from "./cdp/connection.ts";
import type { Tab } from "./tab.ts";

const WORLD = "computer-control";

/** The context of our own scripts in a frame; the browser makes it once per document. */
export async function enterFrame(
  tab: Tab,
  frame: string,
  options: CallOptions = {},
): Promise<number> {
  const session = tab.sessionOf(frame);
  const params = { frameId: frame, worldName: WORLD };
  const entered = await tab.call("Page.createIsolatedWorld", params, { ...options, session });
  return entered.executionContextId;
}

/** The JSON value of an expression in a frame, by default that of the page of the tab. */
export async function evaluateApart(
  tab: Tab,
  expression: string,
  { frame = tab.target, ...options }: CallOptions & { readonly frame?: string } = {},
): Promise<CdpResult> {
  const contextId = await enterFrame(tab, frame, options);
  const params = { expression, contextId, returnByValue: true };
  const within = { ...options, session: tab.sessionOf(frame) };
  const { result } = await tab.call("Runtime.evaluate", params, within);
  return result.value;
}
