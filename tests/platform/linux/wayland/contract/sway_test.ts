/** Display, mouse and keyboard on sway (wlroots); its pictures are also those of grim. */

import { expect } from "expect";
import { decodePng } from "../../../../support/png.ts";
import type { Check } from "../../../../support/wayland/contract/contract.ts";
import { testContract } from "../../../../support/wayland/contract/contract.ts";
import { screenshot, showPattern } from "../../../../support/wayland/contract/display_checks.ts";

const GRIM: Check = {
  name: "a picture has every pixel of the one that grim takes",
  async run(bench) {
    const { desktop } = bench;
    await showPattern(bench);
    const file = `${desktop.home}/grim.png`;
    await desktop.run("grim", [file]);
    const theirs = decodePng(await Deno.readFile(file));
    const ours = await screenshot(bench);
    expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height]);
    expect(ours.rgb.findIndex((value, at) => value !== theirs.rgb[at])).toBe(-1);
  },
};

testContract("sway", { more: [GRIM], programs: ["grim"] });
