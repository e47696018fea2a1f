/** Shortcuts with Latin letters on layouts that have none: Ctrl+A selects everything in every program. */

import { expect } from "expect";
import { pick } from "../support/extent.ts";
import { openDesktop, type RealDesktop } from "./support/desktop.ts";

interface Layout {
  readonly name: string;
  readonly layout: readonly string[];
  readonly group: number;
}

const LAYOUTS = {
  ru: { name: "ru", layout: ["ru"], group: 0 },
  gr: { name: "gr", layout: ["gr"], group: 0 },
  "us,ru": { name: "us,ru group 2", layout: ["us,ru"], group: 1 },
} as const satisfies Record<string, Layout>;

/** Each program writes `old text`, replaces it by `new`, and gives what it holds then. */
const PROGRAMS = {
  chromium: (desktop: RealDesktop) => replaceInBrowser(desktop, "chromium"),
  firefox: (desktop: RealDesktop) => replaceInBrowser(desktop, "firefox"),
  mousepad: (desktop: RealDesktop) => replaceInEditor(desktop, "mousepad"),
  "gnome-text-editor": (desktop: RealDesktop) => replaceInEditor(desktop, "gnome-text-editor"),
  featherpad: (desktop: RealDesktop) => replaceInEditor(desktop, "featherpad"),
} as const;

type Case = readonly [program: keyof typeof PROGRAMS, layouts: readonly (keyof typeof LAYOUTS)[]];

const ALL = Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[];
const CASES = pick<readonly Case[]>({
  short: [
    ["chromium", ["ru"]],
    ["firefox", ["us,ru"]],
    ["gnome-text-editor", ["gr"]],
    ["featherpad", ["ru"]],
  ],
  full: (Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]).map((program) => [program, ALL]),
});

for (const [program, names] of CASES) {
  for (const name of names) {
    const { layout, group } = LAYOUTS[name];
    Deno.test(`ctrl+a selects everything in ${program} on the layout ${LAYOUTS[name].name}`, async () => {
      await using desktop = await openDesktop({ layout, group });
      expect(await PROGRAMS[program](desktop)).toBe("new");
    });
  }
}

for (const name of pick({ short: ["gr", "us,ru"] as const, full: ALL })) {
  const { layout, group } = LAYOUTS[name];
  Deno.test(`xterm gets ctrl+a and ctrl+c on the layout ${LAYOUTS[name].name}`, async () => {
    await using desktop = await openDesktop({ layout, group });
    const xterm = await desktop.xterm();
    await desktop.call("keyboard/key", { key: "ctrl+a" });
    await desktop.call("keyboard/hotkey", { keys: ["ctrl", "c"] });
    expect(await xterm.received(2)).toBe("\x01\x03");
  });
}

async function replaceInBrowser(
  desktop: RealDesktop,
  name: "chromium" | "firefox",
): Promise<string> {
  const browser = await desktop[name]({ body: `<input id="field" value="old text" autofocus>` });
  await browser.caughtUp(); // it has read the map of the keyboard that these tests press
  await replaceAll(desktop);
  await browser.caughtUp();
  const [select] = browser.events("keydown").filter(({ keyCode }) => keyCode === 65);
  expect(select).toMatchObject({ isTrusted: true, modifiers: ["ctrl"] });
  const { group } = await desktop.x.state();
  if (group !== 0) expect(select!.code).toBe("KeyA"); // the key that has it in the other group
  return await browser.evaluate(`document.querySelector("#field").value`);
}

async function replaceInEditor(
  desktop: RealDesktop,
  name: "mousepad" | "gnome-text-editor" | "featherpad",
): Promise<string> {
  const end = name === "gnome-text-editor" ? "" : "\n"; // which that one hides
  const editor = await desktop.editor(name, { text: `old text${end}` });
  await replaceAll(desktop);
  return (await editor.savedText()).trimEnd(); // featherpad ends every file with a line break
}

async function replaceAll(desktop: RealDesktop): Promise<void> {
  await desktop.call("keyboard/key", { key: "ctrl+a" });
  await desktop.call("keyboard/key", { key: "delete" });
  await desktop.type("new");
}
