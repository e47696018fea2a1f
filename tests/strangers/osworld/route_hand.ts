/**
 * What the solvers of local tasks act with, by nothing but the routes of OSWorld's server, as its agents act: the tree of
 * elements, pictures, and `pyautogui`. The same scripts can so be sent to this service and to OSWorld's own server.
 */

import { decodePng } from "../../support/png.ts";
import { waitFor } from "../../support/wait.ts";
import type { OsworldComputer } from "./computer.ts";
import { hotkey, press, write } from "./keys.ts";
import { type Elements, elementsBy, type Found, type LocalHand, TOLERANCE } from "./local_hand.ts";

/** An element of the tree that is shown. */
interface Shown extends Found {
  readonly role: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The roles of the tasks, and the tags that the tree has for them. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  button: ["push-button", "button", "toggle-button"],
  cell: ["table-cell", "tree-item", "list-item", "tree-table-cell"],
  checkbox: ["check-box"],
  combobox: ["combo-box"],
  document: ["document-frame", "document-presentation", "document-web", "panel"],
  menuitem: ["menu-item", "check-menu-item", "radio-menu-item"],
  radio: ["radio-button"],
  spinbutton: ["spin-button"],
  switch: ["toggle-button", "switch"],
  tab: ["page-tab"],
  textbox: ["text", "entry"],
};
/** What has the name of a field that has none itself. */
const LABELS = ["label", "static"];

const ELEMENT = /<([\w-]+)((?:\s+[\w:.-]+="[^"]*")*)\s*\/?>/g;
const ATTRIBUTE = /([\w:.-]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
};

/** How long a program may take to show something, and to start, in milliseconds. */
const SHOW_MS = 60_000;
const OPEN_MS = 300_000;
const LOOK_MS = 250;

/** @param home the home folder of the programs */
export function openRouteHand(computer: OsworldComputer, home: string): LocalHand {
  const perform = (...lines: readonly string[]) => computer.perform(lines);
  const until = async <T>(what: string, condition: () => Promise<T>, timeoutMs = SHOW_MS) =>
    await waitFor(condition, { what, timeoutMs, everyMs: LOOK_MS });

  /** The lines of `wmctrl`, by which OSWorld's server knows windows, too. */
  const windows = async (...columns: readonly string[]) =>
    (await computer.execute(["wmctrl", "-l", ...columns])).output.split("\n");
  const windowWith = async (text: string, ...columns: readonly string[]) =>
    (await windows(...columns)).find((line) => line.includes(text));
  const window = async (title: string, timeoutMs = SHOW_MS) =>
    void await until(`a window "${title}"`, () => windowWith(title), timeoutMs);
  const gone = async (text: string, ...columns: readonly string[]) =>
    void await until(`the end of "${text}"`, async () => !await windowWith(text, ...columns));

  const still = async () => {
    let last = "";
    await until("a picture like the last one", async () => {
      const picture = await pictureHash(await computer.screenshot());
      const isStill = picture === last;
      last = picture;
      return isStill;
    });
  };
  const key = (name: string, repeat = 1) => {
    const keys = name.toLowerCase().split("+");
    return perform(keys.length === 1 ? press(keys[0]!, repeat) : hotkey(...keys));
  };
  const type = (text: string) => perform(write(text));
  const elements = treeElements(computer);
  return {
    home,
    desktop: elements,
    page: elements,
    async open({ program, args, title }) {
      await computer.launch([program, ...args]);
      await window(title, OPEN_MS);
      await still();
      const line = await windowWith(title, "-p");
      return Number(line?.split(/\s+/)[2]);
    },
    key,
    type,
    async visit(url) {
      await key("ctrl+l");
      await type(url);
      await perform(press("delete"), press("enter")); // what the browser adds to it goes
      await still();
    },
    async inTerminal(...commands) {
      await computer.launch(["xterm"]);
      await until("a terminal", () => windowWith("xterm.XTerm", "-x"));
      await still();
      for (const command of [...commands, "exit"]) await type(`${command}\n`);
      await gone("xterm.XTerm", "-x");
    },
    async menu(...path) {
      for (const [at, name] of path.entries()) {
        await elements.click(at === 0 ? "menu" : "menuitem", name);
      }
    },
    still,
    async fileHas(path, text) {
      await until(`"${text}" in ${path}`, async () => {
        const content = await computer.read(path).catch(() => undefined); // not there yet
        return new TextDecoder().decode(content).includes(text);
      });
    },
    async pageLacks(text) {
      await until(`a page without "${text}"`, async () => !(await computer.tree()).includes(text));
    },
    window,
    windowGone: (title) => gone(title),
    async bounds(title) {
      const line = await until(`a window "${title}"`, () => windowWith(title, "-G"));
      const [x, y, width, height] = line.split(/\s+/).slice(2).map(Number);
      return { x: x!, y: y!, width: width!, height: height! };
    },
    async pixel(x, y, rgb) {
      await until(`${rgb} at ${x}, ${y}`, async () => {
        const picture = decodePng(await computer.screenshot());
        const at = (y * picture.width + x) * 3;
        return rgb.every((value, channel) =>
          Math.abs(picture.rgb[at + channel]! - value) <= TOLERANCE
        );
      });
    },
    async fullScreen(app) {
      await until(`${app} on the whole screen`, async () => {
        const { width, height } = await computer.screenSize();
        const own = await computer.windowSize(app);
        return own.width === width && own.height === height;
      });
    },
  };
}

function treeElements(computer: OsworldComputer): Elements {
  const click = ({ x, y, width, height }: Shown) =>
    computer.perform([`pyautogui.click(${x + width / 2}, ${y + height / 2})`]);
  return elementsBy<Shown>({
    async find(role, name) {
      const all = shownIn(await computer.tree());
      const own = all.filter((each) => (TAGS[role] ?? [role]).includes(each.role));
      const named = own.filter((each) => name === "" ? each.name === "" : each.name.includes(name));
      if (named.length > 0 || name === "") return named;
      return all.filter((each) => LABELS.includes(each.role) && each.name.includes(name))
        .flatMap((label) => nearestOf(own, label));
    },
    click,
    scroll: ({ x, y, width, height }, clicks) =>
      computer.perform([
        `pyautogui.moveTo(${x + width / 2}, ${y + height / 2})`,
        `pyautogui.scroll(${clicks})`,
      ]),
    async fill(found, value) {
      await click(found);
      const isChosen = found.role === "combo-box"; // by what its entry begins with
      await computer.perform([
        ...(isChosen ? [] : [hotkey("ctrl", "a")]),
        write(value),
        press(isChosen ? "enter" : "tab"),
      ]);
    },
  });
}

/** The field that a label is for: to its right on the same line, else the nearest one. */
function nearestOf(fields: readonly Shown[], label: Shown): readonly Shown[] {
  const distance = ({ x, y, height }: Shown) => {
    const isBeside = x > label.x && y < label.y + label.height && label.y < y + height;
    return Math.hypot(x - label.x, y - label.y) + (isBeside ? 0 : 10_000);
  };
  return fields.toSorted((one, other) => distance(one) - distance(other)).slice(0, 1);
}

function shownIn(tree: string): readonly Shown[] {
  return [...tree.matchAll(ELEMENT)].flatMap(([, role, text]) => {
    const all = new Map(
      [...text!.matchAll(ATTRIBUTE)].map(([, key, value]) => [key!, unescaped(value!)]),
    );
    const states = [...all.keys()].filter((each) => each.startsWith("st:")).map((each) =>
      each.slice(3)
    );
    const [x, y] = numbersIn(all.get("cp:screencoord"));
    const [width, height] = numbersIn(all.get("cp:size"));
    if (!states.includes("showing") || !(width! > 0) || !(height! > 0)) return [];
    return [{
      role: role!,
      name: all.get("name") ?? "",
      states,
      ...{ x: x!, y: y!, width: width!, height: height! },
    }];
  });
}

/** `(12, 34)`. */
function numbersIn(text = ""): readonly number[] {
  return [...text.matchAll(/-?\d+/g)].map(([each]) => Number(each));
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot);/g, (each) => ENTITIES[each]!)
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

async function pictureHash(file: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", file)).toHex();
}
