/** The cells of tables that claim more of them than anybody can list. */

import { expect } from "expect";
import { Budget } from "../../../../src/platform/linux/atspi/budget.ts";
import { listVisibleCells } from "../../../../src/platform/linux/atspi/walk.ts";
import type { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import type { Node } from "../../../../src/platform/linux/atspi/node.ts";

const TABLE: Node = {
  ...{ bus: ":1.5", path: "/table", name: "", description: "", role: 0, states: [0, 0] },
  ...{ interfaces: ["org.a11y.atspi.Table"], childCount: -1 },
};

Deno.test("listShownCells() stops at the most cells, however many rows there are", async () => {
  const calls: string[] = [];
  const answer = (method: string, body: readonly unknown[]): unknown => {
    calls.push(method);
    if (method === "Component.GetExtents") return [0, 0, 400, 300];
    if (method === "Component.GetAccessibleAtPoint") {
      return [":1.5", body[0] === 3 ? "/first" : "/last"];
    }
    if (method === "Table.GetAccessibleAt") return [":1.5", `/cell/${body}`];
    return [0, 0];
  };
  const client: Pick<AtspiClient, "call" | "get"> = {
    call({ path }, method, _timeoutMs, ...body) {
      if (method === "Accessible.GetIndexInParent") return Promise.resolve([+(path === "/last")]);
      if (method === "Table.GetRowAtIndex") return Promise.resolve([body[0] === 0 ? 0 : Infinity]);
      if (method === "Table.GetColumnAtIndex") return Promise.resolve([body[0] === 0 ? 0 : 1]);
      return Promise.resolve([answer(method, body)]);
    },
    get: (_, property) => Promise.resolve(property === "Accessible.ChildCount" ? 0 : "cell"),
  };
  const budget = new Budget(60_000, () => {});
  const found = await listVisibleCells(TABLE, { client: client as AtspiClient, budget, max: 5 });
  expect(found.map(({ path }) => path)).toEqual(
    [0, 1, 2, 3, 4].map((each) => `/cell/${Math.floor(each / 2)},${each % 2}`),
  );
  expect(calls.filter((each) => each === "Table.GetAccessibleAt")).toHaveLength(5);
});

Deno.test("listVisibleCells() takes no time for a table whose columns go backwards", async () => {
  const call = (path: string, method: string, index: unknown): unknown => {
    if (method === "Component.GetExtents") return [0, 0, 400, 300];
    if (method === "Component.GetAccessibleAtPoint") return [":1.5", `/cell/${+(index !== 3)}`];
    if (method === "Accessible.GetIndexInParent") return +(path === "/cell/1");
    if (method === "Table.GetRowAtIndex") return index === 0 ? -(2 ** 31) : 2 ** 31 - 1;
    if (method === "Table.GetColumnAtIndex") return index === 0 ? 1 : 0;
    return [":1.5", "/cell"];
  };
  const client: Pick<AtspiClient, "call"> = {
    call: ({ path }, method, _timeoutMs, index) => Promise.resolve([call(path, method, index)]),
  };
  const budget = new Budget(60_000, () => {});
  const start = performance.now();
  const found = await listVisibleCells(TABLE, { client: client as AtspiClient, budget, max: 5 });
  expect(found).toEqual([]);
  expect(performance.now() - start).toBeLessThan(500);
});
