/** Elements are found again by what is said of them, or not at all. */

import { expect } from "expect";
import {
  describeLocator,
  findLocated,
  Locator,
  makeLocator,
  pageNodes,
  type TreeNode,
} from "../../../src/features/trail/locator.ts";

let last = 0;

/** `[x, y, width, height]` */
type Area = readonly [number, number, number, number];

function node(
  role: string,
  name: string,
  { at, children, states = [], ...rest }: Partial<Omit<TreeNode, "bounds">> & { at?: Area } = {},
): TreeNode {
  const [x, y, width, height] = at ?? [];
  return {
    ref: `e${++last}`,
    role,
    name,
    states,
    ...rest,
    ...(x !== undefined && { bounds: { x, y: y!, width: width!, height: height! } }),
    ...(children && { children }),
  };
}

async function locate(roots: readonly TreeNode[], target: TreeNode): Promise<Locator> {
  return Locator.parse(await makeLocator(roots, target.ref!));
}

Deno.test("makeLocator() knows nothing of an element that the tree does not have", async () => {
  expect(await makeLocator([node("window", "Editor")], "nothing")).toBe(undefined);
});

Deno.test("findLocated() finds an element by role and name wherever it lies now", async () => {
  const before = node("button", "Save", { at: [10, 10, 80, 30] });
  const locator = await locate([node("window", "Editor", { children: [before] })], before);
  const now = node("button", "Save", { at: [700, 400, 160, 60] });
  const roots = [node("window", "Editor", { children: [node("button", "Open"), now] })];
  expect(findLocated(roots, locator).node).toBe(now);
});

Deno.test("findLocated() finds nothing where another name or role is", async () => {
  const before = node("button", "Save");
  const locator = await locate([node("window", "Editor", { children: [before] })], before);
  for (const other of [node("button", "Save as"), node("menuitem", "Save")]) {
    const found = findLocated([node("window", "Editor", { children: [other] })], locator);
    expect(found).toEqual({ count: 0, why: "nothing has that role and name" });
  }
});

function table(names: readonly string[]): { root: TreeNode; cells: Map<string, TreeNode> } {
  const cells = new Map<string, TreeNode>();
  const children = names.flatMap((name, line) =>
    [name, "Delete"].map((text, column) => {
      const cell = node("cell", text, { at: [100 * column, 20 * line, 100, 20] });
      cells.set(`${name} ${text}`, cell);
      return cell;
    })
  );
  return { root: node("window", "List", { children: [node("table", "", { children })] }), cells };
}

Deno.test("findLocated() tells the cells of rows apart, in whatever order these are", async () => {
  const before = table(["Ada", "Bob", "Eve"]);
  const locator = await locate([before.root], before.cells.get("Bob Delete")!);
  expect(describeLocator(locator)).toBe('cell "Delete" in the row "Bob", "Delete"');
  const now = table(["Eve", "Ada", "Bob"]);
  expect(findLocated([now.root], locator).node).toBe(now.cells.get("Bob Delete"));
});

Deno.test("findLocated() takes no other row when that one is gone", async () => {
  const before = table(["Ada", "Bob"]);
  const locator = await locate([before.root], before.cells.get("Bob Delete")!);
  const found = findLocated([table(["Ada"]).root], locator);
  expect(found.node).toBe(undefined);
  expect(found).toMatchObject({
    count: 0,
    why: 'the only one of that role and name is in the row "Ada", "Delete"',
  });
});

Deno.test("findLocated() takes neither of two rows that are alike now", async () => {
  const before = table(["Ada", "Bob"]);
  const locator = await locate([before.root], before.cells.get("Bob Delete")!);
  const found = findLocated([table(["Bob", "Ada", "Bob"]).root], locator);
  expect(found).toEqual({ count: 2, why: "2 could be it, and 1 was there" });
});

Deno.test("makeLocator() lets other work have its turns among thousands of elements without a name", async () => {
  const children = Array.from(
    { length: 3_000 },
    (_, at) => node("cell", "", { at: [20 * (at % 50), 10 * Math.floor(at / 50), 20, 10] }),
  );
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await locate([node("window", "Grid", { children })], children[7]!);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});

Deno.test("findLocated() counts elements that only their place tells apart", async () => {
  const fields = (count: number) =>
    Array.from({ length: count }, (_, at) => node("textbox", "", { at: [0, 40 * at, 200, 30] }));
  const before = fields(3);
  const locator = await locate([node("window", "Form", { children: before })], before[1]!);
  expect(locator.alike).toEqual({ named: 3, of: 3, index: 1 });
  const same = fields(3);
  expect(findLocated([node("window", "Form", { children: same })], locator).node).toBe(same[1]);
  const fewer = findLocated([node("window", "Form", { children: fields(2) })], locator);
  expect(fewer).toEqual({ count: 2, why: "2 could be it, and 3 were there" });
});

Deno.test("findLocated() knows a field without a name by the text to its left", async () => {
  const form = (texts: readonly string[]) => {
    const fields = texts.map((_, at) => node("textbox", "", { at: [120, 40 * at, 200, 30] }));
    const labels = texts.map((text, at) => node("text", text, { at: [10, 40 * at + 5, 90, 20] }));
    return { fields, root: node("window", "Form", { children: [...labels, ...fields] }) };
  };
  const before = form(["Street", "City"]);
  const locator = await locate([before.root], before.fields[1]!);
  const now = form(["City", "Country", "Street"]);
  expect(findLocated([now.root], locator).node).toBe(now.fields[0]);
  expect(findLocated([form(["Country", "Street"]).root], locator).node).toBe(undefined);
});

Deno.test("findLocated() takes no button of a dialog that asks something else", async () => {
  const dialog = (question: string) => {
    const yes = node("button", "Yes");
    return { yes, root: node("dialog", "", { children: [node("text", question), yes] }) };
  };
  const before = dialog("Save the changes?");
  const locator = await locate([before.root], before.yes);
  const same = dialog("Save the changes?");
  expect(findLocated([same.root], locator).node).toBe(same.yes);
  expect(findLocated([dialog("Delete all files?").root], locator)).toEqual({
    count: 0,
    why:
      'the only one of that role and name is beside "Delete all files?", in a dialog that says "Delete all files?"',
  });
});

Deno.test("findLocated() knows a list that opens by its label when another option is chosen", async () => {
  const form = (chosen: string, label: string) => {
    const list = node("combobox", chosen, { label });
    return { list, root: node("window", "Form", { children: [list] }) };
  };
  const before = form("Red", "Colour");
  const locator = await locate([before.root], before.list);
  const now = form("Blue", "Colour");
  expect(findLocated([now.root], locator).node).toBe(now.list);
  expect(findLocated([form("Blue", "Size").root], locator).node).toBe(undefined);
});

Deno.test("pageNodes() reads the lines of a page's snapshot", async () => {
  const roots = await pageNodes([
    '- document "Shop" [ref=e1]',
    '  - text: "All \\"good\\" things: here"',
    "  - list [ref=e2]",
    "    - listitem [ref=e3]",
    '      - text: "Boots"',
    '      - button "Buy" [ref=e4] [disabled]',
    '  - textbox "Search" [ref=e5] [focused]: "sho\\nes"',
  ].join("\n"));
  expect(roots).toMatchObject([{
    role: "document",
    name: "Shop",
    ref: "e1",
    children: [
      { role: "text", name: 'All "good" things: here', states: [] },
      {
        role: "list",
        name: "",
        children: [{
          role: "listitem",
          children: [
            { role: "text", name: "Boots" },
            { role: "button", name: "Buy", ref: "e4", states: ["disabled"], children: [] },
          ],
        }],
      },
      { role: "textbox", name: "Search", value: "sho\nes", states: ["focused"] },
    ],
  }]);
  expect(describeLocator((await makeLocator(roots, "e4"))!)).toBe(
    'button "Buy" in the row "Boots", "Buy", in document "Shop"',
  );
});
