/** The mouse of Windows, on a real desktop. */

import { expect } from "expect";
import {
  type EditWindow,
  openDesktop,
  openEditWindow,
  type WindowsDesktop,
} from "../../support/windows/desktop.ts";
import { waitFor } from "../../support/wait.ts";
import type { Button, Display, KeyTarget, Point } from "../../../src/platform/types/mod.ts";

const ignore = Deno.build.os !== "windows";

Deno.test({
  name: "move() puts the cursor on the very pixel, in every corner and anywhere else",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    const { width, height } = desktop.display.size;
    const points = [
      ...[0, 1, width / 2, width - 2, width - 1].map((x) => ({ x, y: 0 })),
      ...[0, 1, height / 2, height - 2, height - 1].map((y) => ({ x: 0, y })),
      { x: width - 1, y: height - 1 },
      { x: width - 1, y: 1 },
      ...Array.from({ length: 40 }, (_, i) => ({ x: i * 31 % width, y: i * 97 % height })),
    ];
    for (const point of points) {
      expect(await moveTo(desktop, point)).toEqual(point);
    }
  },
});

Deno.test({
  name: "every button is pressed and released where the cursor is",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    await moveTo(desktop, editor.inside);
    for (const button of ["left", "right", "middle", "back", "forward"] satisfies Button[]) {
      desktop.input.mouse.press(button);
      desktop.input.mouse.release(button);
      await desktop.input.confirm();
      const names = NAMES[button];
      const received = await editor.received(names, 2);
      expect(received.map(({ name }) => name)).toEqual(names);
      if (button === "back") expect(received[0]).toMatchObject({ data: 1 });
      if (button === "forward") expect(received[0]).toMatchObject({ data: 2 });
    }
  },
});

Deno.test({
  name: "two clicks at once are one double click, and a drag arrives as press, motion and release",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    const { mouse } = desktop.input;
    await moveTo(desktop, editor.inside);
    for (let i = 0; i < 2; i++) {
      mouse.press("left");
      mouse.release("left");
    }
    await desktop.input.confirm();
    const clicks = await editor.received(["leftdown", "leftup", "doubleclick"], 4);
    expect(clicks.map(({ name }) => name))
      .toEqual(["leftdown", "leftup", "doubleclick", "leftup"]);

    mouse.press("right");
    mouse.move({ x: editor.inside.x + 50, y: editor.inside.y + 20 });
    mouse.release("right");
    await desktop.input.confirm();
    const [down, up] = await editor.received(["rightdown", "rightup"], 2);
    expect({ x: up!.x! - down!.x!, y: up!.y! - down!.y! }).toEqual({ x: 50, y: 20 });
  },
});

Deno.test({
  name: "scroll() turns both wheels: positive is up and right",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    await moveTo(desktop, editor.inside);
    desktop.input.mouse.scroll({ up: 2, right: 0 });
    desktop.input.mouse.scroll({ up: -1, right: 0 });
    desktop.input.mouse.scroll({ up: 0, right: 1 });
    desktop.input.mouse.scroll({ up: 0, right: -2 });
    await desktop.input.confirm();
    const turns = await editor.received(["wheel", "hwheel"], 6);
    expect(turns.map(({ name, data }) => `${name} ${data}`)).toEqual([
      ...["wheel 120", "wheel 120", "wheel -120"],
      ...["hwheel 120", "hwheel -120", "hwheel -120"],
    ]);
  },
});

Deno.test({
  name: "releaseAll() releases the buttons that are down, whoever pressed them",
  ignore,
  fn: async () => {
    await using other = openDesktop();
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    await moveTo(desktop, editor.inside);
    other.input.mouse.press("middle");
    await other.input.confirm();
    await editor.received(["middledown"], 1);
    await desktop.input.releaseAll();
    await editor.received(["middleup"], 1);
  },
});

Deno.test({
  name: "keyTarget() tells whether the window under the cursor is in front",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor: EditWindow = await openEditWindow();
    // wine hears late from X where the cursor was
    const becomes = (target: KeyTarget) =>
      waitFor(async () => await keyTarget(desktop.display) === target, { what: target })
        .catch(async () => expect(await keyTarget(desktop.display)).toBe(target));
    await moveTo(desktop, editor.inside);
    await becomes("clicked");
    await moveTo(desktop, {
      x: desktop.display.size.width - 1,
      y: desktop.display.size.height - 1,
    });
    await becomes("elsewhere");
  },
});

const NAMES: Readonly<Record<Button, readonly string[]>> = {
  left: ["leftdown", "leftup"],
  right: ["rightdown", "rightup"],
  middle: ["middledown", "middleup"],
  back: ["xdown", "xup"],
  forward: ["xdown", "xup"],
};

async function moveTo({ input }: WindowsDesktop, point: Point): Promise<Point> {
  input.mouse.move(point);
  await input.confirm();
  return await input.mouse.position();
}

async function keyTarget({ focus }: Display): Promise<KeyTarget> {
  if (!focus.ready) throw new Error(focus.reason);
  return await focus.use.keyTarget({ button: "left" });
}
