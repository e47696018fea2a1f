/** The top-level window of a real program, as xdotool sees it: independent of the service. */

import { run } from "../../support/desktop.ts";
import { waitFor } from "../../support/wait.ts";

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface XWindow {
  readonly id: number;
  title(): Promise<string>;
  /** Where it is now, without what a window manager put around it. */
  rectangle(): Promise<Rectangle>;
  /** The middle of it: in an editor that is text. */
  middle(): Promise<{ x: number; y: number }>;
  /** Gives it the keyboard focus, as a click on its title would. */
  focus(): Promise<void>;
  /** Moves its top left corner there. */
  moveTo(x: number, y: number): Promise<void>;
}

/** Smaller ones are no windows of documents. */
const SMALLEST = 100;

/** Waits for the largest visible window whose class matches (`xdotool search --class`). */
export async function findXWindow(display: string, className: string): Promise<XWindow> {
  const id = await waitFor(() => largest(display, className), {
    what: `a window of class "${className}"`,
    timeoutMs: 60_000,
  });
  return xwindow(display, id);
}

async function largest(display: string, className: string): Promise<number | undefined> {
  const found = await xdotool(display, ["search", "--onlyvisible", "--class", className]);
  let best: { id: number; area: number } | undefined;
  for (const id of found.trim().split("\n").filter(Boolean).map(Number)) {
    const { width, height } = await rectangleOf(display, id);
    if (width < SMALLEST || height < SMALLEST) continue;
    if (best === undefined || width * height > best.area) best = { id, area: width * height };
  }
  return best?.id;
}

function xwindow(display: string, id: number): XWindow {
  const rectangle = () => rectangleOf(display, id);
  const focused = async () => {
    // it fails while no window has the focus
    const tries = [["getwindowfocus"], ["getwindowfocus", "-f"]]
      .map((args) => xdotool(display, args).then(Number).catch(() => undefined));
    return (await Promise.all(tries)).includes(id);
  };
  return {
    id,
    title: async () => (await xdotool(display, ["getwindowname", `${id}`])).trim(),
    rectangle,
    async middle() {
      const { x, y, width, height } = await rectangle();
      return { x: x + (width >> 1), y: y + (height >> 1) };
    },
    async moveTo(x, y) {
      await xdotool(display, ["windowmove", "--sync", `${id}`, `${x}`, `${y}`]);
    },
    async focus() {
      await waitFor(async () => {
        await xdotool(display, ["windowactivate", `${id}`]).catch(() => {}); // without a manager
        if (await focused()) return true;
        await xdotool(display, ["windowfocus", `${id}`]);
        return await focused();
      }, { what: "the keyboard focus" });
    },
  };
}

async function rectangleOf(display: string, id: number): Promise<Rectangle> {
  const said = await xdotool(display, ["getwindowgeometry", "--shell", `${id}`]);
  const value = (name: string) => Number(said.match(new RegExp(`^${name}=(-?\\d+)$`, "m"))?.[1]);
  return { x: value("X"), y: value("Y"), width: value("WIDTH"), height: value("HEIGHT") };
}

export async function xdotool(display: string, args: readonly string[]): Promise<string> {
  return new TextDecoder().decode(await run("xdotool", args, { DISPLAY: display }));
}

/**
 * Presses Ctrl and the key that carries `s` on every layout of the tests, by keycode: what a person
 * presses. GTK 4 knows no Latin letter where the layout has none: for it, xdotool makes a key that
 * has the letter.
 */
export async function pressSave(display: string, way: "keycode" | "letter"): Promise<void> {
  const key = way === "keycode" ? ["37+39"] : ["--delay", "100", "ctrl+s"];
  await xdotool(display, ["key", ...key]);
}
