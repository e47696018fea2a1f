/** What programs paste that was put on the clipboard, and what they copy; texts that are typed by pasting. */

import { expect } from "expect";
import { pasteWith, XCLIP } from "../support/x_clipboard.ts";
import { waitFor } from "../support/wait.ts";
import { stopProgram } from "./support/stopped.ts";
import { xdotool } from "./support/xwindow.ts";
import { openDesktop } from "./support/desktop.ts";

const LONG = Array.from({ length: 6_000 }, (_, i) => `${i} é漢😀`).join("\n");

Deno.test("mousepad and the clipboard", async (t) => {
  await using desktop = await openDesktop();
  await using editor = await desktop.mousepad({ text: "" });

  await t.step("it pastes what clipboard/set put there", async () => {
    await desktop.call("clipboard/set", { text: "Grüße, 漢字 😀\n" });
    await desktop.call("keyboard/key", { key: "ctrl+v" });
    await waitFor(async () => await editor.savedText() === "Grüße, 漢字 😀\n");
  });

  await t.step("clipboard/get has what it copies", async () => {
    await desktop.call("keyboard/key", { key: "ctrl+a" });
    await desktop.call("keyboard/key", { key: "ctrl+x" });
    await waitFor(async () => {
      const read = await desktop.call("clipboard/get");
      return (read as { text?: string }).text === "Grüße, 漢字 😀\n";
    });
  });

  await t.step("a long text is typed by pasting, and what was there is put back", async () => {
    await desktop.call("clipboard/set", { text: "before", html: "<b>before</b>" });
    await desktop.type(LONG, { method: "paste" });
    await waitFor(async () => await editor.savedText() === LONG);
    const formats = ["text", "html"];
    expect(await desktop.call("clipboard/get", { formats })).toMatchObject({
      ...{ text: "before", html: "<b>before</b>" },
    });
  });

  await t.step("what mousepad itself had copied is put back after a paste", async () => {
    await desktop.call("keyboard/type", { text: "mine", clear: true });
    await desktop.call("keyboard/key", { key: "ctrl+a" });
    await desktop.call("keyboard/key", { key: "ctrl+c" });
    await waitFor(async () =>
      (await desktop.call("clipboard/get") as { text?: string }).text === "mine"
    );
    await desktop.type(" pasted", { method: "paste", clear: true });
    expect(await editor.savedText()).toBe(" pasted");
    expect(await desktop.call("clipboard/get")).toMatchObject({ text: "mine" });
  });

  await t.step("busy while a paste is refused, it never pastes another text instead", async () => {
    const pid = Number(await xdotool(desktop.display, ["getwindowpid", `${editor.window.id}`]));
    await desktop.call("keyboard/type", { text: "start ", clear: true });
    await desktop.call("clipboard/set", { text: "before" });
    {
      using _stopped = await stopProgram(desktop.x, pid);
      const request = { text: "wanted", method: "paste" };
      const { status } = await desktop.service.post("/api/keyboard/type", request);
      expect(status).toBe(409);
    }
    await waitFor(async () =>
      (await desktop.call("clipboard/get") as { text?: string }).text === "before"
    );
    await desktop.call("keyboard/type", { text: "." });
    expect(await editor.savedText()).toBe("start wanted.");
  });
});

Deno.test("Chromium pastes HTML from the clipboard, and HTML that it copies can be read", async () => {
  await using desktop = await openDesktop();
  await using browser = await desktop.chromium({
    body: "<div id='field' contenteditable style='height:200px'></div>",
  });
  await browser.evaluate("document.querySelector('#field').focus()");
  await desktop.call("clipboard/set", { text: "plain", html: "<b>fett</b> é漢" });
  await desktop.call("keyboard/key", { key: "ctrl+v" });
  const html = () => browser.evaluate<string>("document.querySelector('#field').innerHTML");
  await waitFor(async () => /<b[^>]*>fett<\/b>.*é漢/.test(await html()));
  await desktop.call("keyboard/key", { key: "ctrl+a" });
  await desktop.call("keyboard/key", { key: "ctrl+c" });
  await waitFor(async () => {
    const read = await desktop.call("clipboard/get", { formats: ["text", "html"] });
    const { text, html } = read as { text?: string; html?: string };
    return text?.includes("fett é漢") && /<b[^>]*>fett<\/b>/.test(html ?? "");
  });
});

Deno.test("a page of Chromium that is busy for seconds gets the text, and what was there comes back later", async () => {
  await using desktop = await openDesktop();
  await using browser = await desktop.chromium({ body: "<textarea id='field'></textarea>" });
  await browser.evaluate("document.querySelector('#field').focus()");
  await desktop.call("clipboard/set", { text: "before" });
  const keepBusy = (ms: number) =>
    browser.evaluate(
      `setTimeout(() => { for (const end = Date.now() + ${ms}; Date.now() < end;); }) && null`,
    );
  await keepBusy(2_500);
  await desktop.type("Grüße 漢字", { method: "paste" });
  await desktop.type("!", {});
  await browser.expectValue("#field", "Grüße 漢字!");
  const isPutBack = async () =>
    (await desktop.call("clipboard/get") as { text?: string }).text === "before";
  await waitFor(isPutBack);

  await keepBusy(8_000);
  await desktop.type(" Straße", { method: "paste" });
  await desktop.type("?", {});
  await browser.expectValue("#field", "Grüße 漢字! Straße?");
  await waitFor(isPutBack);
});

Deno.test("a program that pastes nothing: 409, and what was on the clipboard is there after a read", async () => {
  await using desktop = await openDesktop();
  await using _xterm = await desktop.xterm();
  await desktop.call("clipboard/set", { text: "before" });
  const request = { text: "x", method: "paste" };
  const response = await desktop.service.post("/api/keyboard/type", request);
  expect({ status: response.status, text: await response.text() }).toMatchObject({
    status: 409,
    text: expect.stringContaining("did not take it"),
  });
  const paste = async () =>
    new TextDecoder().decode(await pasteWith(XCLIP.paste(), desktop.display));
  expect(await paste()).toBe("x");
  await waitFor(async () => await paste() === "before");
});
