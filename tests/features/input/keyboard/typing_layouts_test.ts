/** Typing into a real xterm on keyboard layouts of all kinds. */

import { setLayout, startDesktop, startRecordedDesktop } from "../../../support/desktop.ts";
import { openXterm } from "../../../support/xterm.ts";
import { waitFor } from "../../../support/wait.ts";
import { TestX } from "../../../support/x_client.ts";
import { expect } from "expect";

const LAYOUTS = [["us"], ["de"], ["fr"], ["ru"], ["us", "intl"]];

const ASCII = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).join("");

/** Umlauts, accents, AltGr and dead-key characters of the layouts, other scripts, combining marks. */
const TEXTS = [
  ASCII,
  "äöüÄÖÜß éèêçàùÉ €µ² @\\|[]{}~",
  "ñÑ¿¡ŒœÆæ´`^¨~'\"",
  "Привет, мир! Ёё",
  "漢字 かな 한글 😀🚀",
  "e\u0301 a\u0308 n\u0303",
];

for (const layout of LAYOUTS) {
  Deno.test(`typeText() types every text on the layout ${layout.join(" ")}`, async () => {
    await using desktop = await startDesktop({ layout });
    await using xterm = await openXterm(desktop.display);
    for (const text of TEXTS) {
      await desktop.service.type(text);
      await xterm.expectNext(text);
    }
  });
}

Deno.test("typeText() types plain text while Caps Lock is on, and leaves it on", async () => {
  await using desktop = await startDesktop({ layout: ["de"] });
  await using xterm = await openXterm(desktop.display);
  using x = await TestX.open(desktop.display);
  await x.setCapsLock(true);
  for (const text of ["Hello World, äÖß é 漢", ASCII]) {
    await desktop.service.type(text);
    await xterm.expectNext(text);
    expect(await x.capsLock()).toBe(true);
  }
});

Deno.test("typeText() leaves Caps Lock off where it was off", async () => {
  await using desktop = await startDesktop();
  await using xterm = await openXterm(desktop.display);
  using x = await TestX.open(desktop.display);
  await desktop.service.type("Aä");
  await xterm.expectNext("Aä");
  expect(await x.capsLock()).toBe(false);
});

Deno.test("typeText() types in the keyboard group that is active", async () => {
  await using desktop = await startDesktop({ layout: ["us,ru"] });
  await using xterm = await openXterm(desktop.display);
  using x = await TestX.open(desktop.display);
  for (const group of [1, 0, 1]) {
    await x.lockGroup(group);
    for (const text of ["Hello, World! 2+2=4", "Привет, мир", "é漢😀"]) {
      await desktop.service.type(text);
      await xterm.expectNext(text);
    }
    expect((await x.state()).group).toBe(group);
  }
});

Deno.test("typeText() follows a layout that changes while the service runs", async () => {
  await using desktop = await startDesktop();
  await using xterm = await openXterm(desktop.display);
  for (const layout of LAYOUTS) {
    await desktop.service.type("yz ä");
    await xterm.expectNext("yz ä");
    await setLayout(desktop.display, layout);
    await desktop.service.type("yzYZ@# ä漢");
    await xterm.expectNext("yzYZ@# ä漢");
  }
});

Deno.test("typeText() follows a layout and a group that change in the middle of a text", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder, display } = desktop;
  const text = "é漢zé@漢yz";
  // slow: a key that is pressed in the very moment of the change belongs to neither layout
  const typed = service.type(text, { typing_delay: 600 });
  for (const [length, layout] of [[2, "de"], [4, "ru"], [6, "us"]] as const) {
    await waitFor(() => [...recorder.text].length === length, { what: "a part of the text" });
    await setLayout(display, [layout]);
  }
  await typed;
  await recorder.sync();
  expect(recorder.text).toBe(text);
});

Deno.test("typeText() takes every line break for one Enter, and a tab for Tab", async () => {
  await using desktop = await startDesktop({ layout: ["fr"] });
  await using xterm = await openXterm(desktop.display);
  await desktop.service.type("a\nb\r\nc\rd\te\r\n\r\nf\n\rg");
  await xterm.expectNext("a\nb\nc\nd\te\n\nf\n\ng");
});

Deno.test("typeText() refuses other control characters, naming them, and types nothing", async () => {
  await using desktop = await startDesktop();
  await using xterm = await openXterm(desktop.display);
  const detail = await desktop.service.refused(422, "/api/keyboard/type", {
    text: "ab\u0007c\u0000",
  });
  expect(detail).toContain("U+0007 at 2");
  expect(detail).toContain("U+0000 at 4");
  expect(detail).toContain('["body","text"]');
  await desktop.service.type("z");
  await xterm.expectNext("z");
});
