/** OSWorld's tree of elements under load; how long the reads take is a figure of the bench. */

import { expect } from "expect";
import { isOnPath, unless } from "../../support/test_if.ts";
import { loadTree } from "./tree_load.ts";

const SECONDS = 20;
const PROGRAMS = ["Xvfb", "openbox", "mousepad", "/usr/libexec/at-spi-bus-launcher"];
const missing = PROGRAMS.filter((program) => !isOnPath(program));

Deno.test({
  name: "98 readers of the tree beside typing: each gets a whole one, and no key is lost",
  ignore: unless(
    missing.length === 0,
    `needs ${missing.join(", ")} (deno task setup --for wayland)`,
  ),
}, async () => {
  const { times, faults, typed, saved } = await loadTree(SECONDS);
  expect(faults).toEqual([]);
  expect(saved).toBe(typed);
  expect(times.length).toBeGreaterThanOrEqual(98);
});
