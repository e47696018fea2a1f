/** What a release of everything does in a browser that is asked for too much, or that still starts. */

import { expect } from "expect";
import { openBrowser } from "../../src/platform/browser/open_browser.ts";
import { thisHost } from "../../src/platform/host.ts";
import { type TestApp, testApp } from "../support/client.ts";
import { simulate, stepUntil } from "./callers.ts";
import { SimulatedBrowser } from "./simulated_browser.ts";
import { World } from "./world.ts";

/** More than run and wait at the same time. */
const CLICKS = 1_700;

/** An app with a simulated browser, for the time of a test. */
async function withBrowser(
  test: (parts: {
    readonly world: World;
    readonly browser: SimulatedBrowser;
    readonly app: TestApp;
    readonly ended: <T>(work: Promise<T>) => Promise<T>;
  }) => Promise<void>,
): Promise<void> {
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
    await test({ world, browser, app, ended });
  });
}

Deno.test("a click that waits for the browser to start is dropped when everything is released", () =>
  withBrowser(async ({ world, browser, app, ended }) => {
    const click = app.post("/api/browser/click", { x: 1, y: 1 });
    await stepUntil(world, () => world.history.some((line) => line.includes("to the thread")));
    expect((await ended(app.post("/api/system/release-all", {}))).status).toBe(204);
    expect((await ended(click)).status).toBe(409);
    expect(browser.pages.flatMap(({ inputs }) => inputs)).toEqual([]);
  }));

Deno.test("release-all releases a button, though no more clicks can wait for a page that hangs", () =>
  withBrowser(async ({ world, browser, app, ended }) => {
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
  }));
