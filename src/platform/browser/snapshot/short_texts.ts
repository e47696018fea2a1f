/** The texts in an element as its reader sees them, by which people know what has no name: none of fields and hidden ones. */

import { type AxFrame, type AxNode, INTERACTIVE, readRole } from "./ax_tree.ts";
import { tidy } from "./clickable.ts";

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
const MAX_KEPT = 300;
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
  if (text === "" || text.length > MAX_SHORT || found.length > MAX_KEPT) return undefined;
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
      const text = ignored ? "" : String(name?.value ?? "").slice(0, MAX_KEPT + 1);
      found.set(nodeId, text);
      if (tidy(text) !== "") loose.add(nodeId);
    } else if (!FIELDS.has(role?.value) && role?.value !== LIST_MARKER) {
      const texts = childIds.map((id) => found.get(id) ?? "").filter((text) => text !== "");
      found.set(nodeId, texts.join(BETWEEN).slice(0, MAX_KEPT + 1));
      if (childIds.some((id) => loose.has(id)) && !isNamedControl(node)) loose.add(nodeId);
    }
  }
  return { texts: found, loose };
}

function isNamedControl(node: AxNode): boolean {
  return !node.ignored && String(node.name?.value ?? "").trim() !== "" &&
    INTERACTIVE.has(readRole(node.role));
}
