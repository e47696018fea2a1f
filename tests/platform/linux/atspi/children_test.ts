/** What is asked in order to list the children of an object. */

import { expect } from "expect";
import { Budget } from "../../../../src/platform/linux/atspi/budget.ts";
import type { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import { fetchChildren, type Node } from "../../../../src/platform/linux/atspi/node.ts";
import { roleNumber } from "../../../../src/platform/linux/atspi/states.ts";

for (
  const { role, childCount, asked } of [
    { role: "menu", childCount: -1, asked: ["Accessible.GetChildren"] },
    { role: "menu", childCount: 0, asked: [] },
    { role: "table", childCount: -1, asked: ["Accessible.ChildCount", "Accessible.GetChildren"] },
    { role: "table", childCount: 2, asked: ["Accessible.GetChildren"] },
  ] as const
) {
  Deno.test(`fetchChildren() of a ${role} with ${childCount} children asks ${asked.length} times`, async () => {
    const calls: string[] = [];
    const answer = <T>(method: string, value: T) => {
      calls.push(method);
      return Promise.resolve(value);
    };
    const client: Pick<AtspiClient, "call" | "get"> = {
      call: (_, method) => answer(method, [[[":1.5", "/first"], [":1.5", "/second"]]]),
      get: (_, property) => answer(property, 2),
    };
    const node: Node = {
      ...{ bus: ":1.5", path: "/parent", name: "", description: "", states: [0, 0] },
      ...{ interfaces: [], role: roleNumber(role), childCount },
    };

    const limits = { max: 10, budget: new Budget(60_000, () => {}) };
    const found = await fetchChildren(client as AtspiClient, node, limits);

    expect(calls).toEqual(asked);
    expect(found.map(({ path }) => path)).toEqual(asked.length > 0 ? ["/first", "/second"] : []);
  });
}
