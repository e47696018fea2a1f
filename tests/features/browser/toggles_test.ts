/** Buttons and switches that are on and off, as snapshots of a page in a real Chromium have them. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { TOGGLE_PAGE, TOGGLES } from "../../support/browser/toggles.ts";
import { unless } from "../../support/test_if.ts";

Deno.test({
  name: "a snapshot of a page says which buttons can be switched on, also where they are off",
  ignore: unless(Deno.build.os === "linux", "the browser is started on an X server"),
  async fn() {
    await using desktop = await startBrowserDesktop();
    await desktop.show("/toggles", TOGGLE_PAGE);
    const lines = (await desktop.snapshot({ filter: "interactive" })).split("\n")
      .filter((line) => /^- (button|switch)/.test(line))
      .map((line) => line.replace(/ \[ref=e\d+\]/, ""));
    expect(lines).toEqual(
      TOGGLES.map(({ role, name, state }) =>
        `- ${role} "${name}"${state === undefined ? "" : ` [${state}]`}`
      ),
    );
  },
});
