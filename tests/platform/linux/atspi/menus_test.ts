/** What lies inside which element of a program, where no list of windows has its menus. */

import { expect } from "expect";
import type { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import { Toolkits } from "../../../../src/platform/linux/atspi/describe.ts";
import type { Origin } from "../../../../src/platform/linux/atspi/jobs.ts";
import { containsElement } from "../../../../src/platform/linux/atspi/locate.ts";
import { roleNumber } from "../../../../src/platform/linux/atspi/states.ts";

/** Each inside the one before it. */
const ROLES = ["application", "frame", "menu-bar", "menu", "menu-item"] as const;
const [FRAME, BAR, MENU, ITEM] = [1, 2, 3, 4];

async function contains(outer: number, inner: number, origin: Origin): Promise<boolean> {
  const at = (path: string) => Number(path.slice(1));
  const client: Pick<AtspiClient, "call" | "get" | "guid"> = {
    guid: "1",
    call: ({ path }) => Promise.resolve([roleNumber(ROLES[at(path)]!)]),
    get: ({ path }, property) =>
      Promise.resolve(property === "Accessible.Parent" ? [":1.5", `/${at(path) - 1}`] : "gtk"),
  };
  const asked = client as AtspiClient;
  return await containsElement(`1:1.5/${outer}`, `1:1.5/${inner}`, {
    client: asked,
    toolkits: new Toolkits(asked),
    origin,
  });
}

Deno.test("what is in an open menu that no list has is not inside what the menu lies in front of", async () => {
  expect(await contains(FRAME, ITEM, "window")).toBe(false);
  expect(await contains(BAR, ITEM, "window")).toBe(false);
  expect(await contains(FRAME, ITEM, "display")).toBe(true); // its popup is a window there
  expect(await contains(MENU, ITEM, "window")).toBe(true);
  expect(await contains(FRAME, MENU, "window")).toBe(true); // an item of the bar
  expect(await contains(ITEM, FRAME, "window")).toBe(false);
});
