/** Programs that lie in every number, text and answer cost what is bounded, and hide no other program. */

import { expect } from "expect";
import { startAccessibleSession } from "../../../real_programs/support/accessible_session.ts";
import { openZenityForm } from "../../../real_programs/support/zenity.ts";
import { flatten, NEVER, openElements } from "./support/elements.ts";
import { startHostileProgram } from "./support/hostile_program.ts";

const MAX_ELEMENTS = 100;
/** What a reading may ask for each element, at most: ten answers for each of four objects. */
const CALLS_EACH = 40;

for (const hidden of [false, true]) {
  Deno.test(`a program whose objects all claim 2^31 children is asked for few of them (hidden: ${hidden})`, async () => {
    await using session = await startAccessibleSession();
    await using elements = await openElements(session.display);
    await using program = await startHostileProgram(session, "claims");
    const { roots, truncated } = await elements.read({ maxElements: MAX_ELEMENTS, hidden });
    expect(truncated).toContain("elements");
    expect(flatten(roots).length).toBeLessThanOrEqual(MAX_ELEMENTS);
    expect(await program.end()).toBeLessThan(CALLS_EACH * MAX_ELEMENTS);
  });
}

for (const way of ["wrong types", "empty answers", "wrong places"]) {
  Deno.test(`a program that gives ${way} is named, and others are read`, async () => {
    await using session = await startAccessibleSession();
    await using elements = await openElements(session.display);
    await using _form = await openZenityForm(session.place);
    await using program = await startHostileProgram(session, way);
    const ok = await elements.find("button", "OK");
    const { unresponsive: silent } = await elements.read();
    expect(silent).toEqual([`process ${program.pid}, with damaged answers`]);
    expect((await elements.refresh(ok))!.name).toBe("OK");
  });
}

for (const way of ["circles", "endless"]) {
  Deno.test(`a tree with ${way} is read up to the bounds of the reading`, async () => {
    await using session = await startAccessibleSession();
    await using elements = await openElements(session.display);
    await using _program = await startHostileProgram(session, way);
    const { roots } = await elements.read({
      maxElements: MAX_ELEMENTS,
      hidden: true,
      timeMs: 2_000,
    });
    const all = flatten(roots);
    expect(all.length).toBeLessThanOrEqual(MAX_ELEMENTS);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });
}

Deno.test("names, descriptions and values are bounded, and so are all texts of a reading together", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  for (
    const { way, count, field, max } of [
      { way: "a long title", count: 3, field: "name", max: 4_096 },
      { way: "long names", count: 3, field: "name", max: 4_096 },
      { way: "long descriptions", count: 300, field: "description", max: 65_536 },
      { way: "long texts", count: 3, field: "value", max: 65_536 },
    ] as const
  ) {
    await using _program = await startHostileProgram(session, way, count, 200_000);
    const { roots, truncated } = await elements.read();
    const all = flatten(roots);
    const longest = Math.max(...all.map((each) => each[field]?.length ?? 0));
    expect({ way, longest }).toEqual({ way, longest: Math.min(longest, max) });
    expect(longest).toBeGreaterThan(1_000);
    const texts = all.reduce((sum, { name, description = "", value = "" }) => {
      return sum + name.length + description.length + value.length;
    }, 0);
    expect(texts).toBeLessThanOrEqual(16 * 1024 * 1024 + max);
    expect(truncated.includes("size")).toBe(way === "long descriptions");
  }
});

Deno.test("an answer of 100 MB ends nothing: its program is left out, and others are read", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using _form = await openZenityForm(session.place);
  const ok = await elements.find("button", "OK");
  for (const way of ["long names", "a cache too long"]) {
    const count = way === "long names" ? 3 : 100_000_000;
    await using _program = await startHostileProgram(session, way, count, 100_000_000);
    await elements.read();
    expect((await elements.refresh(ok))!.name).toBe("OK");
  }
});

Deno.test("a cache of 10,000 objects, or of other things, gives no more elements than are asked for", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  for (const way of ["a large cache", "a cache of other things"]) {
    await using _program = await startHostileProgram(session, way, 10_000);
    const { roots } = await elements.read({ maxElements: MAX_ELEMENTS });
    expect(flatten(roots).length).toBeLessThanOrEqual(MAX_ELEMENTS);
  }
});

Deno.test("a program that tells another element at every point has an end", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using _program = await startHostileProgram(session, "points");
  const button = await elements.find("button", /^button/);
  const point = { x: 50, y: 30 };
  expect(await elements.port.elementAt(point, button.id, NEVER)).not.toBe(button.id);
});

Deno.test("events of 1 MB each end nothing, and hide no other program", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using _form = await openZenityForm(session.place);
  const ok = await elements.find("button", "OK");
  await using _program = await startHostileProgram(session, "events", 1_000_000);
  await elements.port.changed(NEVER);
  await elements.port.changed(NEVER);
  expect((await elements.refresh(ok))!.name).toBe("OK");
});
