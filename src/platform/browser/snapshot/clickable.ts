/**
 * Elements that react to clicks or keys although their role does not say so, and how their refs know them: few have
 * a name, so the texts inside must be the same.
 */

import type { Protocol } from "devtools-protocol/types/protocol.d.ts";
import { hasCode } from "../../../core/errors.ts";
import { cutRawText } from "../../../core/texts.ts";
import { MAX_NAME } from "../../element_texts.ts";
import type { SnapshotLine } from "../../types/browser.ts";
import { callOnNodes, ifGone } from "../isolated_world.ts";
import type { Tab } from "../tab.ts";

export interface Reacting {
  /** The nodes of elements that listen to clicks. */
  readonly listening: ReadonlySet<number>;
  /** The nodes that have the cursor of a link: one of them, or an element around them, listens. */
  readonly pointed: ReadonlySet<number>;
  /** The nodes that the Tab key reaches because their author says so (`tabindex`). */
  readonly tabbable: ReadonlySet<number>;
  /** The nodes whose content their author lets people edit (`contenteditable`). */
  readonly editable: ReadonlySet<number>;
  /** What the author calls a node, whatever its role; empty for most. */
  labelOf(node: number): string;
}

export const NOTHING_REACTS: Reacting = {
  listening: new Set(),
  pointed: new Set(),
  tabbable: new Set(),
  editable: new Set(),
  labelOf: () => "",
};

/** @param document has the computed style `cursor` first */
export function findReacting(
  { nodes, layout }: Protocol.DOMSnapshot.DocumentSnapshot,
  strings: readonly string[],
): Reacting {
  const { backendNodeId = [], isClickable, attributes = [] } = nodes;
  const byNode = (indexes: readonly number[]) =>
    new Map(indexes.map((index) => [backendNodeId[index]!, index]));
  const hasPointer = (at: number) => strings[layout.styles[at]?.[0] ?? -1] === "pointer";
  const listening = byNode(isClickable?.index ?? []);
  const pointed = byNode(layout.nodeIndex.filter((_, at) => hasPointer(at)));
  const having = (name: string, accepts: (value: string) => boolean) =>
    byNode(
      [...attributes.keys()].filter((index) => {
        const value = readAttribute(attributes[index]!, strings, name);
        return value !== undefined && accepts(value);
      }),
    );
  const tabbable = having("tabindex", (value) => Number.parseInt(value) >= 0);
  const editable = having("contenteditable", (value) => EDITABLE.has(value.toLowerCase()));
  const all = [listening, pointed, tabbable, editable];
  const [listens, points, tabs, edits] = all.map((nodes) => new Set(nodes.keys()));
  return {
    listening: listens!,
    pointed: points!,
    tabbable: tabs!,
    editable: edits!,
    labelOf(node) {
      const index = all.find((nodes) => nodes.has(node))?.get(node);
      return index === undefined ? "" : readLabel(attributes[index] ?? [], strings);
    },
  };
}

/** The values of `contenteditable` that are not those of an element that merely inherits it. */
const EDITABLE: ReadonlySet<string> = new Set(["", "true", "plaintext-only"]);

function readLabel(pairs: readonly number[], strings: readonly string[]): string {
  for (const wanted of ["aria-label", "title"]) {
    const label = tidy(cutRawText(readAttribute(pairs, strings, wanted) ?? "", MAX_NAME));
    if (label !== "") return label;
  }
  return "";
}

/** @param pairs name and value in turn */
function readAttribute(
  pairs: readonly number[],
  strings: readonly string[],
  wanted: string,
): string | undefined {
  const at = pairs.findIndex((name, index) => index % 2 === 0 && strings[name] === wanted);
  return at < 0 ? undefined : strings[pairs[at + 1]!] ?? "";
}

export function tidy(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

// By what a ref knows such an element again.

/** Of an element whose identity is not read yet. */
export const UNREAD = "";
/** Elements with more characters, or more nodes, are known by their labels alone: the beginning of a text could tell how it begins. */
const MAX_TEXTS = 10_000;
const MAX_NODES = 1_000;
/** Elements of one call. */
const BATCH = 500;

/**
 * A number for the labels and texts of an element (cyrb53 by bryc, public domain, without its last step); `null` where
 * the letters and digits that a reader was shown are not in it any more. What is typed into fields is none of its
 * texts, nor is what is typed into itself, and closed shadow trees are not read.
 */
const IDENTIFY = `(element, shown) => {
  const attribute = (node, name) => Element.prototype.getAttribute.call(node, name) ?? "";
  let [a, b, length, seen, isLong] = [0xdeadbeef, 0x41c6ce57, 0, "", false];
  const add = (kind, raw) => {
    isLong ||= raw.length > ${MAX_TEXTS};
    const text = isLong ? "" : raw.replace(/\\s+/g, " ").trim();
    if (text === "") return;
    for (const part of [kind, text, "\\n"]) {
      for (let at = 0; at < part.length; at++) {
        a = Math.imul(a ^ part.charCodeAt(at), 2654435761);
        b = Math.imul(b ^ part.charCodeAt(at), 1597334677);
      }
    }
    length += text.length;
    seen += text;
    isLong ||= length > ${MAX_TEXTS};
  };
  add("label ", attribute(element, "aria-label"));
  add("title ", attribute(element, "title"));
  const labels = [a, b];
  [length, seen] = [0, ""];
  const stack = element.isContentEditable === true ? [] : [element];
  let left = ${MAX_NODES};
  while (stack.length > 0 && !isLong && left-- > 0) {
    const node = stack.pop();
    if (node.nodeType === 3) add("", node.nodeValue);
    if (node.nodeType !== 1 && node.nodeType !== 11) continue;
    if (node !== element && (node.isContentEditable === true || /^(TEXTAREA|SELECT|SCRIPT|STYLE)$/.test(node.nodeName))) continue;
    if (node.nodeName === "IMG") add("image ", attribute(node, "alt"));
    const slotted = node.nodeName === "SLOT" ? node.assignedNodes({ flatten: true }) : [];
    const inside = slotted.length > 0 ? slotted : (node.shadowRoot ?? node).childNodes;
    for (let at = Math.min(inside.length, left + 1) - 1; at >= 0; at--) stack.push(inside[at]);
  }
  if (isLong || stack.length > 0) return labels.map((part) => part >>> 0).join("-");
  const letters = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}]/gu, "");
  const there = letters(seen);
  let from = 0;
  for (const letter of letters(shown ?? "")) {
    from = there.indexOf(letter, from) + 1;
    if (from === 0) return null;
  }
  return [a, b].map((part) => part >>> 0).join("-");
}`;

const IDENTIFY_ALL = `(shown, ...elements) => elements.map((element, at) => {
  try {
    return (${IDENTIFY})(element, shown[at]);
  } catch {
    return null;
  }
})`;
/** With the element as `this`. */
export const IDENTIFY_THIS = `function () { return (${IDENTIFY})(this); }`;

/** A line with the texts inside its element, as far as they say what it is. */
export interface KnownLine {
  readonly line: SnapshotLine;
  readonly texts: string;
}

/**
 * The lines with the identities of their elements as far as the time allows, and as they have not changed since they were
 * read; the refs of the others are refused later.
 * @param endMs of `performance.now()`
 */
export async function identifyClickables(
  tab: Tab,
  known: readonly KnownLine[],
  endMs: number,
): Promise<readonly SnapshotLine[]> {
  const unread = known.filter(({ line }) => line.element?.texts === UNREAD);
  const found = new Map<SnapshotLine, string>();
  for (const [frame, all] of Map.groupBy(unread, ({ line }) => line.element!.frame)) {
    for (let from = 0; from < all.length && performance.now() < endMs; from += BATCH) {
      const batch = all.slice(from, from + BATCH);
      const identities = await identify(tab, frame, batch, endMs).catch(ifTooLate);
      identities?.forEach((identity, at) => identity && found.set(batch[at]!.line, identity));
    }
  }
  return known.map(({ line }) => {
    const texts = found.get(line);
    return texts === undefined ? line : { ...line, element: { ...line.element!, texts } };
  });
}

function ifTooLate(error: unknown): undefined {
  return hasCode(error, "timed_out") ? undefined : ifGone(error);
}

/** `undefined` for elements that are gone, or are others now. */
async function identify(
  tab: Tab,
  frame: string,
  known: readonly KnownLine[],
  endMs: number,
): Promise<readonly (string | undefined)[]> {
  const identities = await callOnNodes(tab, {
    frame,
    nodes: known.map(({ line }) => line.element!.node),
    script: IDENTIFY_ALL,
    args: known.map(({ texts }) => texts),
    endMs,
  });
  return identities.map((identity) => typeof identity === "string" ? identity : undefined);
}
