/** Clicks of OpenAI's computer tool: in pixels of the pictures that it is shown. */

import { expect } from "expect";
import { type ModelDesktop, pngSize, startModelDesktop } from "../model_desktop.ts";

function call(action: object) {
  return { type: "computer_call", call_id: "call_1", status: "completed", actions: [action] };
}

const SCREENS = ["1024x768", "1280x800", "1456x819", "1920x1080", "3840x2160", "1080x1920"];

for (const size of SCREENS) {
  Deno.test(`OpenAI's clicks land on the pixel that the picture shows on ${size}`, async () => {
    await using desktop = await startModelDesktop(size);
    const { input, frame } = await desktop.ask("openai", {
      output: [call({ type: "screenshot" })],
    });
    const picture = pngSize(input[0].output.image_url);
    const [width, height] = size.split("x").map(Number) as [number, number];
    await expectClicks(desktop, { width, height }, picture, async (x, y, known) => {
      const output = [call({ type: "click", button: "left", x, y })];
      await desktop.ask("openai", { output, ...known ? { frame } : {} });
    });
  });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Clicks at several places, with the name of the picture and without it. */
async function expectClicks(
  desktop: ModelDesktop,
  screen: Size,
  picture: Size,
  click: (x: number, y: number, known: boolean) => Promise<void>,
): Promise<void> {
  const within = Math.max(1, Math.ceil(screen.width / picture.width / 2));
  for (const [right, down] of [[0, 0], [0.371, 0.618], [0.84, 0.13], [1, 1]] as const) {
    const x = Math.round(right * (screen.width - 1));
    const y = Math.round(down * (screen.height - 1));
    for (const known of [true, false]) {
      await click(
        Math.floor((x + 0.5) * picture.width / screen.width),
        Math.floor((y + 0.5) * picture.height / screen.height),
        known,
      );
      const [, seenX, seenY] = /^down1@(\d+),(\d+) up1@\1,\2$/.exec(await desktop.seen())!;
      expect(Math.abs(Number(seenX) - x)).toBeLessThanOrEqual(within);
      expect(Math.abs(Number(seenY) - y)).toBeLessThanOrEqual(within);
    }
  }
}
