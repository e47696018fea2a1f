/** Reads the accessibility tree of a page with all its frames. */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
import { hasCode } from "../../../core/errors.ts";
import { cutRawText } from "../../../core/texts.ts";
import { MAX_NAME, MAX_TEXT } from "../../element_texts.ts";
import { type CallOptions, CdpError } from "../cdp/connection.ts";
import {
  evaluateInIsolatedWorld,
  findOwner,
  ifGone,
  listFrames,
  MAX_FRAMES,
} from "../isolated_world.ts";
import type { Tab } from "../tab.ts";
import { findReacting, NOTHING_REACTS, type Reacting } from "./clickable.ts";
import { withoutPasswords } from "./passwords.ts";

export interface AxNode extends Protocol.Accessibility.AXNode {
  /** Only nodes that snapshots leave out have none. */
  readonly backendDOMNodeId: number;
}

export interface AxFrame extends Reacting {
  readonly id: string;
  /** The loading of its document. */
  readonly loader: string;
  readonly root: AxNode;
  readonly nodes: ReadonlyMap<string, AxNode>;
  /** Frames inside, by the node of the element that holds them. */
  readonly inner: Map<number, AxFrame>;
  /** Which nodes are in the viewport; absent where nobody needs to know. */
  readonly onScreen: OnScreen | undefined;
}

export interface AxReading {
  readonly timeMs: number;
  /** Whether to find out which nodes are in the viewport. */
  readonly findsOnScreen: boolean;
}

export async function readAxTree(tab: Tab, reading: AxReading): Promise<AxFrame> {
  const end = performance.now() + reading.timeMs;
  const left = () => Math.max(1, end - performance.now());
  const found = new Map<string, AxFrame>();
  const mains: InFrame[] = [];
  for (const session of tab.sessions) {
    const frames = await listFrames(tab, session, left()).catch(ifGone);
    if (!frames) continue;
    const [main] = frames.keys();
    const isLarge = await keepTree(tab, { frame: main!, session, timeoutMs: left() });
    if (reading.findsOnScreen || !isLarge) mains.push({ frame: main!, session });
    for (const [id, { loader }] of frames) {
      if (found.size >= MAX_FRAMES) break;
      const params = { frameId: id };
      const options = { session, timeoutMs: left() };
      const tree = await tab.call("Accessibility.getFullAXTree", params, options).catch(ifGone);
      if (!tree) continue;
      const given = tree.nodes as AxNode[];
      const nodes = await withoutPasswords(tab, given, { frame: id, endMs: end });
      found.set(id, {
        ...{ id, loader, root: nodes[0]!, inner: new Map(), onScreen: undefined },
        nodes: new Map(nodes.map((node) => [node.nodeId, node])),
        ...NOTHING_REACTS,
      });
    }
  }
  for (const main of mains) {
    const layouts = await readLayouts(tab, { ...main, timeoutMs: left() })
      .catch(reading.findsOnScreen ? ifGone : ifTooMuch);
    for (const [id, { onScreen, ...reacting }] of layouts ?? []) {
      const frame = found.get(id);
      if (!frame) continue;
      found.set(id, { ...frame, ...reacting, ...reading.findsOnScreen && { onScreen } });
    }
  }
  for (const [id, frame] of found) {
    const owner = id === tab.target ? undefined : await findOwner(tab, id);
    if (owner) found.get(owner.frame)?.inner.set(owner.node, frame);
  }
  const main = found.get(tab.target);
  if (main === undefined) throw new CdpError("the page has no document");
  return main;
}

/** Keeps the tree up to date, so that single elements can be read again at once; gives whether it is too large. */
async function keepTree(tab: Tab, at: InFrame): Promise<boolean> {
  const count = Number(await evaluateInIsolatedWorld(tab, COUNT, at));
  // in large pages every change would cost more than reading again
  const method = count <= MAX_KEPT ? "Accessibility.enable" : "Accessibility.disable";
  await tab.call(method, undefined, at);
  return count > MAX_KEPT;
}

/** Elements of a page can be named as the methods of its document. */
const COUNT = "Document.prototype.getElementsByTagName.call(document, '*').length";
const MAX_KEPT = 20_000;

// Which nodes of a page lie in the viewport, and which react to a click: read for all of them in one call.

/** Whether a node is visible in the viewport; `undefined` where it has no box of its own. */
type OnScreen = (node: number) => boolean | undefined;

interface Layout extends Reacting {
  readonly onScreen: OnScreen;
}

const VIEWPORT = "[innerWidth, innerHeight]";

/** The first frame of a session, and the time for one call. */
type InFrame = CallOptions & { readonly frame: string };

/** By frame. */
async function readLayouts(tab: Tab, at: InFrame): Promise<ReadonlyMap<string, Layout>> {
  const viewport = await evaluateInIsolatedWorld<[number, number]>(tab, VIEWPORT, at);
  const params = { computedStyles: ["cursor"] };
  const { documents, strings } = await tab.call("DOMSnapshot.captureSnapshot", params, at);
  return new Map(documents.map((document) => {
    let visible: ReadonlyMap<number, boolean> | undefined;
    const onScreen = (node: number) => (visible ??= findVisible(document, viewport)).get(node);
    return [strings[document.frameId]!, { onScreen, ...findReacting(document, strings) }];
  }));
}

function findVisible(
  { nodes: { backendNodeId = [] }, layout, scrollOffsetX = 0, scrollOffsetY = 0 }:
    Protocol.DOMSnapshot.DocumentSnapshot,
  [width, height]: readonly [number, number],
): ReadonlyMap<number, boolean> {
  const visible = new Map<number, boolean>();
  layout.nodeIndex.forEach((index, at) => {
    const [x, y, w, h] = layout.bounds[at] as [number, number, number, number];
    const isIn = x + w > scrollOffsetX && x < scrollOffsetX + width &&
      y + h > scrollOffsetY && y < scrollOffsetY + height;
    const node = backendNodeId[index]!;
    visible.set(node, isIn || visible.get(node) === true);
  });
  return visible;
}

/** What only reacts to clicks is missing then. */
function ifTooMuch(error: unknown): undefined {
  if (hasCode(error, "conflict") || hasCode(error, "timed_out")) return undefined;
  return ifGone(error);
}

// Roles as snapshots name them.

/** Chromium's names that are not those of WAI-ARIA. */
const NAMES: Readonly<Record<string, string>> = {
  RootWebArea: "document",
  StaticText: "text",
  Iframe: "iframe",
  LabelText: "label",
  MenuListPopup: "none",
  ColorWell: "color",
  Date: "date",
  DateTime: "datetime",
  InputTime: "time",
  DisclosureTriangle: "button",
  DisclosureTriangleGrouped: "button",
  Details: "group",
  Video: "video",
  Audio: "audio",
  Canvas: "canvas",
  EmbeddedObject: "embedded-object",
  PluginObject: "embedded-object",
};

/** What carries no meaning by itself: its children stand for it. */
export const PLAIN: ReadonlySet<string> = new Set([
  ...["none", "generic", "presentation", "paragraph", "label", "layout-table", "strong"],
  ...["layout-table-row", "layout-table-cell", "section", "emphasis", "rowgroup", "code"],
  ...["superscript", "subscript", "mark", "abbr", "ruby", "time-stamp"],
]);

/** What says nothing at all. */
export const IGNORED: ReadonlySet<string> = new Set([
  ...["inline-text-box", "line-break", "list-marker", "menu-list-popup"],
]);

/** What has no role of its own, and a ref only where it reacts to a click. */
export function isRoleless(role: string): boolean {
  return PLAIN.has(role) && role !== "label" && role !== "none";
}

export const INTERACTIVE: ReadonlySet<string> = new Set([
  ...["button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox"],
  ...["option", "slider", "spinbutton", "switch", "tab", "menuitem", "menuitemcheckbox"],
  ...["menuitemradio", "treeitem", "gridcell", "date", "datetime", "time", "color", "iframe"],
]);

/** Role, name and value; a page can give every element megabytes. */
export function readNode({ role, name, value }: Pick<AxNode, "role" | "name" | "value">) {
  return {
    role: readRole(role),
    name: clean(name?.value, MAX_NAME),
    value: clean(value?.value, MAX_TEXT),
  };
}

export function readRole(role: AxNode["role"]): string {
  const given = String(role?.value ?? "generic");
  return NAMES[given] ?? given.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
}

function clean(value: unknown, max: number): string {
  if (value === undefined) return "";
  return cutRawText(String(value), max).replace(/\s+/g, " ").trim();
}
