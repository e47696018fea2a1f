/** The texts in an element as its reader sees them, by which people know what has no name: none of fields and hidden ones. */

import type { AxFrame, AxNode } from "./ax_tree.ts";
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

const known = new WeakMap<AxFrame, ReadonlyMap<string, string>>();

export interface ShortTexts {
  readonly text: string;
  /** Without anything between the texts: a stored value can be spread over several. */
  readonly glued: string;
}

/** `undefined` where there are none, or more than say what the element is. */
export function shortTexts(axFrame: AxFrame, { nodeId }: AxNode): ShortTexts | undefined {
  const texts = known.get(axFrame) ?? collectTexts(axFrame.nodes);
  known.set(axFrame, texts);
  const found = texts.get(nodeId) ?? "";
  const text = tidy(found.split(BETWEEN).map(tidy).join(" "));
  if (text === "" || text.length > MAX_SHORT || found.length > MAX_KEPT) return undefined;
  return { text, glued: found.replaceAll(BETWEEN, "") };
}

/** From the inside out: browsers list nodes after those around them. */
function collectTexts(nodes: AxFrame["nodes"]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const node of [...nodes.values()].reverse()) {
    const { nodeId, role, name, ignored, childIds = [] } = node;
    if (role?.value === TEXT) {
      found.set(nodeId, ignored ? "" : String(name?.value ?? "").slice(0, MAX_KEPT + 1));
    } else if (!FIELDS.has(role?.value) && role?.value !== LIST_MARKER) {
      const texts = childIds.map((id) => found.get(id) ?? "").filter((text) => text !== "");
      found.set(nodeId, texts.join(BETWEEN).slice(0, MAX_KEPT + 1));
    }
  }
  return found;
}
