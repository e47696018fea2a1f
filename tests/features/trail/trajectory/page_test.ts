/** The exported page in a real browser: a person steps through it by the keyboard and by its list. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../../support/browser/browser_desktop.ts";
import { testApp } from "../../../support/client.ts";
import { testFolder } from "../../../support/folder.ts";
import { waitFor } from "../../../support/wait.ts";

const SIZE = { width: 64, height: 48 };
const XS = [3, 5, 7];

/** The page of a recording with a step for each of {@link XS}, and one that has failed. */
async function exportPage(folder: string): Promise<string> {
  const app = testApp({ config: { stateDir: `${folder}/state` }, platform: { size: SIZE } });
  await using _session = app.session;
  await app.post("/api/trail/start", { trees: false });
  for (const x of XS) await app.post("/api/mouse/move", { x, y: 4 });
  await app.post("/api/mouse/left-click", { ref: "e404" });
  const path = `${folder}/trail.html`;
  expect((await app.post("/api/trail/export", { format: "html", path })).status).toBe(200);
  return await Deno.readTextFile(path);
}

const SEEN = `({
  title: document.querySelector("h1").textContent,
  current: document.querySelector("[aria-current]").textContent,
  failed: [...document.querySelectorAll(".failed")].map(({ textContent }) => textContent),
  widths: [...document.images].map(({ naturalWidth }) => naturalWidth),
  marks: document.querySelectorAll(".mark").length,
})`;

Deno.test("the page shows each step with its pictures, by keys and by its list", async () => {
  await using folder = await testFolder();
  const page = await exportPage(folder.path);
  await using desktop = await startBrowserDesktop({ evaluate: true });
  const { service, pages } = desktop;
  const headers = { "content-type": "text/html; charset=utf-8" };
  await service.call("/api/browser/navigate", {
    url: pages.serve("/trail", () => new Response(page, { headers })),
  });
  const expectStep = async (title: string) => {
    const seen = await waitFor(async () => {
      const { text } = await service.call("/api/browser/evaluate", { expression: SEEN }) as {
        readonly text: string;
      };
      const shown = JSON.parse(text);
      return shown.title === title && shown.widths.every((width: number) => width > 0) && shown;
    }, { what: `step "${title}"` });
    expect(seen).toEqual({
      title,
      current: title,
      failed: ["4. mouse.left-click"],
      widths: [SIZE.width, SIZE.width],
      marks: title.includes(" at ") ? 1 : 0,
    });
  };
  await expectStep("1. mouse.move at 3, 4");
  await service.call("/api/browser/key", { key: "ArrowDown" });
  await expectStep("2. mouse.move at 5, 4");
  await service.call("/api/browser/click", { ref: await desktop.refOf('"4. mouse.left-click"') });
  await expectStep("4. mouse.left-click");
  await service.call("/api/browser/key", { key: "ArrowRight" });
  await expectStep("4. mouse.left-click");
  await service.call("/api/browser/key", { key: "ArrowUp" });
  await expectStep("3. mouse.move at 7, 4");
});
