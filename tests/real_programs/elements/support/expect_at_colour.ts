/** Compares where an element says that it is with where its colour is on the screen. */

import { expect } from "expect";
import { waitFor } from "../../../support/wait.ts";
import { type Rectangle, xdotool, type XWindow } from "../../support/xwindow.ts";
import { type Colour, findColour } from "./colours.ts";
import type { ElementDesktop, Wanted } from "./element_desktop.ts";

/** Pixels by which a border or a grid line may differ. */
const MOST_APART = 2;

/** Where the window is moved to: one place and another. */
const PLACES = [[37, 61], [203, 149]] as const;

export interface Coloured {
  readonly window: XWindow;
  readonly colour: Colour;
  readonly wanted: Wanted;
}

/** Looks at it where the window is, and again after the window has moved, twice. */
export async function expectAtColour(
  desktop: ElementDesktop,
  { window, colour, wanted }: Coloured,
): Promise<void> {
  const { display } = desktop;
  await waitFor(() => findColour(display, colour), { what: `the colour ${colour}` });
  await compare();
  for (const [x, y] of PLACES) {
    const before = await findColour(display, colour);
    await xdotool(display, ["windowmove", `${window.id}`, `${x}`, `${y}`]);
    await waitFor(async () => isMoved(before!, await findColour(display, colour)), {
      what: "the window to move",
    });
    await compare();
  }

  async function compare(): Promise<void> {
    const near = async () => {
      const { bounds } = await desktop.element(wanted);
      const pixels = await findColour(display, colour);
      return {
        bounds,
        pixels,
        isNear: !!bounds && !!pixels && distance(bounds, pixels) <= MOST_APART,
      };
    };
    const isNear = async () => (await near()).isNear; // a program may be told late that it was moved
    await waitFor(isNear, { what: "the same place" }).catch(async () => {
      const { bounds, pixels } = await near();
      expect(bounds).toEqual(pixels);
    });
  }
}

function isMoved(before: Rectangle, now: Rectangle | undefined): boolean {
  return now !== undefined && (now.x !== before.x || now.y !== before.y);
}

function distance(a: Rectangle, b: Rectangle): number {
  const edges = ({ x, y, width, height }: Rectangle) => [x, y, x + width, y + height];
  const [of, to] = [edges(a), edges(b)];
  return Math.max(...of.map((edge, index) => Math.abs(edge - to[index]!)));
}
