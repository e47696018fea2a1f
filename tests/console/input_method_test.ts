/** What a person writes with an input method lands in a program on the display. */

import { expect } from "expect";
import { startCommand } from "../support/command.ts";
import { type HeadlessPage, openHeadlessPage } from "../support/headless_page.ts";
import { servePages } from "../support/browser/pages.ts";
import { hasChromium } from "../support/still_programs.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { openXterm } from "../support/xterm.ts";
import { startXvfb } from "../support/xvfb.ts";

const ignore = unless(Deno.build.os === "linux", "it needs a virtual display") ||
  unless(hasChromium(), "chromium is not installed");

async function takeOver(page: HeadlessPage): Promise<void> {
  await page.awaitText("#driver", /Programs have control/);
  await page.press("Take over");
  await page.awaitText("#driver", /You have control/);
  const focused = () => page.evaluate("document.activeElement.className");
  await waitFor(async () => await focused() === "keyboard", { what: "the keyboard" });
}

/** As an input method writes: it shows what may be meant, and then takes one. */
async function compose(page: HeadlessPage, [first, second]: readonly [string, string]) {
  for (const text of [first.slice(0, 1), first, second]) {
    const [selectionStart, selectionEnd] = [text.length, text.length];
    await page.call("Input.imeSetComposition", { text, selectionStart, selectionEnd });
  }
  await page.call("Input.insertText", { text: second });
}

Deno.test({
  name: "text of an input method lands in xterm, once",
  ignore,
  async fn() {
    await using server = await startXvfb({ size: "640x480" });
    await using xterm = await openXterm(server.display);
    await using service = await startCommand(["--display", server.display]);
    await using page = await openHeadlessPage(`${service.address}/console`);
    await takeOver(page);
    await compose(page, ["にほん", "日本"]);
    await compose(page, ["hangeul", "한글"]);
    await page.call("Input.insertText", { text: "🙂" }); // as a touch keyboard does
    await page.key("Enter", 13);
    await xterm.expectNext("日本한글🙂\n");
    expect(page.errors).toEqual([]);
  },
});

const PAGE = `<textarea autofocus style="position: fixed; inset: 0"></textarea><script>
  const field = document.querySelector("textarea");
  const tell = () => report(document.hasFocus() ? "focused " + field.value : "elsewhere");
  for (const kind of ["input", "focus"]) field.addEventListener(kind, tell);
  addEventListener("focus", tell);
  tell();
</script>`;

Deno.test({
  name: "text of an input method lands in Chromium, once",
  ignore,
  async fn() {
    await using pages = servePages();
    await using service = await startCommand(["--virtual-display", "800x600", "--open-browser"]);
    const url = pages.serve("/", PAGE);
    expect(await (await service.post("/api/browser/open", { url })).json()).toMatchObject({
      loaded: true,
    });
    const has = async (text: string) =>
      await waitFor(() => pages.reports.at(-1) === `focused ${text}`, { what: text });
    await has("");
    await using page = await openHeadlessPage(`${service.address}/console`);
    await takeOver(page);
    await compose(page, ["にほん", "日本"]);
    await compose(page, ["hangeul", "한글"]);
    await page.call("Input.insertText", { text: "🙂" });
    await has("日本한글🙂");
    expect(page.errors).toEqual([]);
  },
});
