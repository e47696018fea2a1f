/** Writes a snapshot as XML, in which every element has its coordinates. */

import { toNode } from "./element_node.ts";
import type { ElementNode } from "./fields.ts";
import type { Writer } from "./writer.ts";

export function writeXml(): Writer {
  const lines: string[] = ["<elements>"];
  const open: { readonly tag: string; start: string; isEmpty: boolean }[] = [];
  const close = (depth: number) => {
    while (open.length > depth) {
      const { tag, start, isEmpty } = open.pop()!;
      const indent = "  ".repeat(open.length + 1);
      lines.push(isEmpty ? `${indent}${start}/>` : `${indent}</${tag}>`);
    }
  };
  return {
    add(entry, ref) {
      const tag = toTag(entry.element.role);
      const start = `<${tag}${formatAttributes(toNode(entry, ref!))}`;
      return {
        size: 2 * entry.depth + start.length + 4,
        write() {
          close(entry.depth);
          const parent = open.at(-1);
          if (parent?.isEmpty) {
            lines.push(`${"  ".repeat(open.length)}${parent.start}>`);
            parent.isEmpty = false;
          }
          open.push({ tag, start, isEmpty: true });
        },
      };
    },
    end(omitted) {
      close(0);
      if (omitted > 0) lines.push(`  <omitted count="${omitted}"/>`);
      return { xml: [...lines, "</elements>", ""].join("\n") };
    },
  };
}

function formatAttributes(node: ElementNode): string {
  const { ref, name, value, description, states, bounds, window } = node;
  const attributes = {
    ...{ ref, name, value, description, window },
    states: states.length === 0 ? undefined : states.join(" "),
    ...bounds,
  };
  return Object.entries(attributes)
    .map(([key, text]) =>
      text === undefined || text === "" ? "" : ` ${key}="${escapeXml(String(text))}"`
    )
    .join("");
}

/** Roles are names of XML already, but for those that a system makes up. */
function toTag(role: string): string {
  const tag = role.replace(/[^A-Za-z0-9_-]/g, "-");
  return /^[A-Za-z_]/.test(tag) ? tag : `role-${tag}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"\n\r\t]/g, (character) => ESCAPES[character]!)
    // deno-lint-ignore no-control-regex -- XML 1.0 has no such characters
    .replace(/[\u0000-\u001f\ufffe\uffff]/g, "\ufffd");
}
