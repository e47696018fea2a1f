/**
 * Reads the diff of one file in the V4A format of OpenAI's `apply_patch`: sections that begin with
 * `@@` and an optional anchor, of lines that begin with a space (kept), `-` (removed) or `+` (added).
 * The headings of unified diffs (`@@ -1,3 +1,4 @@`) are understood too.
 */

import { FieldError } from "../../../core/errors.ts";

/** One section of a diff: a run of lines that stand together in the file. */
export interface Section {
  /** Lines to go to first, one after the other. */
  readonly anchors: readonly string[];
  /** Where a unified diff says that it begins, from 1. */
  readonly hint: number | undefined;
  readonly lines: readonly DiffLine[];
  /** Whether it stands at the end of the file. */
  readonly atEnd: boolean;
  /** Number of its first line in the diff, from 1. */
  readonly number: number;
}

export interface DiffLine {
  readonly kind: "keep" | "remove" | "add";
  readonly text: string;
}

const KINDS: Readonly<Record<string, DiffLine["kind"]>> = {
  " ": "keep",
  "-": "remove",
  "+": "add",
};
const UNIFIED = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;
const ENVELOPE = /^\*\*\* (?:Begin Patch|Update File: .*|Add File: .*)$/;
const END_PATCH = "*** End Patch";
const END_FILE = "*** End of File";

/** @throws FieldError on `diff`, with the number of the line that cannot be read. */
export function parseUpdate(diff: string): readonly Section[] {
  const reader = new Reader(diff);
  const sections: Section[] = [];
  while (!reader.atEnd) sections.push(reader.section(sections.length === 0));
  if (sections.length === 0) throw new FieldError("diff", "The diff is empty: it changes nothing");
  return sections;
}

/**
 * The text of a new file, of which every line of the diff begins with `+`; its last line ends with a
 * line break too.
 * @throws FieldError on `diff`
 */
export function parseCreation(diff: string): string {
  const reader = new Reader(diff);
  let text = "";
  for (; !reader.atEnd; reader.next()) {
    if (!reader.line.startsWith("+")) {
      throw reader.diffError('each line of a new file begins with "+"');
    }
    text += `${reader.line.slice(1)}\n`;
  }
  return text;
}

class Reader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(diff: string) {
    const lines = diff.split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    this.#lines = lines;
    while (this.#at < 2 && ENVELOPE.test(this.line)) this.next();
    if (/^--- /.test(this.line) && /^\+\+\+ /.test(lines[this.#at + 1] ?? "")) {
      if (UNIFIED.test(lines[this.#at + 2] ?? "")) this.#at += 2;
    }
  }

  get line(): string {
    return this.#lines[this.#at] ?? "";
  }

  get atEnd(): boolean {
    return this.#at >= this.#lines.length || this.line === END_PATCH;
  }

  next(): void {
    this.#at += 1;
  }

  section(isFirst: boolean): Section {
    const number = this.#at + 1;
    const { anchors, hint, headings } = this.#headings();
    if (headings === 0 && !isFirst) throw this.diffError('a section begins with "@@"');
    const lines = this.#body();
    const atEnd = this.line === END_FILE && !this.atEnd;
    if (atEnd) this.next();
    if (lines.length === 0) throw this.diffError("this section has no lines", number);
    return { anchors, hint, lines, atEnd, number };
  }

  diffError(message: string, number = this.#at + 1): FieldError {
    return new FieldError("diff", `Line ${number} of the diff: ${message}`);
  }

  #headings() {
    const anchors: string[] = [];
    let hint: number | undefined;
    let headings = 0;
    for (; !this.atEnd && this.line.startsWith("@@"); this.next(), headings++) {
      const unified = UNIFIED.exec(this.line);
      if (unified) hint = Number(unified[1]);
      else if (this.line.slice(2).trim() !== "") anchors.push(this.line.slice(2).replace(/^ /, ""));
    }
    return { anchors, hint, headings };
  }

  #body(): DiffLine[] {
    const lines: DiffLine[] = [];
    for (; !this.atEnd && !/^(?:@@|\*\*\*)/.test(this.line); this.next()) {
      if (this.line.startsWith("\\ ")) continue; // "\ No newline at end of file"
      const kind = KINDS[this.line[0] ?? " "]; // an empty line is kept: its space was trimmed
      if (kind === undefined) throw this.diffError('it does not begin with " ", "+", "-" or "@@"');
      lines.push({ kind, text: this.line.slice(1) });
    }
    if (this.line.startsWith("***") && this.line !== END_FILE && !this.atEnd) {
      throw this.diffError("a diff changes only one file, and this line begins another one");
    }
    return lines;
  }
}
