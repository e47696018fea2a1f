/** A screen that shows something, something else, and the first again: `since` says nothing wrong of that. */

import { startDesktop } from "../../support/desktop.ts";
import { followThereAndBack } from "../../support/follower.ts";
import { openPainter } from "../../support/painter.ts";

const COLOURS = { A: 0x204060, B: 0xff8800 };
const AREA = [40, 30, 100, 80] as const;

Deno.test("since is right on an X server whose screen changes there and back", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service } = desktop;
  using painter = await openPainter(desktop.display);
  const paint = (what: "A" | "B") => painter.paint(AREA, COLOURS[what]);
  await followThereAndBack({ service, paint, flip: (what) => void paint(what) }, {
    rounds: 8,
    everyMs: 1,
  });
});
