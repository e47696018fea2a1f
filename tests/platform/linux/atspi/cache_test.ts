/** The objects that a program lists at once, among which some are no longer what they were. */

import { expect } from "expect";
import { NodeCache } from "../../../../src/platform/linux/atspi/walk.ts";
import type { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import { STATE } from "../../../../src/platform/linux/atspi/states.ts";

function item(path: string, parent: string, index: number, count: number, state = 0) {
  const of = (name: string) => [":1.5", name];
  return [of(path), of("/root"), of(parent), index, count, [], path, 0, "", [state, 0]];
}

for (
  const [name, index, state, known] of [
    ["a page that is shown", 0, 0, ["/page"]],
    ["a page that Chromium has left", -1, 0, undefined],
    ["a page that Firefox has left", 0, 1 << STATE.defunct, undefined],
  ] as const
) {
  Deno.test(`the list of a program with ${name}`, async () => {
    const items = [item("/window", "/root", 0, 1), item("/page", "/window", index, 0, state)];
    const client: Pick<AtspiClient, "call"> = { call: () => Promise.resolve([items]) };
    using cache = await NodeCache.fetch(client as AtspiClient, ":1.5", 1_000);
    const children = cache.childrenOf(cache.find(":1.5/window")!);
    expect(children?.map(({ path }) => path)).toEqual(known);
  });
}
