/** Reads the accessibility tree of a page with all its frames. */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
import { hasCode } from "../../../core/errors.ts";
import { cutRawText } from "../../../core/texts.ts";
import { MAX_NAME, MAX_TEXT } from "../../element_texts.ts";
import { type CallOptions, CdpError } from "../cdp/connection.ts";
import {
  callOnNodes,
  evaluateInIsolatedWorld,
  findOwner,
  ifGone,
  listFrames,
  MAX_FRAMES,
  type NodesCall,
} from "../isolated_world.ts";
import type { Tab } from "../tab.ts";
import { findReacting, NOTHING_REACTS, type Reacting, tidy } from "./clickable.ts";

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

function readRole(role: AxNode["role"]): string {
  const given = String(role?.value ?? "generic");
  return NAMES[given] ?? given.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
}

function clean(value: unknown, max: number): string {
  if (value === undefined) return "";
  return cutRawText(String(value), max).replace(/\s+/g, " ").trim();
}

// Takes what password fields hold out of an accessibility tree. Browsers give masks in its place, but pages can take
// these away (`-webkit-text-security: none`), so that the field itself is asked.

/** What browsers show in place of a password; pages choose between these. */
export const MASK = /^[•◦■]+$/;
/** Fields of one call. */
const BATCH = 500;

const ARE_PASSWORDS = `(_, ...elements) => elements.map((element) => element.type === "password")`;

/**
 * The nodes of a frame, in their order; password fields, and fields that are gone meanwhile, have neither a value nor
 * anything inside.
 * @throws ServiceError `timed_out`; `conflict` when a dialog is open
 */
export async function withoutPasswords(
  tab: Pick<Tab, "call" | "sessionOf">,
  nodes: readonly AxNode[],
  within: Pick<NodesCall, "frame" | "endMs">,
): Promise<readonly AxNode[]> {
  const fields = nodes.filter(isReadable).map(({ backendDOMNodeId }) => backendDOMNodeId);
  const others = new Set<number>();
  for (let from = 0; from < fields.length; from += BATCH) {
    const batch = fields.slice(from, from + BATCH);
    const call = { ...within, nodes: batch, script: ARE_PASSWORDS };
    const answers = await callOnNodes(tab, call).catch(ifGone);
    answers?.forEach((isPassword, at) => isPassword === false && others.add(batch[at]!));
  }
  return nodes.map((node) =>
    isReadable(node) && !others.has(node.backendDOMNodeId) ? emptied(node) : node
  );
}

/** Whether it has a value that is no mask, and no number such as that of a slider. */
function isReadable({ value }: AxNode): boolean {
  return typeof value?.value === "string" && value.value !== "" && !MASK.test(value.value);
}

function emptied({ value: _, ...node }: AxNode): AxNode {
  return { ...node, childIds: [] };
}

// The texts in an element as its reader sees them, by which people know what has no name: none of fields and hidden ones.

/** As Chromium names a text, and the bullet of an entry. */
const TEXT = "StaticText";
const LIST_MARKER = "ListMarker";
/** What these hold is no text of the element around them. */
const FIELDS: ReadonlySet<unknown> = new Set([
  ...["textbox", "TextField", "searchbox", "SearchBox", "combobox", "ComboBoxMenuButton"],
  "spinbutton",
]);
/** Characters of texts that are searched and shown beside their element; longer ones are its content. */
const MAX_SHORT = 100;
/** Characters of texts with the blanks around them that are kept, to know that they are too long. */
const MAX_COLLECTED = 300;
/** Between two texts. */
const BETWEEN = "\0";

/** What is in the nodes of a frame, by their ids. */
interface Collected {
  readonly texts: ReadonlyMap<string, string>;
  /** Nodes with a text that is not inside a named button, link or their like. */
  readonly loose: ReadonlySet<string>;
}

const known = new WeakMap<AxFrame, Collected>();

export interface ShortTexts {
  readonly text: string;
  /** Without anything between the texts: a stored value can be spread over several. */
  readonly glued: string;
  /** Whether all are in buttons, links and their like, whose names say what they are. */
  readonly isNamedInside: boolean;
}

/** `undefined` where there are none, or more than say what the element is. */
export function shortTexts(axFrame: AxFrame, { nodeId }: AxNode): ShortTexts | undefined {
  const collected = known.getOrInsertComputed(axFrame, () => collectTexts(axFrame.nodes));
  const found = collected.texts.get(nodeId) ?? "";
  const text = tidy(found.split(BETWEEN).map(tidy).join(" "));
  if (text === "" || text.length > MAX_SHORT || found.length > MAX_COLLECTED) return undefined;
  const isNamedInside = !collected.loose.has(nodeId);
  return { text, glued: found.replaceAll(BETWEEN, ""), isNamedInside };
}

/** From the inside out: browsers list nodes after those around them. */
function collectTexts(nodes: AxFrame["nodes"]): Collected {
  const found = new Map<string, string>();
  const loose = new Set<string>();
  for (const node of [...nodes.values()].reverse()) {
    const { nodeId, role, name, ignored, childIds = [] } = node;
    if (role?.value === TEXT) {
      const text = ignored ? "" : String(name?.value ?? "").slice(0, MAX_COLLECTED + 1);
      found.set(nodeId, text);
      if (tidy(text) !== "") loose.add(nodeId);
    } else if (!FIELDS.has(role?.value) && role?.value !== LIST_MARKER) {
      const texts = childIds.map((id) => found.get(id) ?? "").filter((text) => text !== "");
      found.set(nodeId, texts.join(BETWEEN).slice(0, MAX_COLLECTED + 1));
      if (childIds.some((id) => loose.has(id)) && !isNamedControl(node)) loose.add(nodeId);
    }
  }
  return { texts: found, loose };
}

function isNamedControl(node: AxNode): boolean {
  return !node.ignored && String(node.name?.value ?? "").trim() !== "" &&
    INTERACTIVE.has(readRole(node.role));
}
