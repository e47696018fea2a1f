/** Snapshots of a page as lines, and the search in them. */

import { ServiceError } from "../../../core/errors.ts";
import { cutRawText, identifyText, RAW_CUT_MARK } from "../../../core/texts.ts";
import { MAX_LINE_TEXT, MAX_READ_TEXT } from "../../element_texts.ts";
import type { PageElement, PageReading, PageSnapshot, SnapshotLine } from "../../types/browser.ts";
import { CdpError } from "../cdp/connection.ts";
import { describeElement, findElement } from "../elements.ts";
import type { BrowserJob } from "../running_browser.ts";
import type { Tab } from "../tab.ts";
import {
  type AxFrame,
  type AxNode,
  type AxReading,
  IGNORED,
  INTERACTIVE,
  PLAIN,
  readAxTree,
  readNode,
} from "./ax_tree.ts";

/** Levels of a page in which is searched. */
const MAX_DEPTH = 10_000;

export const snapshot: BrowserJob<"snapshot"> = async (
  browser,
  { tab: id, timeMs, root, ...given },
  { redact },
) => {
  const tab = root ? (await findElement(browser, root)).tab : await browser.choose(id);
  const tree = await read(tab, { timeMs, findsOnScreen: given.filter !== "all" });
  const options = { ...given, root, target: tab.target };
  const around = given.margin === 0 ? [] : [...findRepeated(tree, options)];
  const redacted = await redact(around);
  const secret = new Set(around.filter((text, index) => redacted[index] !== text.toWellFormed()));
  const { lines, truncated } = makeLines(tree, { ...options, secret });
  if (root && lines.length === 0) {
    throw new ServiceError("conflict", `${describeElement(root)} has no visible content`);
  }
  return { tab: await browser.describe(tab), lines, truncated };
};

/**
 * The best matches first: the full name, then its beginning, then words anywhere. Stored values are
 * replaced on both sides first: which elements match, and their order, would reveal their parts.
 */
export const find: BrowserJob<"find"> = async (
  browser,
  { tab: id, query, role, max, margin, timeMs },
  { redact },
) => {
  const tab = await browser.choose(id);
  const tree = await read(tab, { timeMs, findsOnScreen: false });
  const items: Item[] = [];
  const texts: string[] = []; // two of each: its name, and what else is searched
  const truncated = new Set<Truncation>();
  for (const item of walk(tree, { maxDepth: MAX_DEPTH }, truncated)) {
    if (item.role === "text" || item.role === "document" || PLAIN.has(item.role)) continue;
    if (role !== undefined && item.role !== role) continue;
    items.push(item);
    texts.push(item.name, `${item.role} ${item.value}`);
  }
  const [wanted, ...redacted] = await redact([query, ...texts]);
  const words = wanted!.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found = items.flatMap((item, index) => {
    const rank = rankMatch(words, redacted[2 * index]!, redacted[2 * index + 1]!);
    return rank === undefined ? [] : [{ rank, item }];
  }).sort((one, other) => one.rank - other.rank);
  const complete = found.filter(({ rank }) => rank < SOME_WORDS);
  if (complete.length > 0) found.splice(0, found.length, ...complete);
  const options = { filter: "all", margin, target: tab.target } as const;
  const lines = found.slice(0, max)
    .flatMap(({ item }) => makeLine({ ...item, level: 0, within: NOTHING }, options) ?? []);
  if (found.length > max) truncated.add("elements");
  return { tab: await browser.describe(tab), lines, truncated: [...truncated] };
};

/** Where only some of the words occur; the more are missing, the later. */
const SOME_WORDS = 10;

/** @param words in lower case */
function rankMatch(words: readonly string[], itsName: string, others: string): number | undefined {
  const query = words.join(" ");
  const [name, more] = [itsName.toLowerCase(), others.toLowerCase()];
  if (name === query) return 0;
  const has = words.filter((word) => name.includes(word) || more.includes(word)).length;
  if (has < words.length) return has === 0 ? undefined : SOME_WORDS + words.length - has;
  if (query !== "" && name.startsWith(query)) return 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}

async function read(tab: Tab, reading: AxReading): Promise<AxFrame> {
  try {
    return await readAxTree(tab, reading);
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    throw new ServiceError("conflict", "The page changed while it was read: try again");
  }
}

// Makes the lines of a snapshot from an accessibility tree, within bounds.

interface LineOptions extends Omit<PageReading, "tab" | "timeMs"> {
  readonly target: string;
  /**
   * Names and values with stored values, of {@link findRepeated}. To leave out the texts that only
   * repeat them would tell what is in them, so all texts inside are shown; or none, where the name or
   * the value is made of these texts, which would show it in pieces.
   */
  readonly secret?: ReadonlySet<string>;
}

type Truncation = PageSnapshot["truncated"][number];

/** Characters of all names and values, with what they lose later: more would take the main thread too long. */
const MAX_CARRIED = 2_000_000;
/** Room for ` [ref=e12345]` and a line break. */
const REF_LENGTH = 16;

interface Position {
  readonly axFrame: AxFrame;
  readonly node: AxNode;
  readonly level: number;
  readonly within: Around;
}

/** The element around a text, which may only repeat what that says. */
interface Around {
  /** Its name and value. */
  readonly text: string;
  /** Whether these may be made of the texts inside. */
  readonly isContent: boolean;
}

const NOTHING: Around = { text: "", isContent: false };

/** Roles whose name is never made of their content; browsers do so with more than WAI-ARIA 1.2 lists. */
const FROM_AUTHOR: ReadonlySet<string> = new Set([
  ...[
    "document",
    "dialog",
    "alertdialog",
    "form",
    "main",
    "navigation",
    "region",
    "banner",
    "search",
  ],
  ...[
    "complementary",
    "contentinfo",
    "article",
    "group",
    "list",
    "table",
    "grid",
    "tree",
    "iframe",
  ],
  ...["toolbar", "menu", "menubar", "tablist", "tabpanel", "figure", "radiogroup", "application"],
]);

interface Item extends Position, ReturnType<typeof readNode> {}

/** What is cut can end within a stored value: no text counts as repeated in it. */
function repeats(within: string, text: string): boolean {
  return within.includes(text) && !within.includes(RAW_CUT_MARK);
}

/** Names and values that a text inside repeats, or that are made of it, each once. */
function findRepeated(main: AxFrame, options: LineOptions): ReadonlySet<string> {
  const found = new Set<string>();
  if (options.filter === "interactive") return found; // shows no texts
  for (const { role, name, within } of walk(main, options, new Set())) {
    if (role !== "text" || within.text === "" || within.text.includes(RAW_CUT_MARK)) continue;
    if (within.isContent || repeats(within.text, name)) found.add(within.text);
  }
  return found;
}

/** Walks in the order of the page, without recursion: pages can be very deep. */
export function makeLines(
  main: AxFrame,
  options: LineOptions,
): { readonly lines: readonly SnapshotLine[]; readonly truncated: readonly Truncation[] } {
  const lines: SnapshotLine[] = [];
  const truncated = new Set<Truncation>();
  let [characters, carried] = [0, 0];
  for (const item of walk(main, options, truncated)) {
    const line = makeLine(item, options);
    if (line === undefined) continue;
    carried += line.name.length + line.value.length;
    characters += 2 * item.level + sizeOf(line) + REF_LENGTH;
    if (lines.length >= options.maxElements) truncated.add("elements");
    else if (characters > options.maxCharacters) truncated.add("characters");
    else if (carried > MAX_CARRIED) truncated.add("size");
    else {
      lines.push(line);
      continue;
    }
    break;
  }
  return { lines, truncated: [...truncated] };
}

/** All nodes that say something, in the order of the page. */
function* walk(
  main: AxFrame,
  { root, maxDepth }: Pick<LineOptions, "root" | "maxDepth">,
  truncated: Set<Truncation>,
): Generator<Item> {
  const start = root === undefined
    ? { axFrame: main, node: main.root, level: 0, within: NOTHING }
    : findRoot(main, root);
  const stack: Position[] = start === undefined ? [] : [start];
  let text = 0;
  while (stack.length > 0) {
    const position = stack.pop()!;
    const { axFrame, node, level, within } = position;
    const item = { ...position, ...readNode(node) };
    const { role, name, value } = item;
    if (IGNORED.has(role)) continue;
    text += name.length + value.length;
    if (text > MAX_READ_TEXT) return void truncated.add("size");
    const isPlain = node.ignored || PLAIN.has(role);
    if (!isPlain) yield item;
    // the content of a frame is not in the viewport where the frame is not
    if (role === "iframe" && axFrame.onScreen?.(node.backendDOMNodeId) === false) continue;
    const inner = role === "iframe" ? axFrame.inner.get(node.backendDOMNodeId) : undefined;
    const children = inner
      ? [{ axFrame: inner, node: inner.root }]
      : (node.childIds ?? []).flatMap((id) => axFrame.nodes.get(id) ?? [])
        .map((child) => ({ axFrame, node: child }));
    const below = isPlain ? level : level + 1;
    if (below > maxDepth) {
      if (children.length > 0) truncated.add("depth");
      continue;
    }
    const around = isPlain
      ? within
      : { text: `${name} ${value}`, isContent: !FROM_AUTHOR.has(role) };
    for (let at = children.length - 1; at >= 0; at--) {
      stack.push({ ...children[at]!, level: below, within: around });
    }
  }
}

function makeLine(
  { axFrame, node, level, within, role, name, value }: Item,
  { filter, margin, target, secret }: Pick<LineOptions, "filter" | "margin" | "target" | "secret">,
): SnapshotLine | undefined {
  if (filter !== "all" && axFrame.onScreen?.(node.backendDOMNodeId) === false) return undefined;
  if (role === "text") {
    // the name of a button is its text
    const isRepeated = secret?.has(within.text) ? within.isContent : repeats(within.text, name);
    if (filter === "interactive" || name === "" || isRepeated) return undefined;
    return { level, role, name: cutRawText(name, MAX_LINE_TEXT + margin), states: [], value: "" };
  }
  const states = readStates(node);
  if (filter === "interactive" && !INTERACTIVE.has(role) && !states.includes("focusable")) {
    return undefined;
  }
  if (filter === "interactive" && role === "document") return undefined;
  const isHidden = /^•+$/.test(value); // a password
  return {
    level: filter === "interactive" ? 0 : level,
    role,
    name: cutRawText(name, MAX_LINE_TEXT + margin),
    states: states.filter((state) => state !== "focusable"),
    value: value === name || isHidden ? "" : cutRawText(value, MAX_LINE_TEXT + margin),
    element: {
      target,
      frame: axFrame.id,
      loader: axFrame.loader,
      node: node.backendDOMNodeId,
      role,
      name: identifyText(name),
    },
  };
}

/** The protocol's properties as the states of snapshots. */
function readStates({ properties = [] }: AxNode): readonly string[] {
  const states: string[] = [];
  for (const { name, value: { value } } of properties) {
    if (name === "checked" || name === "pressed") {
      if (value === "mixed") states.push("mixed");
      else if (String(value) === "true") states.push(name);
    } else if (name === "expanded") states.push(value ? "expanded" : "collapsed");
    else if (name === "invalid") {
      if (value !== "false" && value !== false) states.push("invalid");
    } else if (STATES.has(name) && value === true) states.push(name);
  }
  return states;
}

const STATES: ReadonlySet<string> = new Set([
  ...["focused", "focusable", "selected", "disabled", "readonly", "required", "modal"],
]);

function findRoot(main: AxFrame, root: PageElement): Position | undefined {
  const frames = [main];
  for (const axFrame of frames) {
    frames.push(...axFrame.inner.values());
    if (axFrame.id !== root.frame || axFrame.loader !== root.loader) continue;
    for (const node of axFrame.nodes.values()) {
      if (node.backendDOMNodeId === root.node) return { axFrame, node, level: 0, within: NOTHING };
    }
  }
  return undefined;
}

/** Characters of a line without its ref, as far as that is known before stored values are replaced. */
function sizeOf({ role, name, states, value }: SnapshotLine): number {
  const sizes = [name, value].map((text) =>
    text === "" ? 0 : JSON.stringify(text.slice(0, MAX_LINE_TEXT)).length + 2
  );
  return states.reduce((sum, state) => sum + state.length + 3, role.length + sizes[0]! + sizes[1]!);
}
