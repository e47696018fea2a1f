/** Tasks of buttons, links, boxes, tabs and menus: what to click is in the tree of elements. */

import { setTimeout as wait } from "node:timers/promises";
import { allOf, itemAt, partsOf, waitFor } from "./form_parts.ts";
import { GAME_SOLVERS } from "./game_solvers.ts";
import { type Hand, type Line, type Solver, textIn } from "./hand.ts";
import { clickField, clickSameIcon, findClosedFolders } from "./visual_clicks.ts";

/** How long an animation of the pages may take, in milliseconds. */
const ANIMATION_MS = 700;
const AGAIN_MS = 50;

/** What the task has in quotes; the last of several. */
function quotedLast(task: string): string {
  return itemAt(partsOf(task, /"([^"]+)"[^"]*$/), 0);
}

/** The innermost element with exactly this text, first one that reacts to a click. */
function findByText(lines: readonly Line[], text: string): Line | undefined {
  const fitting = lines.filter((line) => line.ref !== undefined && textIn(line).trim() === text);
  const innermost = fitting.filter((line) => !fitting.some(({ parent }) => parent === line));
  return innermost.find(({ states }) => states.includes("clickable")) ?? innermost[0];
}

/** The first element of a role with exactly this name, when it shows. */
function shown(hand: Hand, role: RegExp, name?: string): Promise<Line> {
  const isNamed = (line: Line) =>
    name === undefined || [line.name, textIn(line)].some((text) => text.trim() === name);
  return waitFor(
    hand,
    `${role} "${name}"`,
    (lines) => allOf(lines, role).find(isNamed),
  );
}

const BUTTON = /^button$/;

/** Clicks the button that is in quotes, or is named without them, or is the only one. */
const clickButton: Solver = async (hand, { text }) => {
  const [name] = /"/.test(text) ? [quotedLast(text)] : /(?<=button )\w+/.exec(text) ?? [];
  await hand.click(await shown(hand, BUTTON, name));
};

/** "Click button ONE, wait 2 seconds, then click button TWO." */
const clickInTurn: Solver = async (hand, { text }) => {
  const [first = "", pause = "", second = ""] = partsOf(
    text,
    /button (\w+),(?: wait (\d+) seconds,)? then click button (\w+)/,
  );
  const buttons = [await shown(hand, BUTTON, first), await shown(hand, BUTTON, second)] as const;
  const start = performance.now();
  await hand.click(buttons[0]);
  const took = performance.now() - start; // as long as the second one will take
  if (pause !== "") await wait(1_000 * Number(pause) - took);
  await hand.click(buttons[1]);
};

// Boxes that are selected and sent.

/** Selects what the words of the task mean, and sends it. */
function checkThose(means: (name: string, word: string) => boolean): Solver {
  return async (hand, { text }) => {
    const [list = ""] = partsOf(text, /^Select (?:words similar to )?(.*) and click Submit/);
    const words = list === "nothing" ? [] : list.split(", ");
    const isMeant = ({ name }: Line) => words.some((word) => means(name.trim(), word));
    const boxes = await waitFor(hand, list, (lines) => {
      const found = allOf(lines, /^(checkbox|radio)$/).filter(isMeant);
      return found.length >= words.length ? found : undefined;
    });
    for (const box of boxes) await hand.click(box);
    await hand.click(await shown(hand, BUTTON, "Submit"));
  };
}

const checkNamed = checkThose((name, word) => name === word);

/** Each line has words with one meaning. */
const MEANINGS = `
big large huge enormous gigantic
small tiny little mini petite
red scarlet crimson vermillion
happy cheerful joyful gleeful delighted
sad unhappy sorrowful miserable tragic
angry mad furious irritated
evil wicked immoral sinful corrupt depraved
wrong incorrect mistaken erroneous
real genuine actual
strange odd peculiar unusual weird
stop cease halt end finish
scared terrified panicked fearful frightened afraid
quiet calm peaceful serene mild
old aged archaic
love like adore favor
kill murder assassinate
keep retain preserve sustain maintain
hide conceal camouflage
hate despise loathe detest dislike
funny humorous amusing comical laughable
fat fleshy plump chubby
stupid dumb dull unwise
delicious savory delectable appetizing
cut slice carve chop
brave courageous fearless
begin start initiate launch
answer reply response
television televisions TV TVs
house home houses homes
fire flame fires flames
pig pork swine
rabbit rabbits bunny bunnies
car cars automobile automobiles vehicle vehicles
water
`.trim().split("\n").map((line) => line.split(" "));

const checkSimilar = checkThose((name, word) =>
  MEANINGS.some((words) => words.includes(name) && words.includes(word))
);

/** Selects one or several options of a list that scrolls. */
const selectOptions: Solver = async (hand, { text }) => {
  const [list = ""] = partsOf(text, /^Select (.*) from the scroll list/);
  for (const [at, name] of list.split(", ").entries()) {
    const option = await shown(hand, /^option$/, name);
    await hand.click(option, at === 0 ? {} : { modifiers: ["ctrl"] });
  }
  await hand.click(await shown(hand, BUTTON, "Submit"));
};

/** Fields of one line and of several have the same role: only their looks differ. */
const clickWidget: Solver = async (hand, { text }) => {
  const kind = quotedLast(text);
  if (kind === "text" || kind === "textarea") return await clickField(hand, kind);
  await hand.click(await shown(hand, new RegExp(`^${kind}$`)));
};

// Tabs, sections, dialogs and links.

const TAB = /^tab$/;

const clickTab: Solver = async (hand, { text }) => {
  await hand.click(await shown(hand, TAB, itemAt(partsOf(text, /(Tab #\d)/), 0)));
};

const expandAndSubmit: Solver = async (hand) => {
  await hand.click(await shown(hand, TAB));
  await wait(ANIMATION_MS);
  await hand.click(await shown(hand, BUTTON, "Submit"));
};

/** Opens tabs or sections, one after the other, until one has the link. */
const findInTabs: Solver = async (hand, { text }) => {
  const wanted = quotedLast(text);
  await shown(hand, TAB);
  const lines = await hand.lines();
  const tabs = allOf(lines, TAB);
  let link = findByText(lines, wanted);
  for (let at = 0; link === undefined; at++) {
    await hand.click(itemAt(tabs, at));
    await wait(ANIMATION_MS);
    link = findByText(await hand.lines(), wanted);
  }
  await hand.click(link);
};

const clickLink: Solver = async (hand, { text }) => {
  const wanted = quotedLast(text);
  await hand.click(await waitFor(hand, wanted, (lines) => findByText(lines, wanted)));
};

/** Opens folders until one has what is wanted. */
const findInTree: Solver = async (hand, task) => {
  const wanted = quotedLast(task.text);
  while (!task.isOver()) {
    const found = findByText(await hand.lines(), wanted);
    if (found) return await hand.click(found);
    const [folder] = findClosedFolders(await hand.picture());
    if (folder) await hand.click(folder);
    await wait(AGAIN_MS);
  }
};

/** Clicks a button of a dialog; that in its corner is called "x". */
const clickInDialog: Solver = async (hand, { text }) => {
  const name = quotedLast(text);
  await hand.click(await shown(hand, BUTTON, name === "x" ? "Close" : name));
};

// Menus, whose parts open under the mouse.

function menuItem(hand: Hand, name: string): Promise<Line> {
  return shown(hand, /^menuitem$/, name);
}

/** "Select Ada>Abby>Adele": a click on an item with a menu of its own would choose that. */
const chooseInMenus: Solver = async (hand, { text }) => {
  const path = itemAt(partsOf(text, /^Select (.*)$/), 0).split(">");
  for (const name of path.slice(0, -1)) await hand.move(await menuItem(hand, name));
  await hand.click(await menuItem(hand, path.at(-1)!));
};

const clickInMenu: Solver = async (hand, { text }) => {
  await hand.click(await shown(hand, BUTTON, "Menu"));
  await hand.move(await menuItem(hand, "Playback"));
  await menuItem(hand, "Stop"); // is open now
  if (!/labeled/.test(text)) return await clickSameIcon(hand);
  await hand.click(await menuItem(hand, quotedLast(text)));
};

export const CLICK_SOLVERS: Readonly<Record<string, Solver>> = {
  "button-delay": clickInTurn,
  "click-button": clickButton,
  "click-button-sequence": clickInTurn,
  "click-checkboxes": checkNamed,
  "click-checkboxes-large": checkNamed,
  "click-checkboxes-soft": checkSimilar,
  "click-checkboxes-transfer": checkNamed,
  "click-collapsible": expandAndSubmit,
  "click-collapsible-nodelay": expandAndSubmit,
  "click-collapsible-2": findInTabs,
  "click-collapsible-2-nodelay": findInTabs,
  "click-dialog": clickInDialog,
  "click-dialog-2": clickInDialog,
  "click-link": clickLink,
  "click-menu": chooseInMenus,
  "click-menu-2": clickInMenu,
  "click-option": checkNamed,
  "click-scroll-list": selectOptions,
  "click-tab": clickTab,
  "click-tab-2": findInTabs,
  "click-tab-2-easy": findInTabs,
  "click-tab-2-medium": findInTabs,
  "click-tab-2-hard": findInTabs,
  "click-test": clickButton,
  "click-test-2": clickButton,
  "click-test-transfer": clickButton,
  "click-widget": clickWidget,
  "navigate-tree": findInTree,
  ...GAME_SOLVERS,
};
