/** Writes the entries of a snapshot as text, as JSON or as XML, within a number of characters. */

import { Turns } from "../../core/turns.ts";
import type { Region } from "../../platform/types/mod.ts";
import { shortenName } from "./describe_element.ts";
import type { ElementNode } from "./fields.ts";
import { toNode } from "./element_node.ts";
import { type Entry, statesToTell, textOf, valueToTell } from "./outline.ts";
import { writeXml } from "./write_xml.ts";
import type { Contents, Writer } from "./writer.ts";

export const SNAPSHOT_FORMATS = ["text", "json", "xml"] as const;
export type SnapshotFormat = typeof SNAPSHOT_FORMATS[number];

export interface WriteOptions {
  readonly maxChars: number;
  /** The ref of an element, by which it can be found from now on. */
  readonly name: (entry: Entry) => string;
  readonly signal: AbortSignal;
}

export interface Written extends Contents {
  /** Elements with a ref that have been written, and where they are. */
  readonly named: readonly Named[];
  /** Entries for which there was no room. */
  readonly omitted: number;
}

export interface Named {
  readonly ref: string;
  readonly bounds: Region | undefined;
  readonly isWindow: boolean;
}

const WRITERS: Readonly<Record<SnapshotFormat, () => Writer>> = {
  text: writeText,
  json: writeJson,
  xml: writeXml,
};

/** Entries between two looks at the clock. */
const SLICE = 100;

export async function writeSnapshot(
  entries: Iterable<Entry>,
  format: SnapshotFormat,
  { maxChars, name, signal }: WriteOptions,
): Promise<Written> {
  const writer = WRITERS[format]();
  const turns = new Turns();
  const named: Named[] = [];
  let [size, omitted, seen] = [0, 0, 0];
  for (const entry of entries) {
    if (++seen % SLICE === 0) {
      signal.throwIfAborted();
      await turns.pass();
    }
    if (omitted > 0) {
      omitted++;
      continue;
    }
    const isNamed = entry.kind === "element" || format !== "text";
    const ref = isNamed ? name(entry) : undefined;
    const line = writer.add(entry, ref);
    size += line.size;
    if (size > maxChars && seen > 1) {
      omitted++;
      continue;
    }
    line.write();
    if (ref !== undefined) {
      named.push({ ref, bounds: entry.element.bounds, isWindow: entry.element === entry.top });
    }
  }
  return { ...writer.end(omitted), named, omitted };
}

/** Characters of a name, a text or a value in a line. */
const MAX_LINE_TEXT = 80;

function writeText(): Writer {
  const lines: string[] = [];
  return {
    add(entry, ref) {
      const line = formatLine(entry, ref);
      return { size: line.length + 1, write: () => lines.push(line) };
    },
    end(omitted) {
      if (omitted > 0) {
        lines.push(`… ${omitted} more: ask for one part by its ref, or for more characters`);
      }
      return { text: lines.map((line) => `${line}\n`).join("") };
    },
  };
}

/** `  - button "Save" [ref=e12] [disabled]` */
export function formatLine(entry: Entry, ref: string | undefined): string {
  const { depth, element, kind } = entry;
  const indent = "  ".repeat(depth);
  if (kind === "text" && ref === undefined) return `${indent}- text: ${quote(textOf(element))}`;
  const name = element.name === "" ? "" : ` ${quote(element.name)}`;
  const window = element.window === undefined ? "" : ` [window=${element.window}]`;
  const states = statesToTell(element).map((state) => ` [${state}]`).join("");
  const value = valueToTell(element);
  return `${indent}- ${element.role}${name} [ref=${ref}]${window}${states}${
    value === undefined ? "" : `: ${quote(value)}`
  }`;
}

function quote(text: string): string {
  return JSON.stringify(shortenName(text, MAX_LINE_TEXT));
}

function writeJson(): Writer {
  const elements: ElementNode[] = [];
  const path: ElementNode[] = [];
  return {
    add(entry, ref) {
      const node = toNode(entry, ref!);
      return {
        size: JSON.stringify(node).length,
        write() {
          path.length = entry.depth;
          const parent = path.at(-1);
          if (parent) (parent.children ??= []).push(node);
          else elements.push(node);
          path.push(node);
        },
      };
    },
    end: () => ({ elements }),
  };
}
