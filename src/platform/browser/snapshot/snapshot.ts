/** Snapshots of a page as lines, and the search in them. */

import { ServiceError } from "../../../core/errors.ts";
import { cutRawText, identifyText, RAW_CUT_MARK } from "../../../core/texts.ts";
import { MAX_LINE_TEXT, MAX_READ_TEXT, MAX_TEXT } from "../../element_texts.ts";
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
  isRoleless,
  MASK,
  PLAIN,
  readAxTree,
  readNode,
  type ShortTexts,
  shortTexts,
} from "./ax_tree.ts";
import { identifyClickables, type KnownLine, UNREAD } from "./clickable.ts";

/** Levels of a page in which is searched. */
const MAX_DEPTH = 10_000;

export const snapshot: BrowserJob<"snapshot"> = async (
  browser,
  { tab: id, timeMs, root, ...given },
  { redact },
) => {
  const tab = root
    ? (await findElement(browser, root, { anyTexts: true })).tab // they are read now
    : await browser.choose(id);
  const end = performance.now() + timeMs;
  const tree = await read(tab, { timeMs, findsOnScreen: given.filter !== "all" });
  const options = { ...given, root, target: tab.target };
  const around = given.margin === 0 ? [] : [...findRepeated(tree, options)];
  const redacted = await redact(around);
  const secret = changed(around, redacted);
  const { lines: made, truncated } = makeLines(tree, { ...options, secret });
  if (root && made.length === 0) {
    throw new ServiceError("conflict", `${describeElement(root)} has no visible content`);
  }
  const lines = await identifyClickables(tab, made, end);
  const value = root && readFullValue(findRoot(tree, root)?.node);
  const described = await browser.describe(tab);
  return { tab: described, lines, truncated, ...(value !== undefined && { value }) };
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
  const end = performance.now() + timeMs;
  const tree = await read(tab, { timeMs, findsOnScreen: false });
  const items: Item[] = [];
  const texts: string[] = []; // of each: its name or texts, what else is searched, and what its texts may tell
  const arounds = new Set<string>();
  const truncated = new Set<Truncation>();
  for (const item of walk(tree, { maxDepth: MAX_DEPTH }, truncated)) {
    if (item.role === "text" || item.role === "document") continue;
    if (role !== undefined && item.role !== role) continue;
    items.push(item);
    const { text } = item.short ?? NO_TEXT;
    if (text !== "" && item.within.isContent) arounds.add(item.within.text);
    texts.push(item.name || text, `${item.role} ${item.value}`, text === "" ? "" : item.glued);
  }
  const [wanted, ...redacted] = await redact([query, ...texts, ...arounds]);
  const secret = changed([...arounds], redacted.slice(texts.length));
  const words = wanted!.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found = items.flatMap((item, index) => {
    const at = FIELDS * index;
    // a stored value in several pieces is found by none of them
    const isNamed = item.name !== "";
    const isSpread = redacted[at + 2] !== texts[at + 2]!.toWellFormed() ||
      secret.has(item.within.text);
    const text = !isNamed && isSpread ? "" : redacted[at]!;
    const rank = rankMatch(words, text, redacted[at + 1]!);
    if (rank === undefined) return [];
    return [{ rank: isNamed ? rank : rank + UNNAMED, item, text: isNamed ? "" : text }];
  }).sort((one, other) => one.rank - other.rank);
  const complete = found.filter(({ rank }) => rank < SOME_WORDS);
  if (complete.length > 0) found.splice(0, found.length, ...complete);
  const options = { filter: "all", margin, target: tab.target } as const;
  const made = found.slice(0, max).flatMap(({ item, text }) => {
    const line = makeLine({ ...item, level: 0 }, options);
    if (line === undefined) return [];
    const known = { line, texts: item.short?.text ?? "" };
    return text === "" ? [known] : [known, { line: textLine(text, 1), texts: "" }];
  });
  const lines = await identifyClickables(tab, made, end);
  if (found.length > max) truncated.add("elements");
  return { tab: await browser.describe(tab), lines, truncated: [...truncated] };
};

/** What lines show in one line, and cut. */
function readFullValue(node: AxNode | undefined): string | undefined {
  const value = cutRawText(String(node?.value?.value ?? ""), MAX_TEXT);
  return value === "" || MASK.test(value) ? undefined : value;
}

/** The texts in which stored values were replaced. */
function changed(texts: readonly string[], redacted: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text, index) => redacted[index] !== text.toWellFormed()));
}

const NO_TEXT = { text: "" };
/** Texts of each item. */
const FIELDS = 3;
/** What is found by the texts inside comes after what has them as its name. */
const UNNAMED = 0.5;

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

/** What an element inherits from those around it. */
interface Inherited {
  readonly within: Around;
  /** Whether an element around it has the cursor of a link. */
  readonly isPointed: boolean;
  /** Whether what is around it can be edited, and it with that. */
  readonly isInEditor: boolean;
  /** All texts of the outermost element around it, or of itself, that only reacts and has no name. */
  readonly glued: string;
}

interface Position extends Inherited {
  readonly axFrame: AxFrame;
  readonly node: AxNode;
  readonly level: number;
}

/** The element around a text, which may only repeat what that says. */
interface Around {
  /** Its name and value; of those that only an author names, the name. */
  readonly text: string;
  /** Whether these may be made of the texts inside. */
  readonly isContent: boolean;
  /** Whether a line shows only the beginning of what is in it. */
  readonly isCut?: boolean;
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

/** To what an element reacts although its role does not say so: clicks, or else keys or typed text. */
type Reaction = "clickable" | "focusable" | "editable";

interface Item extends Position, ReturnType<typeof readNode> {
  readonly reaction: Reaction | undefined;
  /** What says what it is, where it only reacts and has no name; what is typed into it does not. */
  readonly short: ShortTexts | undefined;
}

const TOP: Inherited = { within: NOTHING, isPointed: false, isInEditor: false, glued: "" };

/**
 * A title says nothing of the texts that occur in it. What is cut can end within a stored value, and does not show
 * what comes then: no text counts as repeated in it.
 */
function repeats({ text: around, isContent, isCut }: Around, text: string): boolean {
  return !isCut && (isContent ? around.includes(text) : around === text) &&
    !around.includes(RAW_CUT_MARK);
}

/**
 * Names and values that a text inside repeats, or that are made of it, and the texts by which people know
 * an element, each once.
 */
function findRepeated(main: AxFrame, options: LineOptions): ReadonlySet<string> {
  const found = new Set<string>();
  const isInteractive = options.filter === "interactive"; // shows no other texts
  for (const { role, name, within, short, glued } of walk(main, options, new Set())) {
    if (isInteractive && glued !== "") found.add(glued);
    const isShown = isInteractive ? short !== undefined : role === "text";
    if (!isShown || within.text === "" || within.text.includes(RAW_CUT_MARK)) continue;
    if (within.isContent || repeats(within, name)) found.add(within.text);
  }
  return found;
}

/** Walks in the order of the page, without recursion: pages can be very deep. */
export function makeLines(
  main: AxFrame,
  options: LineOptions,
): { readonly lines: readonly KnownLine[]; readonly truncated: readonly Truncation[] } {
  const lines: KnownLine[] = [];
  const truncated = new Set<Truncation>();
  let [characters, carried] = [0, 0];
  for (const known of eachLine(main, options, truncated)) {
    const { line } = known;
    carried += line.name.length + line.value.length;
    characters += 2 * line.level + sizeOf(line) + REF_LENGTH;
    if (lines.length >= options.maxElements) truncated.add("elements");
    else if (characters > options.maxCharacters) truncated.add("characters");
    else if (carried > MAX_CARRIED) truncated.add("size");
    else {
      lines.push(known);
      continue;
    }
    break;
  }
  return { lines, truncated: [...truncated] };
}

function* eachLine(
  main: AxFrame,
  options: LineOptions,
  truncated: Set<Truncation>,
): Generator<KnownLine> {
  const { filter, secret } = options;
  for (const item of walk(main, options, truncated)) {
    const line = makeLine(item, options);
    const { short, within, glued } = item;
    if (line) yield { line, texts: short?.text ?? "" };
    if (!line || !short || short.isNamedInside || filter !== "interactive") continue;
    const isSecret = secret?.has(glued) || within.isContent && secret?.has(within.text);
    if (!isSecret) yield { line: textLine(short.text, 1), texts: "" };
  }
}

function textLine(name: string, level: number): SnapshotLine {
  return { level, role: "text", name, states: [], value: "" };
}

/** All nodes that say something, in the order of the page. */
function* walk(
  main: AxFrame,
  { root, maxDepth }: Pick<LineOptions, "root" | "maxDepth">,
  truncated: Set<Truncation>,
): Generator<Item> {
  const start = root === undefined
    ? { axFrame: main, node: main.root, level: 0, ...TOP }
    : findRoot(main, root);
  const stack: Position[] = start === undefined ? [] : [start];
  let text = 0;
  while (stack.length > 0) {
    const position = stack.pop()!;
    const { axFrame, node, level } = position;
    const { item, isPlain, inside } = readItem(position);
    const { role, name, value } = item;
    if (IGNORED.has(role)) continue;
    text += name.length + value.length;
    if (text > MAX_READ_TEXT) return void truncated.add("size");
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
    const inherited = inner ? { ...TOP, within: inside.within, glued: inside.glued } : inside;
    for (let at = children.length - 1; at >= 0; at--) {
      stack.push({ ...children[at]!, level: below, ...inherited });
    }
  }
}

/** What a node says, whether it only stands for its children, and what these inherit. */
function readItem(position: Position) {
  const { axFrame, node, within } = position;
  const { role, value, ...read } = readNode(node);
  const reaction = findReaction(position, role);
  const hasNoRole = PLAIN.has(role);
  // while it has the focus, its texts can be its name
  const name = hasNoRole && reaction ? axFrame.labelOf(node.backendDOMNodeId) : read.name;
  const isPlain = node.ignored || hasNoRole && !reaction;
  const isKnownByTexts = reaction && reaction !== "editable" && name === "" && !isEdited(node);
  const short = isKnownByTexts ? shortTexts(axFrame, node) : undefined;
  const glued = position.glued || (short?.glued ?? "");
  const item: Item = { ...position, role, name, value, reaction, short, glued };
  // what has no name is known by the texts inside, whatever an author has said around it
  const own = name === "" && !within.isContent ? NOTHING : within;
  const isContainer = hasNoRole && reaction !== "editable";
  const inside: Inherited = {
    within: isPlain ? within : isContainer ? own : aroundOf(item),
    isPointed: position.isPointed || hasPointer(axFrame, node),
    isInEditor: node.ignored ? position.isInEditor : isEdited(node) || reaction === "editable",
    glued,
  };
  return { item, isPlain, inside };
}

function aroundOf({ role, name, value }: ReturnType<typeof readNode>): Around {
  const isContent = !FROM_AUTHOR.has(role);
  // what has no role has its whole text as its value
  const isCut = PLAIN.has(role) && value.length > MAX_LINE_TEXT;
  return { text: isContent ? `${name} ${value}` : name, isContent, isCut };
}

function hasPointer({ pointed }: AxFrame, { ignored, backendDOMNodeId }: AxNode): boolean {
  return !ignored && pointed.has(backendDOMNodeId);
}

function findReaction(position: Position, role: string): Reaction | undefined {
  if (reactsToClick(position, role)) return "clickable";
  const { axFrame: { editable, tabbable }, node, isInEditor } = position;
  const { backendDOMNodeId: id } = node;
  const isEditor = editable.has(id) && !isInEditor;
  const reaction = isEditor ? "editable" : tabbable.has(id) ? "focusable" : undefined;
  if (!reaction || node.ignored || !isRoleless(role)) return undefined;
  // not where it is inert, or inside what is edited as a whole
  return readStates(node).includes("focusable") ? reaction : undefined;
}

/** Whether people can edit its content: what is typed there does not say what it is. */
function isEdited({ properties }: AxNode): boolean {
  return properties?.some(({ name }) => name === "editable") === true;
}

/** What has no role, or one that says nothing of clicks, and reacts to them all the same. */
function reactsToClick({ axFrame, node, isPointed }: Position, role: string): boolean {
  if (node.ignored || INTERACTIVE.has(role) || role === "text" || role === "document") return false;
  if (PLAIN.has(role) && !isRoleless(role)) return false;
  // browsers let everything that can be edited react
  if (isEdited(node)) return false;
  return axFrame.listening.has(node.backendDOMNodeId) || !isPointed && hasPointer(axFrame, node);
}

function makeLine(
  { axFrame, node, level, within, role, name, value, reaction }: Item,
  { filter, margin, target, secret }: Pick<LineOptions, "filter" | "margin" | "target" | "secret">,
): SnapshotLine | undefined {
  const { backendDOMNodeId: id } = node;
  if (filter !== "all" && axFrame.onScreen?.(id) === false) return undefined;
  if (role === "text") {
    // the name of a button is its text
    const isRepeated = secret?.has(within.text) ? within.isContent : repeats(within, name);
    if (filter === "interactive" || name === "" || isRepeated) return undefined;
    return textLine(cutRawText(name, MAX_LINE_TEXT + margin), level);
  }
  const states = readStates(node);
  if (reaction === "editable" && !states.includes("multiline")) states.push("multiline");
  if (filter === "interactive") {
    const reacts = INTERACTIVE.has(role) || states.includes("focusable") || reaction;
    if (!reacts || role === "document") return undefined;
  }
  const isHidden = MASK.test(value);
  return {
    level: filter === "interactive" ? 0 : level,
    role,
    name: cutRawText(name, MAX_LINE_TEXT + margin),
    states: [...states.filter((state) => state !== "focusable"), ...reaction ? [reaction] : []],
    value: value === name || isHidden ? "" : cutRawText(value, MAX_LINE_TEXT + margin),
    element: {
      target,
      frame: axFrame.id,
      loader: axFrame.loader,
      node: id,
      role,
      name: identifyText(name),
      ...(reaction && (name === "" || PLAIN.has(role)) && { texts: UNREAD }),
    },
  };
}

/** The protocol's properties as the states of snapshots. */
function readStates({ properties = [] }: AxNode): string[] {
  const states: string[] = [];
  for (const { name, value: { value } } of properties) {
    if (name === "checked" || name === "pressed") {
      if (value === "mixed") states.push("mixed");
      else if (String(value) === "true") states.push(name);
      else if (name === "pressed") states.push("unpressed"); // only buttons that can be switched have it
    } else if (name === "expanded") states.push(value ? "expanded" : "collapsed");
    else if (name === "invalid") {
      if (value !== "false" && value !== false) states.push("invalid");
    } else if (STATES.has(name) && value === true) states.push(name);
  }
  return states;
}

const STATES: ReadonlySet<string> = new Set([
  ...["focused", "focusable", "selected", "disabled", "readonly", "required", "modal"],
  "multiline", // of text fields with a role alone
]);

function findRoot(main: AxFrame, root: PageElement): Position | undefined {
  const frames = [main];
  for (const axFrame of frames) {
    frames.push(...axFrame.inner.values());
    if (axFrame.id !== root.frame || axFrame.loader !== root.loader) continue;
    for (const node of axFrame.nodes.values()) {
      if (node.backendDOMNodeId === root.node) {
        return { axFrame, node, level: 0, ...inheritedBy(node, axFrame) };
      }
    }
  }
  return undefined;
}

/** From those around it in its frame. */
function inheritedBy({ parentId }: AxNode, axFrame: AxFrame): Inherited {
  const around: AxNode[] = [];
  for (let node = axFrame.nodes.get(parentId ?? ""); node;) {
    around.push(node);
    node = axFrame.nodes.get(node.parentId ?? "");
  }
  return around.reduceRight(
    (inherited, node) => readItem({ axFrame, node, level: 0, ...inherited }).inside,
    TOP,
  );
}

/** Characters of a line without its ref, as far as that is known before stored values are replaced. */
function sizeOf({ role, name, states, value }: SnapshotLine): number {
  const sizes = [name, value].map((text) =>
    text === "" ? 0 : JSON.stringify(text.slice(0, MAX_LINE_TEXT)).length + 2
  );
  return states.reduce((sum, state) => sum + state.length + 3, role.length + sizes[0]! + sizes[1]!);
}
