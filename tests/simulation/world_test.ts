/** What a seed does moves as little as can be when something is added to its world. */

import { expect } from "expect";
import { type Choice, World } from "./world.ts";

const SEEDS = Array.from({ length: 50 }, (_, index) => index + 1);

Deno.test("an operation that is added is chosen now and then, and all other choices stay", () => {
  for (const seed of SEEDS) {
    const before = choices(seed, ["click", "click", "drag", "type", "key"]);
    const after = choices(seed, ["click", "new", "click", "drag", "type", "key"]);
    const moved = before.filter((each, index) => after[index] !== each).length;
    expect(moved).toBe(after.filter((each) => each === "new").length);
  }
  expect(SEEDS.some((seed) => choices(seed, ["click", "new"]).includes("new"))).toBe(true);
});

Deno.test("callers choose only from the operations that are given, where there are any", () => {
  expect(new Set(choices(1, ["click", "drag", "type"], ["drag", "type"]))).toEqual(
    new Set(["drag", "type"]),
  );
  expect(new Set(choices(1, ["click"], ["drag"]))).toEqual(new Set(["click"]));
});

Deno.test("something more that can happen leaves all others in their order, with their numbers", async () => {
  for (const seed of SEEDS) {
    const before = await happened(seed, ["a", "b"]);
    const after = await happened(seed, ["a", "new", "b"]);
    const others = after.filter((each) => !each.startsWith("new"));
    expect(others).toEqual(before.slice(0, others.length));
    expect(others.length).toBeLessThan(after.length);
  }
});

Deno.test("what can happen is chosen by its weight", async () => {
  const all = await happened(1, ["a", "b"], 4_000);
  const share = all.filter((each) => each.startsWith("b")).length / all.length;
  expect(share).toBeGreaterThan(0.7);
  expect(share).toBeLessThan(0.8);
});

function choices(seed: number, from: readonly string[], operations?: readonly string[]) {
  using world = new World(seed, { operations });
  return Array.from({ length: 40 }, () => world.pickKind(from, (each) => each));
}

/** What happened, each with a number of its own; b can come three times as often as others. */
async function happened(seed: number, names: readonly string[], steps = 60): Promise<string[]> {
  using world = new World(seed);
  const all: string[] = [];
  const choices: readonly Choice[] = names.map((what) => ({
    what,
    weight: what === "b" ? 3 : 1,
    run() {
      const note = () => all.push(`${what} ${world.random()}`);
      if (steps < 100 && world.random() < 0.5) void world.answer(what, note);
      else note();
    },
  }));
  for (let step = 0; step < steps; step++) await world.step(choices);
  return all;
}
