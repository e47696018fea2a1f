/** What Qt's scroll areas, which consist of plain widgets, do not show. */

import { expect } from "expect";
import type { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import { clips, Toolkits } from "../../../../src/platform/linux/atspi/describe.ts";
import { findElementAt } from "../../../../src/platform/linux/atspi/locate.ts";
import { roleNumber } from "../../../../src/platform/linux/atspi/states.ts";

/** Each inside the one before it. */
const TREE = [
  { role: "application", name: "", extents: [0, 0, 0, 0] },
  { role: "dialog", name: "Preferences", extents: [0, 0, 800, 700] },
  { role: "menu", name: "", extents: [0, 0, 60, 20] },
  { role: "filler", name: "", extents: [300, 60, 450, 540] },
  { role: "filler", name: "", extents: [300, 60, 480, 900] },
  { role: "check-box", name: "Cone", extents: [310, 680, 220, 20] },
] as const;
const DIALOG = 1;
const CHECKBOX = TREE.length - 1;

/** What `GetAccessibleAtPoint` of the dialog answers: the object of that number. */
function programOf(toolkit: string, shown: number): AtspiClient {
  const at = (path: string) => Number(path.slice(1));
  const object = (index: number) => index < 0 ? ["", "/none"] : [":1.5", `/${index}`];
  const client: Pick<AtspiClient, "call" | "get" | "findProcess" | "guid"> = {
    guid: "1",
    call: ({ path }, method) => {
      const { role, extents } = TREE[at(path)]!;
      const answers: Record<string, unknown> = {
        "Accessible.GetRole": roleNumber(role),
        "Accessible.GetState": [0, 0],
        "Accessible.GetInterfaces": [],
        "Accessible.GetChildren": [object(at(path) + 1)],
        "Component.GetExtents": extents,
        "Component.GetAccessibleAtPoint": object(at(path) === shown ? -1 : shown),
      };
      return Promise.resolve([answers[method]]);
    },
    get: ({ path }, property) => {
      const answers: Record<string, unknown> = {
        "Application.ToolkitName": toolkit,
        "Accessible.Parent": object(at(path) - 1),
        "Accessible.Name": TREE[at(path)]?.name,
      };
      return Promise.resolve(answers[property] ?? "");
    },
    findProcess: () => Promise.resolve(7),
  };
  return client as AtspiClient;
}

/** What the program shows at a point of the checkbox, which lies below the end of what scrolls. */
async function ask(toolkit: string, shown: number, y = 690) {
  const client = programOf(toolkit, shown);
  return await findElementAt({ x: 400, y }, `1:1.5/${CHECKBOX}`, {
    client,
    toolkits: new Toolkits(client),
    origin: "display",
    checkStop() {},
    listWindows: () => Promise.resolve(null),
    listPopups: () => Promise.resolve(null),
  });
}

Deno.test("what a scroll area of Qt does not show is not where its program says", async () => {
  expect(await ask("Qt", DIALOG)).toBeNull(); // the window alone answers
  expect(await ask("Qt", DIALOG, 590)).toBeUndefined();
  expect(await ask("Qt", CHECKBOX)).toBe(`1:1.5/${CHECKBOX}`); // it says so itself
  expect(await ask("gtk", DIALOG)).toBeUndefined();
  expect(await ask("gtk", CHECKBOX)).toBe(`1:1.5/${CHECKBOX}`);
});

Deno.test("plain widgets of Qt end what is inside them, and those with popups do not", () => {
  const names = ["filler", "layered-pane", "split-pane", "dialog", "menu", "menu-bar", "combo-box"];
  const clipping = (isQt: boolean) =>
    names.filter((each) => clips({ role: roleNumber(each) }, { isQt }));
  expect(clipping(true)).toEqual(["filler", "layered-pane", "split-pane", "dialog"]);
  expect(clipping(false)).toEqual(["dialog"]);
});
