/** Reads the accessibility tree of a page with all its frames. */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
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

export interface AxNode extends Protocol.Accessibility.AXNode {
  /** Only nodes that snapshots leave out have none. */
  readonly backendDOMNodeId: number;
}

export interface AxFrame {
  readonly id: string;
  /** The loading of its document. */
  readonly loader: string;
  readonly root: AxNode;
  readonly nodes: ReadonlyMap<string, AxNode>;
  /** Frames inside, by the node of the element that holds them. */
  readonly inner: Map<number, AxFrame>;
  /** Which nodes are in the viewport; absent where nobody needs to know. */
  readonly onScreen: OnScreen | undefined;
  /** The nodes of elements that react to a click, whatever their role. */
  readonly clickable: ReadonlySet<number>;
}

export interface AxReading {
  readonly timeMs: number;
  /** Whether to find out which nodes are in the viewport. */
  readonly findsOnScreen: boolean;
}

export async function readAxTree(tab: Tab, reading: AxReading): Promise<AxFrame> {
  const end = performance.now() + reading.timeMs;
  const found = new Map<string, AxFrame>();
  for (const session of tab.sessions) {
    const left = () => Math.max(1, end - performance.now());
    const frames = await listFrames(tab, session, left()).catch(ifGone);
    if (!frames) continue;
    const [main] = frames.keys();
    await keepTree(tab, { frame: main!, session, timeoutMs: left() });
    const layouts = await readLayouts(tab, { frame: main!, session, timeoutMs: left() })
      .catch(ifGone);
    for (const [id, { loader }] of frames) {
      if (found.size >= MAX_FRAMES) break;
      const params = { frameId: id };
      const options = { session, timeoutMs: left() };
      const tree = await tab.call("Accessibility.getFullAXTree", params, options).catch(ifGone);
      if (!tree) continue;
      const nodes = tree.nodes as AxNode[];
      found.set(id, {
        id,
        loader,
        root: nodes[0]!,
        nodes: new Map(nodes.map((node) => [node.nodeId, node])),
        inner: new Map(),
        onScreen: reading.findsOnScreen ? layouts?.get(id)?.onScreen : undefined,
        clickable: layouts?.get(id)?.clickable ?? new Set(),
      });
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

/** Keeps the tree up to date, so that single elements can be read again at once. */
async function keepTree(tab: Tab, at: InFrame): Promise<void> {
  const count = Number(await evaluateInIsolatedWorld(tab, COUNT, at));
  // in large pages every change would cost more than reading again
  const method = count <= MAX_KEPT ? "Accessibility.enable" : "Accessibility.disable";
  await tab.call(method, undefined, at);
}

const COUNT = "document.getElementsByTagName('*').length";
const MAX_KEPT = 20_000;

// Which nodes of a page lie in the viewport, and which react to a click, read for all of them in one call.

/** Whether a node is visible in the viewport; `undefined` where it has no box of its own. */
type OnScreen = (node: number) => boolean | undefined;

type Layout = Pick<AxFrame, "clickable"> & { readonly onScreen: OnScreen };

const VIEWPORT = "[innerWidth, innerHeight]";

/** The first frame of a session, and the time for one call. */
type InFrame = CallOptions & { readonly frame: string };

/** By frame. */
async function readLayouts(tab: Tab, at: InFrame): Promise<ReadonlyMap<string, Layout>> {
  const viewport = await evaluateInIsolatedWorld<[number, number]>(tab, VIEWPORT, at);
  const params = { computedStyles: ["cursor"] };
  const { documents, strings } = await tab.call("DOMSnapshot.captureSnapshot", params, at);
  return new Map(documents.map((document) => [
    strings[document.frameId]!,
    {
      onScreen: findOnScreen(document, viewport),
      clickable: findClickable(document, strings),
    },
  ]));
}

type DocumentSnapshot = Protocol.DOMSnapshot.DocumentSnapshot;

function findOnScreen(
  { nodes: { backendNodeId = [] }, layout, scrollOffsetX = 0, scrollOffsetY = 0 }: DocumentSnapshot,
  [width, height]: readonly [number, number],
): OnScreen {
  const visible = new Map<number, boolean>();
  layout.nodeIndex.forEach((index, at) => {
    const [x, y, w, h] = layout.bounds[at] as [number, number, number, number];
    const isIn = x + w > scrollOffsetX && x < scrollOffsetX + width &&
      y + h > scrollOffsetY && y < scrollOffsetY + height;
    const node = backendNodeId[index]!;
    visible.set(node, isIn || visible.get(node) === true);
  });
  return (node) => visible.get(node);
}

/**
 * What listens to clicks, and the outermost of what has the cursor of a link: whoever listens may be
 * an element around it.
 */
function findClickable(
  { nodes: { backendNodeId = [], parentIndex = [], isClickable }, layout }: DocumentSnapshot,
  strings: readonly string[],
): ReadonlySet<number> {
  const found = new Set(isClickable?.index.map((index) => backendNodeId[index]!));
  const pointed = new Set(
    layout.nodeIndex.filter((_, at) => strings[layout.styles[at]?.[0] ?? -1] === "pointer"),
  );
  for (const index of pointed) {
    if (!pointed.has(parentIndex[index]!)) found.add(backendNodeId[index]!);
  }
  return found;
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

/** What has no role of its own, and a ref where it reacts to a click. */
export const ROLELESS: ReadonlySet<string> = new Set(
  [...PLAIN].filter((role) => role !== "label" && role !== "none"),
);

/** What says nothing at all. */
export const IGNORED: ReadonlySet<string> = new Set([
  ...["inline-text-box", "line-break", "list-marker", "menu-list-popup"],
]);

export const INTERACTIVE: ReadonlySet<string> = new Set([
  ...["button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox"],
  ...["option", "slider", "spinbutton", "switch", "tab", "menuitem", "menuitemcheckbox"],
  ...["menuitemradio", "treeitem", "gridcell", "date", "datetime", "time", "color", "iframe"],
]);

/** Role, name and value; a page can give every element megabytes. */
export function readNode({ role, name, value }: Pick<AxNode, "role" | "name" | "value">) {
  const given = String(role?.value ?? "generic");
  return {
    role: NAMES[given] ?? given.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase(),
    name: clean(name?.value, MAX_NAME),
    value: clean(value?.value, MAX_TEXT),
  };
}

function clean(value: unknown, max: number): string {
  if (value === undefined) return "";
  return cutRawText(String(value), max).replace(/\s+/g, " ").trim();
}

// The texts of elements that have no name.

/** Characters of a text that names its element. */
const MAX_SHORT_TEXT = 100;

/** One text of the texts inside an element; `undefined` where it is too long for a name. */
export function joinTexts(texts: readonly string[]): string | undefined {
  const text = texts.filter((each) => each !== "").join(" ");
  return text.length > MAX_SHORT_TEXT ? undefined : text;
}

/**
 * The text inside each node, by its id, as far as {@link joinTexts} needs it. From the inside out:
 * browsers list nodes after those around them.
 */
export function textsInside(nodes: AxFrame["nodes"]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const node of [...nodes.values()].reverse()) {
    const texts = node.role?.value === TEXT
      ? [node.ignored ? "" : readNode(node).name]
      : (node.childIds ?? []).map((id) => found.get(id) ?? "");
    const text = texts.filter((each) => each !== "").join(" ");
    found.set(node.nodeId, text.slice(0, MAX_SHORT_TEXT + 1));
  }
  return found;
}

/** As Chromium names a text. */
const TEXT = "StaticText";

/** The text inside an element now, as {@link textsInside} has it. */
export async function readTextInside(
  tab: Tab,
  session: string,
  backendNodeId: number,
): Promise<string> {
  const params = { backendNodeId, role: TEXT };
  const { nodes } = await tab.call("Accessibility.queryAXTree", params, { session });
  return joinTexts(nodes.map((node) => readNode(node).name)) ?? "";
}
