/** The matrix: text in many scripts, typed into every program, on every keyboard, under every window manager. */

import { expect } from "expect";
import { EXTENT } from "../support/extent.ts";
import { openDesktop } from "./support/desktop.ts";
import { KEYBOARD_NAMES, type KeyboardName, KEYBOARDS } from "./support/keyboards.ts";
import { openForTyping, type ProgramName, PROGRAMS } from "./support/typed.ts";
import { WINDOW_MANAGERS, type WindowManager } from "./support/window_manager.ts";

interface Case {
  readonly windowManager: WindowManager;
  readonly keyboard: KeyboardName;
  readonly programs: readonly ProgramName[];
}

const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
const TEXT = [
  `Printable:${ASCII}.`,
  "Accents: àáâãäå æç èéêë ìíîï ñ òóôõöø œ ß ùúûü ýÿ ČŠŽ łőű ğış ÀÉÎÕÜ ÆŒØ ẞ",
  "Signs: “quoted” „so“ «là» — – … € £ ¥ § ¶ © ® ° ± × ÷ ½ ² ∑ √ ≤ ≠ → ♥ ✓",
  "Scripts: Ελληνικά άέήίόύώ, Кириллица ёъыэЩ, Українська їєґ, עברית, العربية, ไทย",
  "Asia: 日本語のテキスト, 漢字仮名, 简体中文, 한국어",
  "Beyond: 😀 😂 👍🏽 🇪🇺 👩‍💻 𝒳 𠮷",
  "aa bb ll ;; 11 ++ ää жж ωω 漢漢 😀😀",
].map((line) => `${line}\n`).join("");

/** LibreOffice answers no pings without a window manager, and opens its first cell slowly. */
const LATE = ["--keymap-settle", "1000"];

/** Every program, every keyboard and every window manager once. */
const SHORT: readonly Case[] = [
  { windowManager: "openbox", keyboard: "us", programs: ["mousepad"] },
  { windowManager: "openbox", keyboard: "us,ru group 2", programs: ["chromium", "calc"] },
  { windowManager: "openbox", keyboard: "gr", programs: ["gnome-text-editor"] },
  { windowManager: "xfwm4", keyboard: "ru", programs: ["firefox"] },
  { windowManager: "xfwm4", keyboard: "fr", programs: ["featherpad"] },
  { windowManager: "xfwm4", keyboard: "Num Lock", programs: ["gnome-text-editor"] },
  { windowManager: "none", keyboard: "de", programs: ["chromium"] },
  { windowManager: "none", keyboard: "us-intl", programs: ["xterm"] },
  { windowManager: "none", keyboard: "Caps Lock", programs: ["mousepad"] },
];

const FULL: readonly Case[] = WINDOW_MANAGERS.flatMap((windowManager) =>
  KEYBOARD_NAMES.map((keyboard) => ({ windowManager, keyboard, programs: PROGRAMS }))
);

for (const { windowManager, keyboard, programs } of EXTENT === "full" ? FULL : SHORT) {
  for (const name of programs) {
    Deno.test(`typing into ${name}, keyboard ${keyboard}, window manager ${windowManager}`, async () => {
      const serviceArgs = name === "calc" && windowManager === "none" ? LATE : [];
      await using desktop = await openDesktop({
        windowManager,
        ...KEYBOARDS[keyboard],
        serviceArgs,
      });
      await using program = await openForTyping(desktop, name);
      await desktop.type(TEXT, program.typing);
      expect(await program.received(TEXT)).toBe(TEXT);
    });
  }
}
