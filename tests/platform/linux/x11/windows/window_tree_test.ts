/** How many windows the tree of a server is asked about at the same time. */

import { expect } from "expect";
import {
  AT_ONCE,
  type WindowAtoms,
  type WindowRequests,
} from "../../../../../src/platform/linux/x11/windows/requests.ts";
import { WindowTree } from "../../../../../src/platform/linux/x11/windows/open_windows.ts";

Deno.test("popups() finds all among many windows, and asks about some of them at a time", async () => {
  const children = Array.from({ length: 3 * AT_ONCE + 1 }, (_, index) => index + 1);
  let [asked, most] = [0, 0];
  const requests = {
    connection: { root: 0 },
    flush() {},
    async ask(name: string, window: number) {
      if (name === "QueryTree") return { parent: 0, children };
      most = Math.max(most, ++asked);
      await Promise.resolve();
      asked--;
      return { klass: 1, mapState: 2, overrideRedirect: window % 2 };
    },
    unlessClosed: <T>(answer: Promise<T>) => answer,
  };
  const tree = new WindowTree(requests as unknown as WindowRequests, {} as WindowAtoms);

  const popups = await tree.popups();

  expect(popups).toEqual(children.filter((window) => window % 2 === 1).reverse());
  expect(most).toBe(AT_ONCE);
});
