/** Snapshots of accessibility trees as large as pages can make them. */

import { expect } from "expect";
import { RAW_CUT_MARK } from "../../../src/core/texts.ts";
import { MAX_READ_TEXT, MAX_TEXT } from "../../../src/platform/element_texts.ts";
import type { AxFrame, AxNode } from "../../../src/platform/browser/snapshot/ax_tree.ts";
import { NOTHING_REACTS, UNREAD } from "../../../src/platform/browser/snapshot/clickable.ts";
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
  const kept = lines.map(({ line }) => line.element!.name);
  expect(new Set(kept).size).toBe(2);
  for (const name of kept) expect(name.length).toBeLessThan(300);
});

Deno.test("the margin of what is cut later is read, and counts for nothing", () => {
  const page = pageWith(3, 1_000, [..."abc"].map((letter) => letter.repeat(1_000)));
  const options = { target: "tab", filter: "interactive", ...ENDLESS } as const;
  const { lines } = makeLines(page, options);
  expect(lines.map(({ line: { name, value } }) => [name, value].map((text) => text.length)))
    .toEqual(Array(3).fill([456 + RAW_CUT_MARK.length, 456 + RAW_CUT_MARK.length]));
  const tight = makeLines(page, { ...options, maxCharacters: 3 * 450 });
  expect([tight.lines.length, tight.truncated]).toEqual([3, []]);
});

Deno.test("a text is left out where it is the title, and not where it occurs in it", () => {
  const page = pageWith(0, 1);
  page.root.name = { type: "string", value: "Page 12" };
  addTexts(page, page.root, ["1", "Page", "Page 12"]);
  expect(namesOf(page, [])).toEqual(["Page 12", "1", "Page"]);
});

Deno.test("a text that is a stored value, as the title is, is shown as any other", () => {
  const page = pageWith(0, 1);
  page.root.name = { type: "string", value: "hunter2-secret" };
  addTexts(page, page.root, ["hunter2", "hunter2-secret", "other"]);
  const names = (secret: Iterable<string>) => namesOf(page, secret).slice(1);
  expect(names([])).toEqual(["hunter2", "other"]);
  expect(names(["hunter2-secret"])).toEqual(["hunter2", "hunter2-secret", "other"]);
  // a title that is cut within the value
  page.root.name = {
    type: "string",
    value: `${"x".repeat(4_096 - "hunter2".length)}hunter2-secret`,
  };
  expect(names([])).toEqual(["hunter2", "hunter2-secret", "other"]);
});

Deno.test("a stored value in the name of what is named by its texts is not shown in pieces", () => {
  const page = pageWith(1, 0, ["hunter2-secret"]);
  const button = page.nodes.get("n0")!;
  button.role = { type: "role", value: "button" };
  addTexts(page, button, ["hunter2", "-secret", "other"]);
  expect(namesOf(page, [])).toEqual(["", "hunter2-secret", "other"]);
  expect(namesOf(page, ["hunter2-secret "])).toEqual(["", "hunter2-secret"]);
});

Deno.test("what reacts to clicks in such a link shows no pieces either", () => {
  const page = pageWith(1, 0, ["hunter2-secret"]);
  const link = page.nodes.get("n0")!;
  link.role = { type: "role", value: "link" };
  const inside = addGeneric(page, link, 99);
  addTexts(page, inside, ["hunter2", "-secret", "other"]);
  const clickable = { ...page, listening: new Set([99]) };
  expect(namesOf(clickable, [])).toEqual(["", "hunter2-secret", "", "other"]);
  expect(namesOf(clickable, ["hunter2-secret "])).toEqual(["", "hunter2-secret", ""]);
  const interactive = (secret: string[]) => namesOf(clickable, secret, "interactive");
  expect(interactive([])).toEqual(["hunter2-secret", "", "hunter2 -secret other"]);
  expect(interactive(["hunter2-secret "])).toEqual(["hunter2-secret", ""]);
  expect(interactive(["hunter2-secretother"])).toEqual(["hunter2-secret", ""]);
});

Deno.test("a stored value that is spread over what reacts to clicks is shown by none of it", () => {
  const page = pageWith(0, 0);
  const outer = addGeneric(page, page.root, 99);
  addTexts(page, addGeneric(page, outer, 100), ["my pass"]);
  addTexts(page, addGeneric(page, outer, 101), [" phrase"]);
  const clickable = { ...page, listening: new Set([99, 100, 101]) };
  expect(namesOf(clickable, [])).toEqual(["", "", "", "my pass", "", "phrase"]);
  expect(namesOf(clickable, [], "interactive"))
    .toEqual(["", "my pass phrase", "", "my pass", "", "phrase"]);
  expect(namesOf(clickable, ["my pass phrase"], "interactive")).toEqual(["", "", ""]);
});

Deno.test("what reacts to clicks shows its text although the title around it has that, too", () => {
  const page = pageWith(0, 0);
  addTexts(page, addGeneric(page, page.root, 99), ["Delete"]);
  page.root.name = { type: "string", value: "Delete" };
  expect(namesOf(page, [])).toEqual(["Delete"]);
  expect(namesOf({ ...page, listening: new Set([99]) }, []))
    .toEqual(["Delete", "", "Delete"]);
});

Deno.test("what the Tab key reaches without a role has a ref, and is known by its texts", () => {
  const page = pageWith(0, 0);
  const tab = addGeneric(page, page.root, 99);
  addTexts(page, tab, ["Row"]);
  const tabbable = { ...page, tabbable: new Set([99]) };
  expect(markedIn(tabbable)).toEqual([]); // the browser does not let it take the focus
  tab.properties = [FOCUSABLE];
  expect(markedIn(page)).toEqual([]); // only a script gives it the focus
  expect(markedIn(tabbable)).toEqual([["generic", ["focusable"], UNREAD]]);
  expect(namesOf(tabbable, [], "interactive")).toEqual(["", "Row"]);
  expect(markedIn({ ...tabbable, listening: new Set([99]) }))
    .toEqual([["generic", ["clickable"], UNREAD]]);
});

Deno.test("what can be edited without a role has a ref, its text as value, and is not known by it", () => {
  const page = pageWith(0, 0);
  const host = addGeneric(page, page.root, 99);
  host.properties = [FOCUSABLE, EDITABLE];
  host.value = { type: "string", value: "typed text" };
  const inside = addGeneric(page, host, 100);
  inside.properties = [EDITABLE];
  addTexts(page, inside, ["typed text"]);
  const editable = { ...page, editable: new Set([99, 100]) };
  expect(markedIn(editable)).toEqual([["generic", ["multiline", "editable"], UNREAD]]);
  const options = { target: "tab", filter: "all", ...ENDLESS } as const;
  const { lines } = makeLines(editable, options);
  expect(lines.map(({ line: { role, value }, texts }) => [role, value, texts]))
    .toEqual([["document", "", ""], ["generic", "typed text", ""]]);
  expect(namesOf(editable, [], "interactive")).toEqual([""]);
});

Deno.test("the texts of what can be edited are shown where its value is cut", () => {
  const page = pageWith(0, 0);
  const host = addGeneric(page, page.root, 99);
  host.properties = [FOCUSABLE, EDITABLE];
  const texts = ["first paragraph", "x".repeat(200), "last paragraph"];
  host.value = { type: "string", value: texts.join(" ") };
  addTexts(page, host, texts);
  const editable = { ...page, editable: new Set([99]) };
  expect(namesOf(editable, [])).toEqual(["", "", ...texts]);
  expect(namesOf(editable, [` ${texts.join(" ")}`])).toEqual(["", ""]); // it has a stored value
  host.value.value = texts[0];
  expect(namesOf(editable, [])).toEqual(["", "", ...texts.slice(1)]);
});

Deno.test("inside what can be edited nothing is marked as such, but beyond what cannot", () => {
  const page = pageWith(0, 0);
  const parents = [99, 100, 101, 102].reduce<AxNode[]>((around, id) => {
    const node = addGeneric(page, around.at(-1) ?? page.root, id);
    node.properties = id === 101 ? [] : [FOCUSABLE, EDITABLE];
    return [...around, node];
  }, []);
  const editable = { ...page, editable: new Set([99, 100, 102]) };
  const marked = ["generic", ["multiline", "editable"], UNREAD];
  expect(markedIn(editable)).toEqual([marked, marked]);
  // by itself, an element is what it is in the page
  const rootAt = (node: AxNode) => {
    const root = { target: "", frame: "frame", loader: "loader", role: "", name: "" };
    const options = { target: "tab", filter: "all", ...ENDLESS } as const;
    const at = { ...options, root: { ...root, node: node.backendDOMNodeId } };
    const { lines } = makeLines(editable, at);
    return lines.map(({ line: { element } }) => element?.node);
  };
  for (const node of page.nodes.values()) Object.assign(node, parentOf(page, node));
  expect(parents.map(rootAt)).toEqual([[99, 102], [102], [102], [102]]);
});

Deno.test("what the Tab key reaches repeats no names of the buttons in it", () => {
  const namesWith = (texts: readonly string[]) => {
    const page = pageWith(0, 0);
    const group = addGeneric(page, page.root, 99);
    group.properties = [FOCUSABLE];
    addTexts(page, group, texts);
    const button = addGeneric(page, group, 100);
    button.role = { type: "role", value: "button" };
    button.name = { type: "string", value: "Save" };
    addTexts(page, button, ["Save"]);
    return namesOf({ ...page, tabbable: new Set([99]) }, [], "interactive");
  };
  expect(namesWith([])).toEqual(["", "Save"]);
  expect(namesWith(["Row"])).toEqual(["", "Row Save", "Save"]);
});

const FOCUSABLE = {
  name: "focusable",
  value: { type: "booleanOrUndefined", value: true },
} as const;
const EDITABLE = { name: "editable", value: { type: "token", value: "richtext" } } as const;

/** Role, states and what identifies it, of everything with a ref but the document. */
function markedIn(page: AxFrame) {
  const { lines } = makeLines(page, { target: "tab", filter: "all", ...ENDLESS });
  return lines.flatMap(({ line: { role, states, element } }) =>
    element && role !== "document" ? [[role, states, element.texts]] : []
  );
}

function addGeneric(page: AxFrame, parent: AxNode, id: number): AxNode {
  const node: AxNode = {
    ...{ nodeId: `g${id}`, ignored: false, backendDOMNodeId: id },
    role: { type: "role", value: "generic" },
  };
  (page.nodes as Map<string, AxNode>).set(node.nodeId, node);
  (parent.childIds ??= []).push(node.nodeId);
  return node;
}

function parentOf(page: AxFrame, { nodeId }: AxNode): Pick<AxNode, "parentId"> {
  const parent = [...page.nodes.values()].find(({ childIds }) => childIds?.includes(nodeId));
  return parent ? { parentId: parent.nodeId } : {};
}

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

function namesOf(
  page: AxFrame,
  secret: Iterable<string>,
  filter: "all" | "interactive" = "all",
): string[] {
  const options = { target: "tab", filter, ...ENDLESS, secret: new Set(secret) } as const;
  return makeLines(page, options).lines.map(({ line }) => line.name);
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
    ...NOTHING_REACTS,
  };
}
