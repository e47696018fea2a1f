/** The live picture of sway: at rest it is what grim takes, pixel for pixel. */

import { expect } from "expect";
import { LiveDisplays } from "../../../../../src/features/live/live_displays.ts";
import { Watcher } from "../../../../support/live_viewer.ts";
import { decodePng } from "../../../../support/png.ts";
import { testIf } from "../../../../support/test_if.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { encodePattern } from "../../../../support/wayland/pattern.ts";
import { giveToDesktopUser } from "../../../../support/wayland/user.ts";
import { waitFor } from "../../../../support/wait.ts";

const lacking = missingFor("sway", ["grim"]);
const onSway = testIf(lacking === undefined, lacking ?? "");

const SIZE = { width: 640, height: 400 };

onSway("a viewer of sway has what grim takes, however the output is shown", async () => {
  await using desktop = await startWaylandDesktop("sway", {
    ...SIZE,
    config: "seat * hide_cursor 100",
  });
  await using service = await desktop.service();
  const watcher = new Watcher();
  const live = service.session.use(LiveDisplays);
  using viewer = await live.watch({ display_num: 1 }, watcher.send);
  watcher.connect((id) => viewer.acknowledge(id));
  for (const [seed, setting] of ["scale 1", "scale 2", "transform 90", "scale 1"].entries()) {
    const path = `${desktop.home}/pattern-${seed}.png`;
    await Deno.writeFile(path, encodePattern(SIZE, seed));
    await giveToDesktopUser(path);
    await desktop.run("swaymsg", ["--", `output HEADLESS-1 ${setting} bg ${path} tile`]);
    await waitFor(async () => {
      const file = `${desktop.home}/grim.png`;
      await desktop.run("grim", ["-o", "HEADLESS-1", file]);
      const { width, height, rgb } = decodePng(await Deno.readFile(file));
      await watcher.idle();
      const { surface } = watcher;
      const wrong = surface.pixels.findIndex((pixel, at) =>
        pixel !== (rgb[at * 3]! << 16 | rgb[at * 3 + 1]! << 8 | rgb[at * 3 + 2]!)
      );
      expect([setting, surface.width, surface.height, wrong]).toEqual([setting, width, height, -1]);
      return new Set(surface.pixels).size > 1_000;
    }, { what: `the picture with ${setting}`, everyMs: 100 });
  }
});
