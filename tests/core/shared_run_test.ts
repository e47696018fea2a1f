/** SharedRun: one run at a time, which serves all who asked before it began, and nobody who came later. */

import { expect } from "expect";
import * as fc from "fast-check";
import { SharedRun } from "../../src/core/shared_run.ts";

const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("no order of asking and failing serves anybody with an older run, or runs two at once", async () => {
  const Ask = fc.record({ turns: fc.nat(4), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(Ask, { maxLength: 20 }), async (asks) => {
      let running = 0;
      let begun = 0;
      const shared = new SharedRun(async () => {
        const number = ++begun;
        expect(++running).toBe(1);
        await turn();
        running--;
        if (asks[number]?.fails) return Promise.reject(number);
        return number;
      });
      const all = [];
      for (const { turns } of asks) {
        const before = begun;
        all.push(
          shared.run().catch((number) => number).then((number) => {
            expect(number).toBeGreaterThan(before);
            expect(number).toBeLessThanOrEqual(before + 2); // the one that had its number taken, and the next
          }),
        );
        for (let i = 0; i < turns; i++) await turn();
      }
      await shared.idle();
      expect([running, shared.busy]).toEqual([0, false]);
      await Promise.all(all);
    }),
    { numRuns: 60 },
  );
});
