/** Reads that callers share. */

import { expect } from "expect";
import { SharedReads } from "../../../src/features/accessibility/use_accessibility.ts";
import type { Accessibility, ReadTree, TreeReading } from "../../../src/platform/types/mod.ts";

const TREE: ReadTree = { roots: [], truncated: [], unresponsive: [] };

interface Begun extends PromiseWithResolvers<ReadTree> {
  readonly reading: TreeReading;
}

/** Its reads end when the test says so, or when nobody waits for them. */
function heldAccessibility() {
  const begun: Begun[] = [];
  const read = (reading: TreeReading) => {
    const held = { reading, ...Promise.withResolvers<ReadTree>() };
    reading.signal.addEventListener("abort", () => held.reject(reading.signal.reason));
    begun.push(held);
    return held.promise;
  };
  return { begun, accessibility: { read } as unknown as Accessibility };
}

function readingOf(signal: AbortSignal, scope: TreeReading["scope"] = "all windows"): TreeReading {
  return { scope, hidden: false, maxElements: 10, maxDepth: 5, timeMs: 1_000, signal };
}

const { signal } = new AbortController();
const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("those who ask during a read share one that begins after it", async () => {
  const { begun, accessibility } = heldAccessibility();
  const reads = new SharedReads();
  const ask = () => reads.read(accessibility, readingOf(signal));
  const first = ask();
  const others = Array.from({ length: 20 }, ask);
  expect(begun.length).toBe(1);
  begun[0]!.resolve(TREE);
  expect(await first).toBe(TREE);
  await turn();
  expect(begun.length).toBe(2);
  const late = ask(); // what they get may be older than this question
  begun[1]!.resolve(TREE);
  await Promise.all(others);
  await turn();
  expect(begun.length).toBe(3);
  begun[2]!.resolve(TREE);
  await late;
});

Deno.test("other elements, other displays and single elements are read for themselves", async () => {
  const { begun, accessibility } = heldAccessibility();
  const reads = new SharedReads();
  const asked = [
    reads.read(accessibility, readingOf(signal)),
    reads.read({ read: accessibility.read } as Accessibility, readingOf(signal)),
    reads.read(accessibility, readingOf(signal, "focused window")),
    reads.read(accessibility, readingOf(signal, { element: "one" })),
    reads.read(accessibility, readingOf(signal, { element: "one" })),
  ];
  expect(begun.length).toBe(5);
  for (const { resolve } of begun) resolve(TREE);
  await Promise.all(asked);
});

Deno.test("a read ends when the last of those has left who wait for it, and not before", async () => {
  const { begun, accessibility } = heldAccessibility();
  const reads = new SharedReads();
  const callers = [1, 2, 3].map(() => new AbortController());
  const asked = callers.map((caller) =>
    reads.read(accessibility, readingOf(caller.signal)).then(() => "read", (error) => error)
  );
  callers[1]!.abort("left");
  expect(await asked[1]).toBe("left");
  begun[0]!.resolve(TREE);
  expect(await asked[0]).toBe("read");
  await turn();
  expect(begun[1]!.reading.signal.aborted).toBe(false);
  callers[2]!.abort("left too");
  expect(await asked[2]).toBe("left too");
  expect(begun[1]!.reading.signal.aborted).toBe(true);
  const next = reads.read(accessibility, readingOf(signal));
  await turn();
  begun.at(-1)!.resolve(TREE);
  expect(await next).toBe(TREE);
});

Deno.test("a read that hangs, or fails, is not the fate of the next", async () => {
  const { begun, accessibility } = heldAccessibility();
  const reads = new SharedReads();
  const ask = () => reads.read(accessibility, readingOf(signal));
  const hanging = ask().catch((error) => error);
  const second = ask();
  while (begun.length < 2) await turn();
  begun[1]!.resolve(TREE);
  expect(await second).toBe(TREE);
  begun[0]!.reject("no answer");
  expect(await hanging).toBe("no answer");
});
