/** Input on a display of which each answer fails once: see `input_world.ts`. */

import { expect } from "expect";
import { failEachAnswer } from "./input_world.ts";

const AT = { x: 5, y: 5 };

/** Each with how many answers of the system it needs at least. */
const CALLS: readonly [path: string, body: object, answers: number][] = [
  ["mouse/move", AT, 1],
  ["mouse/move", { ...AT, duration_ms: 50 }, 1],
  ["mouse/click", AT, 1],
  ["mouse/click", { ...AT, click_count: 3, modifiers: ["ctrl", "shift"] }, 2],
  ["mouse/down", AT, 1],
  ["mouse/up", {}, 1],
  ["mouse/scroll", { clicks: 3 }, 1],
  ["mouse/drag", { ...AT, modifiers: ["alt"] }, 3],
  ["keyboard/key", { key: "ctrl+s", duration_ms: 100, repeat: 2 }, 2],
  ["keyboard/hold", { key: "shift" }, 1],
  ["keyboard/type", { text: "text", typing_delay: 5 }, 1],
  ["system/release-all", {}, 1],
];

for (const [path, body, answers] of CALLS) {
  Deno.test(`${path} ${JSON.stringify(body)} with each answer of the system a failure`, async () => {
    expect(await failEachAnswer(path, body)).toBeGreaterThanOrEqual(answers);
  });
}
