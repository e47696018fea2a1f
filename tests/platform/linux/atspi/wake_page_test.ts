/** Windows of Chromium, which report their pages only when somebody asks for their relations. */

import { expect } from "expect";
import { Budget } from "../../../../src/platform/linux/atspi/budget.ts";
import type { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import type { Node } from "../../../../src/platform/linux/atspi/node.ts";
import { roleNumber } from "../../../../src/platform/linux/atspi/states.ts";
import { wakePage } from "../../../../src/platform/linux/atspi/sources.ts";

const FRAME: Node = {
  ...{ bus: ":1.5", path: "/frame", name: "Page", description: "", childCount: 1 },
  ...{ role: roleNumber("frame"), states: [0, 0], interfaces: [] },
};
const NO_CHILD = ["", "/org/a11y/atspi/null"];
const PAGE = [":1.5", "/page"];

/**
 * A browser that reports its page once its relations were asked for so often, and what it was asked. A test can
 * change when that is.
 */
function browserThat({ wakesAt, reports = false, reportsWoken = false }: {
  readonly wakesAt: number;
  /** Whether its window has children from the start. */
  readonly reports?: boolean;
  /** Whether it has children as soon as its relations are asked for, without a page. */
  readonly reportsWoken?: boolean;
}) {
  const asked: string[] = [];
  let relations = 0;
  const browser = { asked, wakesAt };
  const isAwake = () => relations >= browser.wakesAt;
  const hasChild = () => reports || isAwake() || reportsWoken && relations > 0;
  const answers: Record<string, () => unknown> = {
    "Accessible.GetRelationSet": () => ++relations && isAwake() ? [[13, [PAGE]]] : [],
    "Accessible.GetChildren": () => [hasChild() ? PAGE : NO_CHILD],
    "Accessible.GetRole": () => FRAME.role,
    "Accessible.GetState": () => [0, 0],
    "Accessible.GetInterfaces": () => [],
  };
  const client: Pick<AtspiClient, "call" | "get"> = {
    call(_, method) {
      asked.push(method);
      return Promise.resolve([answers[method]!()]);
    },
    get: (_, property) => Promise.resolve(property === "Accessible.ChildCount" ? 7 : ""),
  };
  const options = {
    client: client as AtspiClient,
    budget: new Budget(120_000, () => {}),
    wakeMs: 60_000,
  };
  return Object.assign(browser, {
    options,
    /** It forgets that somebody reads it, and reports its page when it was asked so often again. */
    sleep(wakesAt: number) {
      relations = 0;
      browser.wakesAt = wakesAt;
    },
  });
}

function count(asked: readonly string[]): number {
  return asked.filter((method) => method === "Accessible.GetRelationSet").length;
}

Deno.test("wakePage() waits for the page, and gives the window as it is then", async () => {
  const { asked, options } = browserThat({ wakesAt: 3 });
  const { childCount } = await wakePage(FRAME, options);
  expect(childCount).toBe(7);
  expect(count(asked)).toBeGreaterThanOrEqual(3);
});

Deno.test("wakePage() waits for no window that reports its page, or something else", async () => {
  const awake = browserThat({ wakesAt: 1 });
  expect(await wakePage(FRAME, awake.options)).toBe(FRAME);
  expect(count(awake.asked)).toBe(1);
  const other = browserThat({ wakesAt: Infinity, reports: true });
  expect(await wakePage(FRAME, other.options)).toBe(FRAME);
  expect(count(other.asked)).toBe(1); // asked all the same: it is what makes it report more
});

Deno.test("wakePage() waits once for a window without a page, and asks it nonetheless", async () => {
  const { asked, options } = browserThat({ wakesAt: Infinity });
  await wakePage(FRAME, { ...options, wakeMs: 100 });
  expect(count(asked)).toBeGreaterThan(1);
  asked.length = 0;
  expect(await wakePage(FRAME, options)).toBe(FRAME);
  expect(count(asked)).toBe(1);
});

Deno.test("wakePage() waits again for a window whose page has been there", async () => {
  const browser = browserThat({ wakesAt: Infinity });
  const { options } = browser;
  await wakePage(FRAME, { ...options, wakeMs: 100 });
  browser.sleep(1);
  expect(await wakePage(FRAME, options)).toBe(FRAME); // with its page, without a wait
  browser.sleep(3);
  expect((await wakePage(FRAME, options)).childCount).toBe(7);
});

Deno.test("wakePage() only asks where nobody waits, and who waits later has the full time", async () => {
  const browser = browserThat({ wakesAt: Infinity });
  const { options } = browser;
  expect(await wakePage(FRAME, { ...options, waitMs: 0 })).toBe(FRAME);
  expect(count(browser.asked)).toBe(1);
  await wakePage(FRAME, { ...options, waitMs: 100 });
  const short = new Budget(100, () => {});
  await wakePage(FRAME, { ...options, budget: short });
  expect([...short.truncated]).toEqual(["time"]);
  browser.sleep(3);
  expect((await wakePage(FRAME, options)).childCount).toBe(7);
});

Deno.test("wakePage() waits for the page also when the window has other content meanwhile", async () => {
  const fresh = browserThat({ wakesAt: 3, reportsWoken: true });
  expect((await wakePage(FRAME, fresh.options)).childCount).toBe(7);
  const browser = browserThat({ wakesAt: 4, reportsWoken: true });
  expect(await wakePage(FRAME, { ...browser.options, waitMs: 0 })).toBe(FRAME);
  expect((await wakePage(FRAME, browser.options)).childCount).toBe(7);
  expect(count(browser.asked)).toBeGreaterThanOrEqual(4);
});

Deno.test("wakePage() asks nothing of menus, and stops when a reading is over", async () => {
  const menu = { ...FRAME, role: roleNumber("menu") };
  const { asked, options } = browserThat({ wakesAt: Infinity });
  expect(await wakePage(menu, options)).toBe(menu);
  expect(asked).toEqual([]);
  const budget = new Budget(0, () => {});
  await wakePage(FRAME, { ...options, budget });
  expect([...budget.truncated]).toEqual(["time"]);
});
