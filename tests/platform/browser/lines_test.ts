/** Snapshots of accessibility trees as large as pages can make them. */

import { expect } from "expect";
import { RAW_CUT_MARK } from "../../../src/core/texts.ts";
import { MAX_READ_TEXT, MAX_TEXT } from "../../../src/platform/element_texts.ts";
import type { AxFrame, AxNode } from "../../../src/platform/browser/snapshot/ax_tree.ts";
import { makeLines } from "../../../src/platform/browser/snapshot/snapshot.ts";

const ENDLESS = {
  maxDepth: 10,
  maxElements: 10_000,
  maxCharacters: 1_000_000,
  margin: 256,
} as const;

Deno.test("all names and values of a snapshot together are bounded", () => {
  const fields = 2 * MAX_READ_TEXT / MAX_TEXT;
  const { lines, truncated } = makeLines(pageWith(fields, MAX_TEXT), {
    ...{ target: "tab", filter: "all", ...ENDLESS },
  });
  expect(truncated).toEqual(["size"]);
  expect(lines.length).toBeGreaterThan(fields / 3);
  expect(lines.length).toBeLessThanOrEqual(fields / 2);
});

Deno.test("elements keep no long names, and those that differ at the end have different ones", () => {
  const names = [..."ab"].map((end) => "n".repeat(4_000) + end);
  const { lines } = makeLines(pageWith(2, 1, names), {
    ...{ target: "tab", filter: "interactive", ...ENDLESS },
  });
  const kept = lines.map(({ element }) => element!.name);
  expect(new Set(kept).size).toBe(2);
  for (const name of kept) expect(name.length).toBeLessThan(300);
});

Deno.test("the margin of what is cut later is read, and counts for nothing", () => {
  const page = pageWith(3, 1_000, [..."abc"].map((letter) => letter.repeat(1_000)));
  const options = { target: "tab", filter: "interactive", ...ENDLESS } as const;
  const { lines } = makeLines(page, options);
  expect(lines.map(({ name, value }) => [name, value].map((text) => text.length)))
    .toEqual(Array(3).fill([456 + RAW_CUT_MARK.length, 456 + RAW_CUT_MARK.length]));
  const tight = makeLines(page, { ...options, maxCharacters: 3 * 450 });
  expect([tight.lines.length, tight.truncated]).toEqual([3, []]);
});

Deno.test("a text that repeats a part of a stored value is shown as any other", () => {
  const page = pageWith(0, 1);
  page.root.name = { type: "string", value: "hunter2-secret - Notes" };
  addTexts(page, page.root, ["hunter2", "Notes", "other"]);
  const names = (secret: Iterable<string>) => namesOf(page, secret).slice(1);
  expect(names([])).toEqual(["other"]);
  expect(names(["hunter2-secret - Notes "])).toEqual(["hunter2", "Notes", "other"]);
  // a title that is cut within the value
  page.root.name = {
    type: "string",
    value: `${"x".repeat(4_096 - "hunter2".length)}hunter2-secret`,
  };
  expect(names([])).toEqual(["hunter2", "Notes", "other"]);
});

Deno.test("a stored value in the name of what is named by its texts is not shown in pieces", () => {
  const page = pageWith(1, 0, ["hunter2-secret"]);
  const button = page.nodes.get("n0")!;
  button.role = { type: "role", value: "button" };
  addTexts(page, button, ["hunter2", "-secret", "other"]);
  expect(namesOf(page, [])).toEqual(["", "hunter2-secret", "other"]);
  expect(namesOf(page, ["hunter2-secret "])).toEqual(["", "hunter2-secret"]);
});

function addTexts(page: AxFrame, parent: AxNode, texts: readonly string[]) {
  for (const [at, value] of texts.entries()) {
    const node: AxNode = {
      ...{ nodeId: value, ignored: false, backendDOMNodeId: 10 + at },
      ...{ role: { type: "role", value: "StaticText" }, name: { type: "string", value } },
    };
    (page.nodes as Map<string, AxNode>).set(value, node);
    (parent.childIds ??= []).push(value);
  }
}

function namesOf(page: AxFrame, secret: Iterable<string>): string[] {
  const options = { target: "tab", filter: "all", ...ENDLESS, secret: new Set(secret) } as const;
  return makeLines(page, options).lines.map(({ name }) => name);
}

/** Fields with values of a length, in one document. */
function pageWith(fields: number, length: number, names: readonly string[] = []): AxFrame {
  const all: AxNode[] = Array.from({ length: fields }, (_, at) => ({
    nodeId: `n${at}`,
    ignored: false,
    role: { type: "role", value: "textbox" },
    name: { type: "string", value: names[at] ?? `field ${at}` },
    value: { type: "string", value: "v".repeat(length) },
    backendDOMNodeId: at,
  }));
  const childIds = all.map(({ nodeId }) => nodeId);
  const root: AxNode = {
    nodeId: "root",
    ignored: false,
    role: { type: "role", value: "RootWebArea" },
    childIds,
    backendDOMNodeId: fields,
  };
  return {
    id: "frame",
    loader: "loader",
    root,
    nodes: new Map([root, ...all].map((node) => [node.nodeId, node])),
    inner: new Map(),
    onScreen: undefined,
  };
}
