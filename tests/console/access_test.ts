/** Who sees little, or has no mouse, uses the console, too; axe judges that, which others wrote. */

import axe from "axe-core";
import { expect } from "expect";
import { ignore, openConsole, takeOver } from "../support/console_page.ts";
import { waitFor } from "../support/wait.ts";

/** What axe counts as serious or worse, with the parts of the page where it is so. */
const SERIOUS = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
  violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]))`;

/** As the protocol counts them. */
const [ALT, CTRL] = [1, 2];

const TABS = `[...document.querySelectorAll("[role=tab]")].map(({ textContent }) => textContent)`;
const SELECTED = `document.querySelector("[role=tab][aria-selected=true]").textContent`;

Deno.test({
  name: "axe finds nothing serious: light and dark, wide and 360 pixels, in every panel",
  ignore,
  async fn() {
    await using opened = await openConsole(["--approve", "filesystem.delete"]);
    const { page, service } = opened;
    const waiting = [
      service.post("/api/control/request-help", { reason: "a captcha" }),
      service.post("/api/filesystem/delete", { path: "/nonexistent/file" }),
    ].map((each) => each.then(({ body }) => body?.cancel(), () => {})); // the service ends before
    await page.awaitText(".notices", /asks for help.*wants to call/);
    await page.evaluate(`${axe.source}; undefined`);
    const tabs = await page.evaluate<string[]>(TABS);
    expect(tabs).toEqual(["Activity", "Elements", "Commands", "Files", "Links", "Status"]);
    for (const scheme of ["light", "dark"]) {
      const features = [{ name: "prefers-color-scheme", value: scheme }];
      await page.call("Emulation.setEmulatedMedia", { features });
      for (const width of [1_400, 360]) {
        const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
        await page.call("Emulation.setDeviceMetricsOverride", size);
        expect(await page.evaluate("document.documentElement.scrollWidth"))
          .toBeLessThanOrEqual(width);
        for (const tab of tabs) {
          await page.press(tab);
          expect([scheme, width, tab, await page.evaluate(SERIOUS)])
            .toEqual([scheme, width, tab, []]);
        }
      }
    }
    await takeOver(page);
    expect(await page.evaluate(SERIOUS)).toEqual([]);
    expect(page.errors).toEqual([]);
    service.signal("SIGTERM");
    await Promise.all(waiting);
  },
});

Deno.test({
  name: "all of the page is reached by keys alone, and the keyboard of the display is left by them",
  ignore,
  async fn() {
    await using opened = await openConsole();
    const { page } = opened;
    await page.press("Links"); // nothing changes there
    await page.awaitText("#panel", /Make a link/);
    const all = await page.evaluate<string[]>(`
      [...document.querySelectorAll("button, input, select, [tabindex='0']")]
        .filter((each) => each.tabIndex >= 0 && each.checkVisibility())
        .map(({ outerHTML }) => outerHTML)`);
    expect(all.length).toBeGreaterThan(8);
    const reached = new Set<string>();
    for (let count = 0; count < 2 * all.length; count++) {
      await page.key("Tab", 9);
      reached.add(await page.evaluate("document.activeElement.outerHTML"));
    }
    expect(all.filter((each) => !reached.has(each))).toEqual([]);

    await page.evaluate(`document.getElementById("tab-Links").focus()`);
    const selected: string[] = [];
    for (let count = 0; count < 6; count++) {
      await page.key("ArrowRight", 39);
      selected.push(
        await waitFor(async () => {
          const now = await page.evaluate<string>(SELECTED);
          return now !== (selected.at(-1) ?? "Links") && now;
        }),
      );
    }
    expect(selected)
      .toEqual(["Status", "Activity", "Elements", "Commands", "Files", "Links"]);

    await takeOver(page);
    await page.key("Escape", 27, CTRL | ALT);
    await waitFor(async () => await page.evaluate("document.activeElement.id") === "hand-back");
    await page.key("Enter", 13);
    await page.awaitText("#driver", /Programs have control/);
    expect(page.errors).toEqual([]);
  },
});
