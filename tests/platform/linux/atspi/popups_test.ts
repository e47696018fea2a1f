/** Which objects of programs fill which menus and panels. */

import { expect } from "expect";
import { findFilled, popupsOf } from "../../../../src/platform/linux/atspi/windows.ts";

const GTK_4 = { isGtk4: true, isLibreOffice: false, isGtk3: false, isQt: false, isChromium: false };
const OTHER = { isGtk4: false, isLibreOffice: false, isGtk3: true, isQt: false, isChromium: false };
const MENU = { id: "menu", pid: 7, bounds: { x: 700, y: 160, width: 250, height: 580 } };
const BUTTON = { x: 540, y: 10, width: 34, height: 34 };
/** As GTK 4 says it: where its button begins. */
const POPOVER = { x: 540, y: 10, width: 250, height: 580 };
const shift = { x: 290, y: 140 };

Deno.test("a popover of GTK 4 is where the popup of its size is", () => {
  const options = { toolkit: GTK_4, popups: [MENU] };
  const filled = findFilled({ extents: POPOVER, parent: BUTTON, shift }, options);
  expect(filled).toEqual({ popup: MENU, shift: { x: 160, y: 150 } });
  const child = { ...POPOVER, x: POPOVER.x + 24 };
  expect(findFilled({ extents: child, parent: POPOVER, shift }, options)).toBeUndefined();
  expect(findFilled({ extents: BUTTON, parent: BUTTON, shift }, options)).toBeUndefined();
});

Deno.test("nobody guesses which of two popups of the same size a popover is", () => {
  const twin = { ...MENU, id: "twin", bounds: { ...MENU.bounds, x: 100 } };
  const filling = { extents: POPOVER, parent: BUTTON, shift };
  expect(findFilled(filling, { toolkit: GTK_4, popups: [MENU, twin] })).toBeUndefined();
});

Deno.test("in other programs a popup is filled by what is in its place only", () => {
  const options = { toolkit: OTHER, popups: [MENU] };
  const none = { x: 0, y: 0 };
  const inPlace = { extents: MENU.bounds, parent: undefined, shift: none };
  expect(findFilled(inPlace, options)).toEqual({ popup: MENU, shift: none });
  expect(findFilled({ extents: POPOVER, parent: BUTTON, shift }, options)).toBeUndefined();
});

Deno.test("the list of a combo box of Qt fills its popup up to a frame", () => {
  const toolkit = { ...OTHER, isGtk3: false, isQt: true };
  const none = { x: 0, y: 0 };
  const list = { x: 701, y: 161, width: 248, height: 578 };
  const fill = (extents: typeof list, options = { toolkit, popups: [MENU] }) =>
    findFilled({ extents, parent: undefined, shift: none }, options);
  expect(fill(list)).toEqual({ popup: MENU, shift: none });
  expect(fill({ ...list, height: 25 })).toBeUndefined();
  expect(fill({ ...list, x: 690 })).toBeUndefined();
  expect(fill(list, { toolkit: OTHER, popups: [MENU] })).toBeUndefined();
});

Deno.test("popups of other programs, or of nobody knows whom, are none of a program", () => {
  const unknown = { ...MENU, pid: null };
  expect(popupsOf(7, [MENU, unknown, { ...MENU, pid: 8 }])).toEqual([MENU]);
  expect(popupsOf(undefined, [MENU, unknown])).toEqual([]);
});
