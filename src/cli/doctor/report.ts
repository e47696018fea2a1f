/** Prints what doctor has found: as a table, or as JSON. */

import type { Status } from "../../platform/diagnosis/verdict.ts";
import type { Finding } from "./doctor_worker.ts";

export interface About {
  readonly version: string;
  readonly system: string;
}

const WIDTH = 100;
const WORDS: Readonly<Record<Status, string>> = { ok: "ok", note: "note", failed: "FAILED" };

export function formatTable(about: About, findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const indent = " ".repeat(8 + width + 2);
  const rows = findings.flatMap(({ status, name, detail, mend }) => [
    `${WORDS[status].padEnd(8)}${name.padEnd(width)}  ${wrap(detail, indent)}`,
    ...status === "ok" || mend === undefined ? [] : [`${indent}mend it: ${mend}`],
  ]);
  return [
    `Computer Control Service ${about.version}, ${about.system}`,
    "",
    ...rows,
    "",
    conclusion(findings),
  ];
}

export function formatJson(about: About, findings: readonly Finding[]): string[] {
  const checks = findings.map(({ elapsedMs, ...rest }) => ({ ...rest, elapsed_ms: elapsedMs }));
  const works = !findings.some(({ status }) => status === "failed");
  return [JSON.stringify({ ...about, works, checks }, undefined, 2)];
}

function conclusion(findings: readonly Finding[]): string {
  const failures = findings.filter(({ status }) => status === "failed").map(({ name }) => name);
  const notes = findings.filter(({ status }) => status === "note").length;
  const further = notes === 0 ? "" : ` (${notes} ${notes === 1 ? "note" : "notes"})`;
  if (failures.length === 0) return `All that was asked for works${further}.`;
  return `Does not work, and was asked for: ${failures.join(", ")}${further}.`;
}

/** Breaks a text before the right edge; a message of another program may have several lines. */
function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || indent.length + last.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join(`\n${indent}`);
}
