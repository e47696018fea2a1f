/** Each real program of these tests starts, gets what the service sends, and ends without a trace. */

import { expect } from "expect";
import { openDesk } from "./support/desk.ts";

const TEXT = "Hello, Grüße: 漢字 😀";

for (const name of ["chromium", "firefox"] as const) {
  Deno.test(`${name} gets clicks and text`, async () => {
    await using desk = await openDesk();
    const browser = await desk[name]({
      body: `<button id="button">a button</button><p><input id="field" size="60">`,
    });
    await desk.call("mouse/left-click", await browser.pointOf("#button"));
    const [click] = await browser.waitFor((events) => events.length === 1, { type: "click" });
    expect(click).toMatchObject({ isTrusted: true, target: "button", detail: 1, button: 0 });

    await browser.show({ body: `<input id="second" autofocus size="60">` });
    await desk.type(TEXT);
    await browser.expectValue("#second", TEXT);
    await browser.caughtUp();
    const typed = browser.events("keydown").filter(({ key }) => key === "H");
    expect(typed).toMatchObject([{ isTrusted: true, target: "second", code: "KeyH" }]);
  });
}

for (const name of ["mousepad", "gnome-text-editor", "featherpad"] as const) {
  Deno.test(`${name} saves what was typed`, async () => {
    await using desk = await openDesk();
    const editor = await desk.editor(name);
    await desk.type(`${TEXT}\n`);
    expect(await editor.savedText()).toBe(`${TEXT}\n`);
  });
}

Deno.test("xterm gets what was typed", async () => {
  await using desk = await openDesk();
  const xterm = await desk.xterm();
  await desk.type(TEXT);
  expect(await xterm.received(new TextEncoder().encode(TEXT).length)).toBe(TEXT);
});

Deno.test("LibreOffice Calc saves what was typed into cells", async () => {
  await using desk = await openDesk();
  const calc = await desk.calc();
  await desk.type(`${TEXT}\tsecond\nbelow\n`, { typing_delay: 12 });
  expect(await calc.savedCells()).toEqual([[TEXT, "second"], ["below"]]);
});
