/** A click at the model's coordinates lands within one pixel, whatever screen and picture measure. */

import { expect } from "expect";
import { blindTurn, member, pictureOf, turn, use } from "../../../support/anthropic.ts";
import { type RecordedDesktop, startRecordedDesktop } from "../../../support/desktop.ts";

/** Points of a picture as parts of its width and height. */
const PARTS = [[0, 0], [0.5, 0.5], [0.123, 0.877], [0.999, 0.001], [1, 1]] as const;

/** Clicks at these points of a picture of a size, and checks where on the screen that was. */
async function checkClicks(
  { service, recorder }: RecordedDesktop,
  { screen, picture, click, more }: {
    readonly screen: readonly [number, number];
    readonly picture: readonly [number, number];
    readonly click: (coordinate: readonly number[]) => unknown;
    readonly more: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  for (const parts of PARTS) {
    const coordinate = parts.map((part, axis) => Math.round(part * (picture[axis]! - 1)));
    recorder.clear();
    const [result] = await blindTurn(service, [click(coordinate)], more);
    expect(result!.content).toEqual([{ type: "text", text: "Clicked." }]);
    await recorder.sync();
    const { x, y } = recorder.buttonEvents[0]!;
    for (const [axis, at] of [x, y].entries()) {
      const exact = (coordinate[axis]! + 0.5) * screen[axis]! / picture[axis]! - 0.5;
      expect({ screen, coordinate, axis, near: Math.abs(at - exact) <= 1 })
        .toEqual({ screen, coordinate, axis, near: true });
    }
  }
}

const TOOLSET = [
  [[1024, 768], {}, [1024, 768]],
  [[1280, 800], {}, [1280, 800]],
  [[1920, 1080], {}, [1920, 1080]],
  [[1920, 1080], { fit: "claude-standard" }, [1456, 819]],
  [[3840, 2160], {}, [2576, 1449]],
  [[3840, 2160], { fit: "claude-standard" }, [1456, 819]],
  [[1080, 1920], { fit: "claude-standard" }, [819, 1456]],
  [[903, 1758], { fit: "claude-standard" }, [784, 1527]],
] as const;

for (const [screen, more, picture] of TOOLSET) {
  const name = `${screen.join("x")} shown as ${picture.join("x")}`;
  Deno.test(`the toolset clicks within one pixel: ${name}`, async () => {
    await using desktop = await startRecordedDesktop({ server: { size: screen.join("x") } });
    const [shot] = await turn(desktop.service, [member("screenshot")], more);
    const { width, height } = pictureOf(shot);
    expect([width, height]).toEqual(picture);
    const click = (coordinate: readonly number[]) => member("left_click", { coordinate });
    await checkClicks(desktop, { screen, picture, click, more });
  });
}

const OLDER = [
  [[1280, 800], [1280, 800], [1280, 800]],
  [[1920, 1080], [1366, 768], [1365, 768]],
  [[2560, 1600], [1280, 800], [1280, 800]],
  [[1080, 1920], [768, 1366], [768, 1365]],
  [[1024, 768], [2048, 1536], [1024, 768]],
] as const;

for (const [screen, [display_width_px, display_height_px], picture] of OLDER) {
  const declared = `${display_width_px}x${display_height_px}`;
  Deno.test(`older tools click within one pixel: ${screen.join("x")} declared as ${declared}`, async () => {
    await using desktop = await startRecordedDesktop({ server: { size: screen.join("x") } });
    for (const type of ["computer_20251124", "computer_20250124", "computer_20241022"]) {
      const tools = [{ type, name: "computer", display_width_px, display_height_px }];
      const [shot] = await turn(desktop.service, [use("computer", { action: "screenshot" })], {
        tools,
      });
      const { width, height } = pictureOf(shot);
      expect([width, height]).toEqual(picture);
      const click = (coordinate: readonly number[]) =>
        use("computer", { action: "left_click", coordinate });
      await checkClicks(desktop, { screen, picture, click, more: { tools } });
    }
  });
}

Deno.test("with the frame of a picture, coordinates are pixels of that picture", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "1280x800" } });
  const { service, recorder } = desktop;
  const region = "x=400&y=200&width=400&height=200&max_width=200";
  const shot = await service.send(`/api/display/screenshot?${region}`);
  await shot.body?.cancel();
  const frame = shot.headers.get("x-frame")!;
  recorder.clear();
  const content = [member("left_click", { coordinate: [100, 50] }), member("cursor_position")];
  const [, cursor] = await blindTurn(service, content, { frame });
  await recorder.sync();
  const { x, y } = recorder.buttonEvents[0]!;
  expect([x, y]).toEqual([601, 301]);
  expect(cursor!.content).toEqual([{ type: "text", text: "X=100, Y=50" }]);
});
