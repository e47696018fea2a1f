/** AT-SPI by a program of GTK 3: what is read, changed and clicked, proved by what it prints. */

import { expect } from "expect";
import { waitFor } from "../../../support/wait.ts";
import { startAccessibleSession } from "../../../real_programs/support/accessible_session.ts";
import { openHome } from "../../../real_programs/support/home.ts";
import { startProcess } from "../../../real_programs/support/processes.ts";
import { openZenityForm } from "../../../real_programs/support/zenity.ts";
import { flatten, NEVER, openElements } from "./support/elements.ts";

Deno.test("AT-SPI reads, fills in and sends a form of zenity", async (test) => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using form = await openZenityForm(session.place);
  const { port } = elements;
  await elements.find("button", "OK");
  const fields = flatten((await elements.read()).roots).filter(({ states }) =>
    states.has("editable")
  );
  fields.sort((a, b) => a.bounds!.y - b.bounds!.y); // zenity ties no label to its field
  const name = fields[0]!;

  await test.step("the tree has roles, names, states and places", async () => {
    const { roots, truncated, unresponsive: silent } = await elements.read();
    expect({ truncated, silent }).toEqual({ truncated: [], silent: [] });
    expect(roots).toHaveLength(1);
    const [dialog] = roots;
    expect(dialog).toMatchObject({ role: "dialog", name: "Order" });
    const all = flatten(roots);
    const cancel = all.find((each) => each.role === "button" && each.name === "Cancel")!;
    expect([...cancel.abilities]).toEqual(["click", "focus", "scroll to"]);
    const frame = dialog!.bounds!;
    expect(cancel.bounds!.x).toBeGreaterThan(frame.x);
    expect(cancel.bounds!.y + cancel.bounds!.height).toBeLessThanOrEqual(frame.y + frame.height);
    expect(name.states).toContain("editable");
    const secret = all.find((each) => each.states.has("protected"))!;
    expect(secret.role).toBe("textbox");
    expect(secret.value).toBe(undefined);
  });

  await test.step("a part of the tree can be read by itself", async () => {
    const { roots } = await elements.read({ scope: { element: name.id } });
    expect(roots.map(({ id }) => id)).toEqual([name.id]);
    const { roots: [top], truncated } = await elements.read({ maxDepth: 1 });
    expect(top!.children[0]!.children).toEqual([]);
    expect(truncated).toEqual(["depth"]);
    const few = await elements.read({ maxElements: 3 });
    expect(flatten(few.roots)).toHaveLength(3);
    expect(few.truncated).toEqual(["elements"]);
  });

  await test.step("an element is read again, with its new value", async () => {
    expect(await port.perform(name.id, { kind: "set value", value: "Zoë 中文" }, NEVER)).toBe(true);
    await waitFor(async () => (await elements.refresh(name))?.value === "Zoë 中文", {
      what: "the new value",
    });
    expect(await port.perform(name.id, { kind: "focus" }, NEVER)).toBe(true);
    await waitFor(async () => (await elements.refresh(name))?.states.has("focused"), {
      what: "the focus",
    });
  });

  await test.step("menus are asked for once, however many elements are read again", async () => {
    const { windows } = elements;
    const listPopups = windows.popups!.bind(windows);
    let count = 0;
    windows.popups = (signal) => {
      count++;
      return listPopups(signal);
    };
    expect(await port.refresh(fields.map(({ id }) => id), NEVER)).toHaveLength(3);
    expect(count).toBe(1);
  });

  await test.step("the element at a point lies in what was looked for", async () => {
    const { x, y, width, height } = name.bounds!;
    const point = { x: x + width / 2 | 0, y: y + height / 2 | 0 };
    const found = await port.elementAt(point, name.id, NEVER);
    expect(await port.contains(name.id, found!, NEVER)).toBe(true);
    const ok = await elements.find("button", "OK");
    expect(await port.contains(ok.id, name.id, NEVER)).toBe(false);
  });

  await test.step("a click sends the form, and then nothing is left", async () => {
    const ok = await elements.find("button", "OK");
    await port.changed(NEVER);
    const change = port.changed(NEVER);
    expect(await port.perform(ok.id, { kind: "click" }, NEVER)).toBe(true);
    expect((await form.printed())[0]).toBe("Zoë 中文");
    await change;
    expect(await elements.refresh(name)).toBe(undefined);
    await expect(port.perform(name.id, { kind: "focus" }, NEVER)).rejects
      .toMatchObject({ code: "conflict" });
    expect((await elements.read()).roots).toEqual([]);
  });
});

Deno.test("the rows of a list of zenity are read and selected, also in one that is not full", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using home = await openHome();
  for (const count of [3, 200]) {
    await using _list = startProcess("zenity", {
      args: [
        ...["--list", `--title=${count} rows`, "--column=Name"],
        ...Array.from({ length: count }, (_, row) => `row ${row}`),
      ],
      env: home.env(session.place),
      log: `${home.path}/errors`,
    });
    await elements.find("dialog", `${count} rows`);
    const cell = await elements.find("cell", "row 2");
    expect(await elements.port.perform(cell.id, { kind: "select", selected: true }, NEVER)).toBe(
      true,
    );
    await waitFor(async () => (await elements.refresh(cell))?.states.has("selected"), {
      what: "the selected row",
    });
    const cells = flatten((await elements.read()).roots).filter(({ role }) => role === "cell");
    const shown = cells.filter(({ states }) => !states.has("offscreen"));
    expect(shown.length).toBeGreaterThanOrEqual(3);
    expect(shown.length).toBeLessThan(20); // the others are scrolled away
  }
});
