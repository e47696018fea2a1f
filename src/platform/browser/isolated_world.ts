/** A world for our own scripts in each frame, whose built-in functions scripts of the page cannot change. */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
import { type CallOptions, CdpError } from "./cdp/connection.ts";
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
export async function evaluateInIsolatedWorld<Result = unknown>(
  tab: Tab,
  expression: string,
  { frame = tab.target, ...options }: CallOptions & { readonly frame?: string } = {},
): Promise<Result> {
  const contextId = await enterFrame(tab, frame, options);
  const params = { expression, contextId, returnByValue: true };
  const within = { ...options, session: tab.sessionOf(frame) };
  const { result } = await tab.call("Runtime.evaluate", params, within);
  return result.value;
}

// The frames of a page: those of its own process, and those in processes of their own.

/** The frames of one session, each with its loader and the frame around it; the outermost first. */
export async function listFrames(tab: Tab, session: string, timeoutMs?: number) {
  const { frameTree } = await tab.call("Page.getFrameTree", undefined, { session, timeoutMs });
  const found = new Map<string, { readonly loader: string; readonly parent: string }>();
  const add = ({ frame, childFrames = [] }: Protocol.Page.FrameTree, parent: string) => {
    found.set(frame.id, { loader: frame.loaderId, parent });
    for (const child of childFrames) add(child, frame.id);
  };
  add(frameTree, frameTree.frame.id);
  return found;
}

/** Frames beyond this are left out. */
export const MAX_FRAMES = 50;

/** The frames of all sessions, that of the page first. */
export async function listAllFrames(tab: Tab): Promise<readonly string[]> {
  const frames: string[] = [];
  for (const session of tab.sessions) {
    frames.push(...(await listFrames(tab, session).catch(ifGone))?.keys() ?? []);
  }
  return frames.slice(0, MAX_FRAMES);
}

/** The text that a reader of a frame sees, cut to a length; empty where the frame has gone. */
export async function readFrameText(tab: Tab, frame: string, max: number): Promise<string> {
  const text = await evaluateInIsolatedWorld(tab, `(${PAGE_TEXT})(${max})`, { frame })
    .catch(ifGone);
  return String(text ?? "");
}

const PAGE_TEXT = `(max) =>
  String(document.body?.innerText ?? document.documentElement?.textContent ?? "").slice(0, max)`;

/** The element that holds a frame. */
export async function findOwner(
  tab: Tab,
  frame: string,
): Promise<{ readonly frame: string; readonly node: number } | undefined> {
  for (const session of tab.sessions) {
    const params = { frameId: frame };
    const owner = await tab.call("DOM.getFrameOwner", params, { session }).catch(ifGone);
    if (!owner) continue;
    const frames = await listFrames(tab, session);
    const [main] = frames.keys();
    return { frame: frames.get(frame)?.parent ?? main!, node: owner.backendNodeId };
  }
  return undefined;
}

/** A frame can go while the page is read. */
export function ifGone(error: unknown): undefined {
  if (error instanceof CdpError) return undefined;
  throw error;
}
