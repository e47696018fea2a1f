/** Tables of which nothing tells which cells show. */

import { expect } from "expect";
import { Budget } from "../../../../src/platform/linux/atspi/budget.ts";
import type { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import type { Node } from "../../../../src/platform/linux/atspi/node.ts";
import { roleNumber, STATE } from "../../../../src/platform/linux/atspi/states.ts";
import { collect, NodeCache } from "../../../../src/platform/linux/atspi/walk.ts";

const COUNT = 4_000;

for (const childCount of [COUNT, -1]) {
  Deno.test(`a table of ${COUNT} cells that tells of ${childCount} is left out, which the answer says`, async () => {
    const calls: string[] = [];
    const client: Pick<AtspiClient, "call" | "get"> = {
      call(_, method) {
        calls.push(method);
        if (method === "Cache.GetItems") return Promise.resolve([[]]);
        if (method === "Accessible.GetChildren") {
          return Promise.resolve([Array.from({ length: COUNT }, (_, at) => [":1.5", `/${at}`])]);
        }
        return Promise.resolve([0]);
      },
      get: (_, property) => Promise.resolve(property === "Accessible.ChildCount" ? COUNT : "cell"),
    };
    const table: Node = {
      ...{ bus: ":1.5", path: "/table", name: "", description: "", interfaces: [] },
      ...{ role: roleNumber("table"), states: [1 << STATE.managesDescendants, 0], childCount },
    };
    const budget = new Budget(60_000, () => {});
    const cache = await NodeCache.fetch(client as AtspiClient, table.bus, budget.remaining());

    const [top] = await collect([table], {
      ...{ client: client as AtspiClient, cache, budget },
      ...{ hidden: true, maxDepth: 2, maxNodes: 20_000 },
    });

    expect(top!.children).toEqual([]);
    expect(calls).toEqual(["Cache.GetItems"]);
    expect([...budget.truncated]).toEqual(["elements"]);
  });
}
