/** Many who log while the reader of the log is slow: every line is written once, in order, before a flush ends. */

import { LineWriter } from "../../src/core/log.ts";
import { simulate, stepUntil } from "./callers.ts";
import { type Scenario, World } from "./world.ts";

const FLUSH_MS = 60_000;
/** A line can come so many turns of the queue of promises after a part was written. */
const MOST_TURNS = 12;

/** @throws Error as {@link simulate} */
export async function simulateLog({ seed, calls }: Scenario): Promise<void> {
  const world = new World(seed);
  await simulate(world, async () => {
    let written = "";
    let added = "";
    const logged: (() => void)[] = [];
    const writer = new LineWriter(async (bytes) => {
      const count = 1 + world.below(bytes.length);
      const write = () => written += new TextDecoder().decode(bytes.subarray(0, count));
      await world.answer("a part of the log", write);
      for (const add of logged.splice(0)) add();
      return count;
    });
    const add = () => {
      const line = `line ${added.length}`;
      added += `${line}\n`;
      writer.add(line);
    };
    const addLater = async (turns: number) => {
      for (let turn = 0; turn < turns; turn++) await undefined;
      add();
    };
    for (let left = calls; left > 0;) {
      const come = () => {
        left--;
        if (world.random() < 0.5) add();
        else logged.push(() => void addLater(world.below(MOST_TURNS)));
      };
      await world.step([{ what: "a line comes", weight: 0.5, run: come }]);
    }
    // lines that come during one flush are those of the next
    for (let flush = 0; flush < 3; flush++) {
      const before = added;
      let isOver = false;
      writer.flush(FLUSH_MS).then(() => isOver = true);
      await stepUntil(world, () => isOver);
      if (written.startsWith(before)) continue;
      throw new Error(`${before.length} characters became ${written.length}`);
    }
    if (written !== added) throw new Error("A line was written twice");
  });
}
