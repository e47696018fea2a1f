/** What OpenAI's door cannot answer, keys of actions that fail, and the way of a drag. */

import { expect } from "expect";
import { startModelDesktop } from "../model_desktop.ts";

function call(actions: readonly object[]) {
  return { type: "computer_call", id: "cu_1", call_id: "call_1", status: "completed", actions };
}

Deno.test("what OpenAI's models cannot be answered is refused by the operation, and nothing runs", async () => {
  await using desktop = await startModelDesktop();
  const typing = call([{ type: "type", text: "a" }]);
  const { call_id: _id, id: _other, ...nameless } = typing;
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ output: [typing, nameless] }, /output.*1.*call_id.*needs its call_id/],
    [{ output: Array(21).fill(typing) }, /21 computer calls, and at most 20/],
    [{ output: Array(1001).fill({ type: "message" }) }, /at most 1000/],
    [{ output: [{ ...typing, pending_safety_checks: "all is well" }] }, /safety checks/],
    [{ output: [typing], outputs: [] }, /Unknown field.*takes.*output/],
    [{ output: "nothing" }, /valid list|array/],
    [{ output: [{}] }, /type/],
  ];
  for (const [body, message] of refused) {
    const detail = await desktop.service.refused(422, "/api/agents/openai", body);
    expect(detail).toMatch(message);
  }
  expect(await desktop.seen()).toBe("");
});

Deno.test("the keys of an action that fails are released, and a drag passes its points", async () => {
  await using desktop = await startModelDesktop();
  const { input } = await desktop.ask("openai", {
    output: [call([{ type: "click", button: "back", x: 9999, y: 1, keys: ["CTRL"] }])],
  });
  expect(input[0].status).toBe("incomplete");
  expect(await desktop.seen()).toBe("+Control_L -Control_L");
  const path = [{ x: 50, y: 60 }, { x: 300, y: 60 }, { x: 300, y: 400 }];
  await desktop.ask("openai", { output: [call([{ type: "drag", path }])] });
  await desktop.recorder.sync();
  const corner = desktop.recorder.motions.filter(({ x, y }) => Math.hypot(x - 300, y - 60) <= 20);
  expect(corner.length).toBeGreaterThan(0);
  const inside = desktop.recorder.motions.filter(({ x, y }) => x < 280 && y > 80);
  expect(inside).toEqual([]); // no short cut
});
