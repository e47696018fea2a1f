/** The page of a recording in a real browser: it shows the picture of a time, also when it was cut off. */

import { expect } from "expect";
import { decodePng } from "../../support/png.ts";
import { run } from "../../support/desktop.ts";
import { testFolder } from "../../support/folder.ts";
import { succeeds, testIf } from "../../support/test_if.ts";
import { isColour } from "../../support/recorded_file.ts";
import { download, frames, paintedDesktop, start, stop } from "./recorded.ts";

const hasChromium = await succeeds("chromium", ["--version"]);
/** The margin of the page, in pixels. */
const MARGIN = 16;

testIf(hasChromium, "needs Chromium")("the page of a recording plays in Chromium", async () => {
  await using folder = await testFolder();
  const colours = [0xff0000, 0x00ff00];
  const { file, end } = await record(colours);
  const times = [...new TextDecoder().decode(file).matchAll(/<script>frame\((\d+),/g)]
    .map(([, at]) => Number(at));
  expect(times.length).toBe(1 + colours.length);
  for (const [index, colour] of [0, ...colours].entries()) {
    const until = (times[index + 1] ?? end) - 1;
    expect(isColour(await look(folder.path, file, `show(${until})`), colour)).toBe(true);
  }
  const dom = new TextDecoder().decode(await chromium(folder.path, "--dump-dom"));
  expect(dom).toContain(`max="${end}"`);
  expect(dom.match(/<li>/g)?.length).toBe(1);
  expect(dom).toContain("mouse.left-click");
  const text = new TextDecoder("latin1").decode(file);
  const cut = file.subarray(0, text.lastIndexOf("<script>frame(") + 40);
  expect(isColour(await look(folder.path, cut, "show(1e9)"), colours.at(-2)!)).toBe(true);
});

async function record(colours: readonly number[]) {
  await using desktop = await paintedDesktop();
  const { service, painter } = desktop;
  const { id } = await start(service, { format: "webp" });
  await frames(service, id, 1);
  for (const [index, colour] of colours.entries()) {
    await painter.paint([0, 0, 320, 240], colour);
    await frames(service, id, index + 2);
  }
  for (let i = 0; i < 20; i++) await service.call("/api/mouse/left-click", { x: 1, y: i });
  const { duration_ms: end } = await stop(service, id);
  return { file: await download(service, id), end };
}

/** The colour in the middle of the picture after a script has run in the page. */
async function look(folder: string, file: Uint8Array, script: string) {
  const more = new TextEncoder().encode(`"\n</script><script>${script}</script>`);
  await Deno.writeFile(`${folder}/page.html`, new Uint8Array([...file, ...more]));
  await chromium(folder, `--screenshot=${folder}/shot.png`);
  const { width, rgb } = decodePng(await Deno.readFile(`${folder}/shot.png`));
  const at = ((MARGIN + 120) * width + MARGIN + 160) * 3;
  return [...rgb.subarray(at, at + 3)];
}

async function chromium(folder: string, what: string): Promise<Uint8Array> {
  return await run("chromium", [
    ...["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}/profile`],
    ...["--window-size=800,600", "--virtual-time-budget=3000", what, `file://${folder}/page.html`],
  ]);
}
