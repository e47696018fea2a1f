/** Snapshots of pages by section, as `read_page_scoped` of `openai/helpers/browser` has them. */

import type { BrowserReadElement, BrowserScopedReadV1 } from "openai/helpers/browser";

/** Roles of parts of pages that are worth reading by themselves. */
const SECTIONS: ReadonlySet<string> = new Set([
  ...["document", "iframe", "main", "navigation", "banner", "contentinfo", "complementary"],
  ...["region", "section", "article", "form", "search", "dialog", "alertdialog", "group"],
  ...["table", "grid", "list", "tree", "menu", "menubar", "toolbar", "tablist", "tabpanel"],
]);
const CONTROLS: ReadonlySet<string> = new Set<BrowserReadElement["role"]>([
  ...["button", "textbox", "combobox", "checkbox", "radio", "slider", "listbox"] as const,
]);
/** What can be used and is not in the list of controls, whose roles are fixed. */
const INTERACTIVE: ReadonlySet<string> = new Set([
  ...["link", "searchbox", "option", "spinbutton", "switch", "tab", "menuitem"],
  ...["menuitemcheckbox", "menuitemradio", "treeitem"],
]);
const LINE = /^ *- ([\w-]+)(?: ("(?:[^"\\]|\\.)*"))? \[ref=(\w+)\]/;
/** In UTF-8. */
const MAX_LABEL_BYTES = 256;
const OMITTED = {
  characters: "text_limit",
  elements: "target_limit",
} as const satisfies Readonly<Record<string, BrowserScopedReadV1["omitted"][number]>>;

interface Snapshot {
  readonly text: string;
  readonly truncated: readonly string[];
}

/** @param root the ref of the section that was read; `null` for a page */
export function readScopes(
  { text, truncated }: Snapshot,
  { root, filter }: { readonly root: string | null; readonly filter: "all" | "interactive" },
): BrowserScopedReadV1 {
  const read: BrowserScopedReadV1 = {
    ...{ version: 1, elements: [], scopes: [], omitted: omissions(truncated) },
    text: "",
  };
  const shown = text.split("\n").filter((line) => {
    const [, role = "", name, ref] = LINE.exec(line) ?? [];
    if (ref === undefined) return filter === "all"; // text
    const label = cut(name === undefined ? role : JSON.parse(name)) || role;
    if (SECTIONS.has(role) && ref !== root) {
      read.scopes.push({ ref, label: cut(`${role} ${label}`) });
    }
    if (isControl(role)) read.elements.push({ ref, role, label });
    return filter === "all" || isControl(role) || INTERACTIVE.has(role);
  });
  return { ...read, text: shown.join("\n") };
}

function isControl(role: string): role is BrowserReadElement["role"] {
  return CONTROLS.has(role);
}

function omissions(truncated: readonly string[]): BrowserScopedReadV1["omitted"] {
  return Object.entries(OMITTED).flatMap(([what, code]) => truncated.includes(what) ? [code] : []);
}

function cut(text: string): string {
  const bytes = new Uint8Array(MAX_LABEL_BYTES);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  return text.slice(0, read).trim();
}
