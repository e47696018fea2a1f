/** The clipboard of GNOME by Mutter's remote desktop, and texts that are typed by pasting. */

import { expect } from "expect";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";
import { openWaylandChromium } from "../../../../support/wayland/chromium.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { startUserService } from "../../../../support/wayland/user_service.ts";

const MISSING = missingFor("mutter", ["chromium"]);
const test = testIf(MISSING === undefined, MISSING ?? "");
const MUTTER = ["--wayland-backend", "mutter"];
const OFF_LAYOUT = "é漢😀";
const FIELD = `<textarea id="text" autofocus style="width: 100%; height: 90vh"></textarea>`;

test("the clipboard has what it had before, however many texts were pasted", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, MUTTER);
  await using browser = await openWaylandChromium(desktop, { body: FIELD });
  const value = () => browser.evaluate<string>("document.querySelector('#text').value");
  await service.call("keyboard/type", { text: "mine" });
  await waitFor(async () => await value() === "mine");
  await service.call("keyboard/key", { key: "ctrl+a" });
  await service.call("keyboard/key", { key: "ctrl+x" });
  // the field is empty before the desktop knows what Chromium has cut
  await waitFor(async () => (await service.call("clipboard/get")).text === "mine");
  for (const text of [OFF_LAYOUT, `x${OFF_LAYOUT}y`, OFF_LAYOUT]) {
    await service.call("keyboard/type", { text, clear: true });
    await browser.expectValue("#text", text);
  }
  await service.call("keyboard/key", { key: "ctrl+a" });
  await service.call("keyboard/key", { key: "ctrl+v" });
  await browser.expectValue("#text", "mine");
});

test("a page that is busy for seconds when it is to paste gets the text, and what follows it", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, MUTTER);
  await using browser = await openWaylandChromium(desktop, { body: FIELD });
  await service.call("clipboard/set", { text: "mine" });
  await browser.evaluate(
    "setTimeout(() => { for (const end = Date.now() + 2_500; Date.now() < end;); }) && null",
  );
  await service.call("keyboard/type", { text: OFF_LAYOUT });
  await service.call("keyboard/type", { text: "!" });
  await browser.expectValue("#text", `${OFF_LAYOUT}!`);
  // where it was busy for too long, the text is left to it until it has read
  await waitFor(async () => (await service.call("clipboard/get")).text === "mine");
});

test("programs of GNOME paste what clipboard/set put there, and clipboard/get has what they copy", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, MUTTER);
  await using browser = await openWaylandChromium(desktop, { body: FIELD });
  await service.call("clipboard/set", { text: OFF_LAYOUT, html: `<b>${OFF_LAYOUT}</b>` });
  const formats = ["text", "html"];
  expect(await service.call("clipboard/get", { formats })).toMatchObject({
    ...{ text: OFF_LAYOUT, html: `<b>${OFF_LAYOUT}</b>`, available: formats },
  });
  await service.call("keyboard/key", { key: "ctrl+v" });
  await browser.expectValue("#text", OFF_LAYOUT);
  await service.call("keyboard/type", { text: "theirs", clear: true });
  await browser.expectValue("#text", "theirs");
  await service.call("keyboard/key", { key: "ctrl+a" });
  await service.call("keyboard/key", { key: "ctrl+c" });
  await waitFor(async () => (await service.call("clipboard/get")).text === "theirs");
  await service.call("keyboard/type", { text: "pasted é", method: "paste", clear: true });
  await browser.expectValue("#text", "pasted é");
  expect((await service.call("clipboard/get")).text).toBe("theirs");
});

test("clipboard/clear leaves nothing, neither of this program nor of another, for programs to paste", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, MUTTER);
  await using browser = await openWaylandChromium(desktop, { body: FIELD });
  const copy = {
    own: () => service.call("clipboard/set", { text: "own" }),
    theirs: async () => {
      await service.call("keyboard/type", { text: "theirs", clear: true });
      await service.call("keyboard/key", { key: "ctrl+a" });
      await service.call("keyboard/key", { key: "ctrl+c" });
    },
  };
  for (const [text, put] of Object.entries(copy)) {
    await put();
    await waitFor(async () => (await service.call("clipboard/get")).text === text);
    await service.call("clipboard/clear");
    expect(await service.call("clipboard/get")).toEqual({ available: [], types: [] });
    await service.call("keyboard/type", { text: "<", clear: true });
    await service.call("keyboard/key", { key: "ctrl+v" });
    await service.call("keyboard/type", { text: ">" });
    await browser.expectValue("#text", "<>");
  }
});

test("ten who read at once what a program has copied all get it", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, MUTTER);
  await using browser = await openWaylandChromium(desktop, { body: FIELD });
  await service.call("keyboard/type", { text: "theirs" });
  await browser.expectValue("#text", "theirs");
  await service.call("keyboard/key", { key: "ctrl+a" });
  await service.call("keyboard/key", { key: "ctrl+c" });
  await waitFor(async () => (await service.call("clipboard/get")).text === "theirs");
  const read = await Promise.all(Array.from({ length: 10 }, () => service.call("clipboard/get")));
  expect(read.map(({ text }) => text)).toEqual(Array(10).fill("theirs"));
});
