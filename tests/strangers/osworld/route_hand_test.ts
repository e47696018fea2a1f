/** What a script finds in the tree of OSWorld's server, and which lines it sends for that. */

import { expect } from "expect";
import type { OsworldComputer } from "./computer.ts";
import { openRouteHand } from "./route_hand.ts";

const ELEMENTS = [
  `<push-button name="Save &amp; close" st:showing="true" st:enabled="true" cp:screencoord="(10, 20)" cp:size="(40, 10)"/>`,
  `<push-button name="Save" cp:screencoord="(-1, -1)" cp:size="(0, 0)"/>`,
  `<label name="Rows:" st:showing="true" cp:screencoord="(100, 200)" cp:size="(50, 20)">Rows:</label>`,
  `<label name="Columns:" st:showing="true" cp:screencoord="(100, 240)" cp:size="(50, 20)">Columns:</label>`,
  `<spin-button name="" st:showing="true" cp:screencoord="(160, 242)" cp:size="(60, 20)">80</spin-button>`,
  `<spin-button name="" st:showing="true" cp:screencoord="(160, 202)" cp:size="(60, 20)">24</spin-button>`,
  `<radio-button name="Light" st:showing="true" st:checked="true" cp:screencoord="(0, 0)" cp:size="(9, 9)"/>`,
  `<menu name="View" st:showing="true" cp:screencoord="(300, 0)" cp:size="(20, 10)"/>`,
  `<check-menu-item name="Slide Pane" st:showing="true" cp:screencoord="(300, 10)" cp:size="(20, 10)"/>`,
];
const TREE = `<desktop-frame xmlns:st="https://accessibility.ubuntu.example.org/ns/state">${
  ELEMENTS.join("\n")
}</desktop-frame>`;

function handOf(tree: string) {
  const sent: string[] = [];
  const computer: Partial<OsworldComputer> = {
    tree: () => Promise.resolve(tree),
    perform: (lines) => {
      sent.push(...lines);
      return Promise.resolve();
    },
  };
  return { sent, hand: openRouteHand(computer as OsworldComputer, "/home") };
}

Deno.test("a script clicks in the middle of what the tree shows, by its role and a part of its name", async () => {
  const { sent, hand } = handOf(TREE);
  await hand.desktop.click("button", "Save");
  await hand.menu("View", "Slide Pane");
  await hand.desktop.hasState("radio", "Light", "checked");
  expect(sent).toEqual([
    "pyautogui.click(30, 25)",
    "pyautogui.click(310, 5)",
    "pyautogui.click(310, 15)",
  ]);
});

Deno.test("a field without a name is the one beside its label", async () => {
  const { sent, hand } = handOf(TREE);
  await hand.desktop.fill("spinbutton", "Rows", "43");
  await hand.desktop.fill("spinbutton", "Columns", "132");
  expect(sent).toEqual([
    "pyautogui.click(190, 212)",
    'pyautogui.hotkey("ctrl", "a")',
    'pyautogui.write("43", interval=0.02)',
    'pyautogui.press("tab")',
    "pyautogui.click(190, 252)",
    'pyautogui.hotkey("ctrl", "a")',
    'pyautogui.write("132", interval=0.02)',
    'pyautogui.press("tab")',
  ]);
});

Deno.test("keys are sent by the names that pyautogui has", async () => {
  const { sent, hand } = handOf(TREE);
  await hand.key("ctrl+shift+w");
  await hand.key("Down", 2);
  await hand.key("Enter");
  expect(sent).toEqual([
    'pyautogui.hotkey("ctrl", "shift", "w")',
    'pyautogui.press("down", presses=2, interval=0.05)',
    'pyautogui.press("enter")',
  ]);
});
