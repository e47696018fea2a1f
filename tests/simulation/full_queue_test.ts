/** What is still done in a browser of which more is asked than it can take. */

import { expect } from "expect";
import { openBrowser } from "../../src/platform/browser/open_browser.ts";
import { thisHost } from "../../src/platform/host.ts";
import { testApp } from "../support/client.ts";
import { simulate, stepUntil } from "./callers.ts";
import { SimulatedBrowser } from "./simulated_browser.ts";
import { World } from "./world.ts";

/** More than run and wait at the same time. */
const CLICKS = 1_700;

Deno.test("release-all releases a button, though no more clicks can wait for a page that hangs", async () => {
  const world = new World(1);
  await simulate(world, async () => {
    const browser = new SimulatedBrowser(world);
    using _installed = browser.install();
    const app = testApp();
    const config = { browserAddress: "ws://simulated.test/", stateDirs: [] };
    app.platform.browser = openBrowser(thisHost(), config, () => undefined);
    const ended = async <T>(work: Promise<T>) => {
      let isOver = false;
      work.finally(() => isOver = true);
      await stepUntil(world, () => isOver);
      return await work;
    };
    const { json: tabs } = await ended(app.send("GET", "/api/browser/tabs"));
    const [hanging, other] = browser.pages;
    const down = { x: 1, y: 1, tab_id: tabs[1].id, action: "down" };
    expect((await ended(app.post("/api/browser/pointer", down))).status).toBe(204);
    expect([...other!.buttons.keys()]).toEqual(["left"]);

    hanging!.hang();
    const statuses: number[] = [];
    for (let each = 0; each < CLICKS; each++) {
      const click = { x: each, y: each, tab_id: tabs[0].id };
      app.post("/api/browser/click", click).then(({ status }) => statuses.push(status));
    }
    await stepUntil(world, () => statuses.includes(503));
    expect((await ended(app.post("/api/system/release-all", {}))).status).toBe(204);
    expect([...other!.buttons.keys()]).toEqual([]);

    hanging!.goOn();
    await stepUntil(world, () => statuses.length === CLICKS);
    expect([...new Set(statuses)].sort()).toEqual([409, 503]);
    expect(hanging!.inputs.filter(({ type }) => type === "mousePressed")).toEqual([]);
  });
});
