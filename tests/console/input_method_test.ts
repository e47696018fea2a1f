/** What a person writes with an input method lands in a program on the display. */

import { expect } from "expect";
import { startCommand } from "../support/command.ts";
import { ignore, openConsole, openConsolePage, takeOver } from "../support/console_page.ts";
import type { HeadlessPage } from "../support/headless_page.ts";
import { servePages } from "../support/browser/pages.ts";
import { waitFor } from "../support/wait.ts";
import { openXterm } from "../support/xterm.ts";

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
    await using opened = await openConsole();
    const { page } = opened;
    await using xterm = await openXterm(opened.display);
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
    await using page = await openConsolePage(service.address);
    await takeOver(page);
    await compose(page, ["にほん", "日本"]);
    await compose(page, ["hangeul", "한글"]);
    await page.call("Input.insertText", { text: "🙂" });
    await has("日本한글🙂");
    expect(page.errors).toEqual([]);
  },
});
