/** A world for our own scripts in each frame, whose built-in functions scripts of the page cannot change. */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
import { type CallOptions, CdpError } from "./cdp/connection.ts";
import type { Tab } from "./tab.ts";

const WORLD = "computer-control";

/** The context of our own scripts in a frame; the browser makes it once per document. */
export async function enterFrame(
  tab: Pick<Tab, "call" | "sessionOf">,
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

/** Nodes of one frame, and a function of ours for them. */
export interface NodesCall {
  readonly frame: string;
  /** As the protocol's backend knows them; some hundreds. */
  readonly nodes: readonly number[];
  /** The text of a function of `args`, which has an entry for each node, and the nodes; it gives an array. */
  readonly script: string;
  readonly args?: readonly unknown[];
  /** Of `performance.now()`. */
  readonly endMs: number;
}

let groups = 0;

/** What a function gives for each of the nodes; `undefined` for those that are gone. */
export async function callOnNodes(
  tab: Pick<Tab, "call" | "sessionOf">,
  { frame, nodes, script, args = [], endMs }: NodesCall,
): Promise<readonly unknown[]> {
  const session = tab.sessionOf(frame);
  const within = () => ({ session, timeoutMs: Math.max(1, endMs - performance.now()) });
  const executionContextId = await enterFrame(tab, frame, within());
  const objectGroup = `nodes ${++groups}`;
  try {
    const resolved = await Promise.all(nodes.map(async (backendNodeId, at) => {
      const params = { backendNodeId, executionContextId, objectGroup };
      const answer = await tab.call("DOM.resolveNode", params, within()).catch(ifGone);
      const objectId = answer?.object.objectId;
      return objectId === undefined ? [] : [{ at, objectId }];
    }));
    const there = resolved.flat();
    const { result } = await tab.call("Runtime.callFunctionOn", {
      functionDeclaration: script,
      executionContextId,
      arguments: [
        { value: there.map(({ at }) => args[at]) },
        ...there.map(({ objectId }) => ({ objectId })),
      ],
      returnByValue: true,
    }, within());
    const given: readonly unknown[] = Array.isArray(result.value) ? result.value : [];
    const byNode = new Map(there.map(({ at }, index) => [at, given[index]]));
    return nodes.map((_, at) => byNode.get(at));
  } finally {
    tab.call("Runtime.releaseObjectGroup", { objectGroup }, { session }).catch(() => {});
  }
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

/**
 * What `innerText` leaves out, the open shadow trees of components, follows it in the order of the page. Names in a page
 * can hide members of the document and of forms: those of the prototypes are taken.
 */
const PAGE_TEXT = `(max) => {
  let text = String(document.body?.innerText ?? document.documentElement?.textContent ?? "");
  const { get: innerText } = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText");
  const isShown = (element) => Element.prototype.checkVisibility.call(element);
  const textOf = (node, host) => {
    if (node instanceof Text) return isShown(host) ? node.data : "";
    if (!(node instanceof HTMLElement)) return "";
    // one without a box of its own shows what is inside it
    const isRead = isShown(node) || getComputedStyle(node).display === "contents";
    return isRead ? innerText.call(node) : "";
  };
  const addTrees = (elements) => {
    for (const element of elements) {
      if (text.length >= max) return;
      const tree = element.shadowRoot;
      if (!(tree instanceof ShadowRoot)) continue;
      for (const node of tree.childNodes) {
        const own = textOf(node, element);
        if (own.trim() !== "") text += "\\n" + own;
      }
      addTrees(tree.querySelectorAll("*"));
    }
  };
  addTrees(Document.prototype.querySelectorAll.call(document, "*"));
  return text.slice(0, max);
}`;

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
