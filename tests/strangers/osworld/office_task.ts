/** What a task of an office program is: a document, what is to become of it, and who judges that. */

import type { Step } from "./keys.ts";

/** The program that a task is for. */
export const FAMILIES = ["sheet", "text", "slide"] as const;
export type Family = typeof FAMILIES[number];

/** What the files of each are. */
export const EXTENSIONS = {
  sheet: "xlsx",
  text: "docx",
  slide: "pptx",
} as const satisfies Record<Family, string>;

export interface OfficeTask {
  /** Begins with its family: `sheet-sum`. */
  readonly name: string;
  readonly family: Family;
  /** What a person would be asked for. */
  readonly instruction: string;
  readonly start: OfficeDocument;
  readonly expected: OfficeDocument;
  /** The score is the lowest of theirs, as with OSWorld's `"conj": "and"`. */
  readonly metrics: readonly Metric[];
  readonly script: readonly Step[];
}

/** One of OSWorld's evaluators, called with the file that the program has saved. */
export interface Metric {
  readonly func: string;
  /** Its second argument: the file of the expected document, rules, or none. */
  readonly expected?: "document" | Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What `documents.py` writes, by family. */
export type OfficeDocument = readonly Sheet[] | readonly Block[] | readonly Slide[];

export type Cell = string | number | null;
/** Cells as `B2`, areas as `A1:C3`. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  readonly bold?: readonly string[];
  /** Cell -> number format. */
  readonly formats?: Readonly<Record<string, string>>;
  readonly merged?: readonly string[];
  /** The first cell that scrolls. */
  readonly freeze?: string;
  readonly filter?: string;
}

/** A part of a paragraph that looks the same. */
export interface Run {
  readonly text: string;
  readonly bold?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly subscript?: true;
}

export interface Paragraph {
  readonly runs: readonly Run[];
  readonly align?: "left" | "center" | "right" | "justify";
  /** Lines. */
  readonly spacing?: number;
  /** Begins a page. */
  readonly onNewPage?: true;
  /** How far it is indented in a slide, from 0. */
  readonly level?: number;
}

/** What a text consists of; a table has rows of texts. */
export type Block = string | Paragraph | { readonly table: readonly (readonly string[])[] };

export interface Slide {
  readonly title: string | Paragraph;
  readonly body: readonly (string | Paragraph)[];
  readonly notes?: string;
}
