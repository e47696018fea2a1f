/** Other work gets its turns while many elements are looked at. */

import { expect } from "expect";
import { captureBefore } from "../../../src/features/accessibility/element_actions.ts";
import { ElementTarget } from "../../../src/features/accessibility/element_target.ts";
import { search } from "../../../src/features/accessibility/find.ts";
import {
  type RedactedElement,
  redactElements,
} from "../../../src/features/accessibility/redact_elements.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { fakeEditor } from "../../support/fake_editor.ts";
import { holdingUpNobody } from "../../support/turns.ts";

/** Long, so that looking at all takes much longer than one turn. */
const NAME = "A name  of Many words ".repeat(100);

function bigList(count: number): RedactedElement {
  const plain = {
    ...{ role: "list", name: "Files", trueName: "Files", states: new Set<never>() },
    ...{ abilities: new Set<never>(), childCount: 0, children: [] },
  };
  const children = Array.from({ length: count }, (_, number): RedactedElement => ({
    ...{ ...plain, id: `item ${number}`, role: "listitem", name: NAME, trueName: NAME },
  }));
  return { ...plain, id: "list", childCount: count, children };
}

Deno.test("a search without a match lets others have their turns", async () => {
  const roots = [bigList(20_000)];
  const result = await holdingUpNobody(() =>
    search(roots, { name: "no such file", exact: false }).next()
  );
  expect(result.done).toBe(true);
});

Deno.test("the texts of many elements are read and put back in turns, each in its place", async () => {
  const { app } = fakeEditor();
  const context = {
    config: { redact: false, limits: DEFAULT_LIMITS },
    session: app.session,
    signal: new AbortController().signal,
  };
  const roots = [bigList(20_000)];
  const result = await holdingUpNobody(() => redactElements(context as never, roots));
  expect(result.roots).toEqual(roots);
});

Deno.test("a window of many elements is compared in turns", async () => {
  const { app, accessibility } = fakeEditor();
  const value = "one line\n".repeat(1_000);
  accessibility.get("top").children = Array.from({ length: 3_000 }, (_, number) => ({
    ...{ id: `line ${number}`, role: "textbox", name: `${number}`, value },
  }));
  const { signal } = new AbortController();
  const { roots: [top] } = await accessibility.read({
    ...{ scope: "all windows", hidden: true, maxElements: 2, maxDepth: 1, timeMs: 9, signal },
  });
  const element = top!.children[0]!;
  const target = new ElementTarget(app, { displayNum: 1, element, top: top! });
  const acting = { context: { signal } as never, target, ref: "e1", method: "auto" } as const;
  const result = await holdingUpNobody(() => captureBefore(acting, element));
  expect(result.fullTree!.split("[").length).toBeGreaterThan(2_999);
});

Deno.test("texts that pass the redactor in several pieces come back whole", async () => {
  const { app } = fakeEditor();
  const context = {
    config: { redact: true, limits: DEFAULT_LIMITS },
    session: app.session,
    signal: new AbortController().signal,
  };
  const roots = [bigList(300), { ...bigList(1), value: "" }];
  const { roots: shown } = await redactElements(context as never, roots);
  expect(shown).toEqual(roots);
});
