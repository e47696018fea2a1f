/** What is done when its caller leaves is cancelled in the trail and in the figures. */

import { expect } from "expect";
import { OperationLog } from "../../../src/features/trail/operation_log.ts";
import { testApp } from "../../support/client.ts";
import { waitFor } from "../../support/wait.ts";

const TYPING = { text: "x".repeat(100), typing_delay: 100 };
const CALLS = [
  ["by its path", "/api/keyboard/type", TYPING],
  ["in a batch", "/api/batch", { steps: [{ operation: "keyboard.type", input: TYPING }] }],
] as const;

for (const [how, path, body] of CALLS) {
  for (const when of ["while it is held up", "while it runs"]) {
    Deno.test(`what is called ${how} and left ${when} is cancelled`, async () => {
      const app = testApp();
      await using _session = app.session;
      const log = app.session.use(OperationLog);
      const leaving = new AbortController();
      using _observing = log.observe({
        begin: (_, { id }) =>
          when === "while it runs" || id !== "typeText"
            ? undefined
            : { prepare: () => Promise.resolve(leaving.abort()), end() {} },
      });
      const answer = app.fetch(
        new Request(`http://localhost${path}`, {
          method: "POST",
          headers: { host: "localhost", "content-type": "application/json" },
          body: JSON.stringify(body),
          signal: leaving.signal,
        }),
      );
      if (when === "while it runs") {
        await waitFor(() => app.platform.screen().fake.sent.length > 0);
        leaving.abort();
      }
      expect((await answer).status).toBe(499);
      await log.flush();
      const { json } = await app.send("GET", "/api/trail?outcome=cancelled");
      const names = json.entries.map(({ operation }: { operation: string }) => operation).sort();
      expect(names).toEqual(how === "in a batch" ? ["batch", "keyboard.type"] : ["keyboard.type"]);
      const failed = await app.send("GET", "/api/trail?outcome=failed");
      expect(failed.json.entries).toEqual(json.entries);
      const metrics = await app.send("GET", "/metrics");
      const counted = 'calls_total{operation="typeText",outcome="cancelled"} 1';
      expect([how, metrics.text.includes(counted)]).toEqual([how, how === "in a batch"]);
    });
  }
}
