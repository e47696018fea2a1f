/** What a click costs beside a key and a move, and a key right after a click: waiting costs nothing where no key follows. */

import { startServer } from "./process.ts";
import { row, section } from "./report.ts";

const WARM_UP = 200;
const ROUNDS = 1_000;

export async function benchClicks(xDisplay: string): Promise<void> {
  const args = ["--port", "0", "--display", `1=${xDisplay}`];
  await using service = await startServer("../main.ts", args);
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    await response.body?.cancel();
  };
  // in turn at two places: presses at one place get time stamps of their own, a millisecond each
  const at = (index: number) => ({ x: 300 + 100 * (index % 2), y: 200 });
  const move = await p50((index) => post("mouse/move", at(index)));
  const click = await p50((index) => post("mouse/left-click", at(index)));
  await post("keyboard/key", { key: "a" });
  const key = await p50(() => post("keyboard/key", { key: "a" }));
  const after = await p50(
    () => post("keyboard/key", { key: "a" }),
    (index) => post("mouse/left-click", at(index)),
  );
  section("Clicks and keys, one client (p50 ms; share of a move)");
  for (
    const [label, ms] of Object.entries({ move, click, key, "key right after a click": after })
  ) {
    row(label, [ms.toFixed(3), (ms / move).toFixed(2)]);
  }
}

async function p50(
  work: (index: number) => Promise<void>,
  before: (index: number) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + ROUNDS; index++) {
    await before(index);
    const start = performance.now();
    await work(index);
    if (index >= WARM_UP) times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
