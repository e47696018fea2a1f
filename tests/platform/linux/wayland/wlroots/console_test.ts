/** The console on sway: the page shows what grim takes, and a click lands where it was made. */

import { expect } from "expect";
import { CANVAS_HASH, hashOf, openConsoleViewer } from "../../../../support/console_desk.ts";
import { decodePng } from "../../../../support/png.ts";
import { hasChromium } from "../../../../support/still_programs.ts";
import { testIf } from "../../../../support/test_if.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { encodePattern } from "../../../../support/wayland/pattern.ts";
import { giveToDesktopUser } from "../../../../support/wayland/user.ts";
import { waitFor } from "../../../../support/wait.ts";

const lacking = missingFor("sway", ["grim"]) ??
  (hasChromium() ? undefined : "chromium is not installed");
const onSway = testIf(lacking === undefined, lacking ?? "");

const SIZE = { width: 640, height: 400 };

onSway("the page shows sway as grim does, and a person's click lands on its pixel", async () => {
  await using desktop = await startWaylandDesktop("sway", {
    ...SIZE,
    config: "seat * hide_cursor 100",
  });
  const path = `${desktop.home}/pattern.png`;
  await Deno.writeFile(path, encodePattern(SIZE, 1));
  await giveToDesktopUser(path);
  await desktop.run("swaymsg", ["--", `output HEADLESS-1 bg ${path} tile`]);
  await using service = await desktop.service();
  await using viewer = await openConsoleViewer(service.listen());
  await viewer.awaitDriver(/Programs have control/);
  await waitFor(async () => {
    const file = `${desktop.home}/grim.png`;
    await desktop.run("grim", ["-o", "HEADLESS-1", file]);
    const { rgb } = decodePng(await Deno.readFile(file));
    return await viewer.evaluate(CANVAS_HASH) === await hashOf(rgb);
  }, { what: "the same pixels", everyMs: 100 });
  await viewer.takeOver();
  await viewer.click(123, 45);
  await viewer.handBack();
  expect(await service.call("/api/mouse/position")).toEqual({ x: 123, y: 45 });
});
