/** What password fields hold is no part of the tree, however the page shows them. */

import { expect } from "expect";
import { type AxNode, withoutPasswords } from "../../../src/platform/browser/snapshot/ax_tree.ts";

const IN_FRAME = { frame: "frame", endMs: Infinity };

/** A field with a value, and the text inside it. */
function fieldOf(id: number, value: string | number): AxNode {
  return {
    ...{ nodeId: `n${id}`, ignored: false, backendDOMNodeId: id, childIds: [`text of n${id}`] },
    role: { type: "role", value: "textbox" },
    value: { type: typeof value === "string" ? "string" : "number", value },
  };
}

/** A page that has these fields for passwords, and which of its fields it was asked about. */
function pageWith({ passwords, gone = [] }: {
  readonly passwords: readonly number[];
  readonly gone?: readonly number[];
}) {
  const asked: number[][] = [];
  const answers: Record<string, (params: never) => unknown> = {
    "Page.createIsolatedWorld": () => ({ executionContextId: 1 }),
    "DOM.resolveNode": ({ backendNodeId }: { backendNodeId: number }) => ({
      object: gone.includes(backendNodeId) ? {} : { objectId: `${backendNodeId}` },
    }),
    "Runtime.callFunctionOn": (params: { arguments: { objectId: string }[] }) => {
      const ids = params.arguments.slice(1).map(({ objectId }) => Number(objectId));
      asked.push(ids);
      return { result: { value: ids.map((id) => passwords.includes(id)) } };
    },
    "Runtime.releaseObjectGroup": () => ({}),
  };
  const tab = {
    call: (method: string, params: never) => Promise.resolve(answers[method]!(params)),
    sessionOf: () => "session",
  };
  return { tab: tab as unknown as Parameters<typeof withoutPasswords>[0], asked };
}

Deno.test("withoutPasswords() empties fields for passwords, and those that are gone", async () => {
  const { tab } = pageWith({ passwords: [2], gone: [3] });
  const nodes = [fieldOf(1, "shown"), fieldOf(2, "hunter2"), fieldOf(3, "unknown")];
  const read = await withoutPasswords(tab, nodes, IN_FRAME);
  expect(read.map(({ value, childIds }) => [value?.value, childIds])).toEqual([
    ...[["shown", ["text of n1"]], [undefined, []], [undefined, []]],
  ]);
  expect(JSON.stringify(read)).not.toContain("hunter2");
});

Deno.test("withoutPasswords() asks nothing of masks, numbers and what holds nothing", async () => {
  const { tab, asked } = pageWith({ passwords: [] });
  const nodes = [
    fieldOf(1, "•••"),
    fieldOf(2, "◦◦"),
    fieldOf(3, "■■"),
    fieldOf(4, 5),
    fieldOf(5, ""),
  ];
  expect(await withoutPasswords(tab, nodes, IN_FRAME)).toEqual(nodes);
  expect(asked).toEqual([]);
});

Deno.test("withoutPasswords() asks for many fields in parts", async () => {
  const { tab, asked } = pageWith({ passwords: [700] });
  const nodes = Array.from({ length: 1_200 }, (_, at) => fieldOf(at + 1, "v"));
  const read = await withoutPasswords(tab, nodes, IN_FRAME);
  expect(read.filter(({ value }) => !value).map(({ nodeId }) => nodeId)).toEqual(["n700"]);
  expect(asked.map(({ length }) => length)).toEqual([500, 500, 200]);
});
