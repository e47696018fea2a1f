/** Each real program of these tests starts, gets what the service sends, and ends without a trace. */

import { expect } from "expect";
import { openDesktop } from "./support/desktop.ts";

const TEXT = "Hello, Grüße: 漢字 😀";

for (const name of ["chromium", "firefox"] as const) {
  Deno.test(`${name} gets clicks and text`, async () => {
    await using desktop = await openDesktop();
    const browser = await desktop[name]({
      body: `<button id="button">a button</button><p><input id="field" size="60">`,
    });
    await desktop.call("mouse/left-click", await browser.pointOf("#button"));
    const [click] = await browser.waitFor((events) => events.length === 1, { type: "click" });
    expect(click).toMatchObject({ isTrusted: true, target: "button", detail: 1, button: 0 });

    await browser.show({ body: `<input id="second" autofocus size="60">` });
    await browser.takesKeys();
    await desktop.type(TEXT);
    await browser.expectValue("#second", TEXT);
    await browser.caughtUp();
    const typed = browser.events("keydown").filter(({ key }) => key === "H");
    expect(typed).toMatchObject([{ isTrusted: true, target: "second", code: "KeyH" }]);
  });
}

for (const name of ["mousepad", "gnome-text-editor", "featherpad"] as const) {
  Deno.test(`${name} saves what was typed`, async () => {
    await using desktop = await openDesktop();
    const editor = await desktop.editor(name);
    await desktop.type(`${TEXT}\n`);
    expect(await editor.savedText()).toBe(`${TEXT}\n`);
  });
}

Deno.test("xterm gets what was typed", async () => {
  await using desktop = await openDesktop();
  const xterm = await desktop.xterm();
  await desktop.type(TEXT);
  expect(await xterm.received(new TextEncoder().encode(TEXT).length)).toBe(TEXT);
});

Deno.test("LibreOffice Calc saves what was typed into cells", async () => {
  await using desktop = await openDesktop();
  const calc = await desktop.calc();
  await desktop.type(`${TEXT}\tsecond\nbelow\n`, { typing_delay: 12 });
  expect(await calc.savedCells()).toEqual([[TEXT, "second"], ["below"]]);
});
