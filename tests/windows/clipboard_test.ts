/** The clipboard of Windows, with xclip as the other program: wine shares it with its X display. */

import { expect } from "expect";
import { waitFor } from "../support/wait.ts";
import { openWine, wineTest } from "../support/wine.ts";
import { startWineService } from "../support/wine_service.ts";
import { copyWith, pasteWith, XCLIP } from "../support/x_clipboard.ts";

const GET = "/api/clipboard/get";
const SET = "/api/clipboard/set";
const encoder = new TextEncoder();
const PIXEL_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

wineTest("the clipboard of Windows gives and takes every format", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine);
  const content = {
    ...{ text: "Grüße\n漢字 😀\n", html: "<b>é漢</b>", png: PIXEL_PNG },
    files: ["C:\\windows"],
  };
  const formats = ["text", "html", "png", "files"];
  await service.call(SET, content);
  const read = await service.call(GET, { formats });
  expect(read).toMatchObject({ available: formats, ...content });
  expect(read.types).toEqual(expect.arrayContaining(["CF_UNICODETEXT", "HTML Format", "PNG"]));

  const large = "0123456789é漢😀\r\n".repeat(100_000);
  await service.call(SET, { text: large });
  expect((await service.call(GET, {})).text).toBe(large.replaceAll("\r\n", "\n"));

  await service.call("/api/clipboard/clear", {});
  expect(await service.call(GET, { formats })).toEqual({ available: [], types: [] });
});

wineTest("the clipboard of Windows is the one that other programs have", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine);
  await service.call(SET, { text: "from Windows é漢😀" });
  const paste = async () => new TextDecoder().decode(await pasteWith(XCLIP.paste(), wine.display));
  await waitFor(async () => await paste() === "from Windows é漢😀", {
    what: "xclip to have the text",
  });
  const fromX = "from X é漢😀";
  await waitFor(async () => {
    await copyWith(XCLIP.copy(), wine.display, encoder.encode(fromX));
    // wine looks every 2 s; it hears late of its own change, too, and takes the clipboard once more then
    const arrived = async () => (await service.call(GET, {})).text === fromX;
    return await waitFor(arrived, { timeoutMs: 5_000 });
  }, { what: "Windows to have the text", timeoutMs: 60_000 });
});

wineTest(
  "a text is typed on Windows by pasting, and what was on the clipboard is put back",
  async () => {
    await using wine = await openWine();
    await using service = await startWineService(wine);
    await service.call("/api/bash/command", { command: "notepad", timeout: 0 });
    await waitFor(async () => { // until notepad has the keyboard
      await service.call(SET, { text: "before", html: "<i>before</i>" });
      const typed = { text: "pasted\né漢😀", method: "paste", clear: true };
      await service.call("/api/keyboard/type", typed);
      const formats = ["text", "html"];
      expect(await service.call(GET, { formats })).toMatchObject({
        ...{ text: "before", html: "<i>before</i>" },
      });
      await service.call("/api/keyboard/key", { key: "ctrl+a" });
      await service.call("/api/keyboard/key", { key: "ctrl+c" });
      const { text } = await service.call(GET, {});
      return text === "pasted\né漢😀";
    }, { what: "notepad to have the text", everyMs: 200, timeoutMs: 60_000 });
  },
);
