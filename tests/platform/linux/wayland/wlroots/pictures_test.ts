/** Pictures of sway's outputs, compared pixel by pixel with those of grim and with what was drawn. */

import { expect } from "expect";
import { openScreen } from "../../../../../src/platform/screens.ts";
import type {
  Display,
  Picture,
  Region,
  Screen,
  ScreenAddress,
} from "../../../../../src/platform/types/mod.ts";
import { decodePng } from "../../../../support/png.ts";
import { testIf } from "../../../../support/test_if.ts";
import { missingFor } from "../../../../support/wayland/desktop.ts";
import { patternAt } from "../../../../support/wayland/pattern.ts";
import { countDescriptors } from "../../../../support/wayland/socket_pair.ts";
import { startSway } from "../../../../support/wayland/sway.ts";
import { waitFor } from "../../../../support/wait.ts";

const lacking = missingFor("sway");
const onSway = testIf(lacking === undefined, lacking ?? "");

const MODE = { width: 320, height: 200 };
/** How the outputs are set; where grim can be asked, their logical sizes are whole numbers. */
const SETTINGS = [
  "scale 1",
  "scale 2",
  "scale 1.25",
  ...["90", "180", "270", "flipped", "flipped-90", "flipped-180", "flipped-270"]
    .map((turn) => `transform ${turn}`),
  "scale 1.25 transform 90",
  "scale 2 transform 270",
];

onSway("pictures and regions are those of grim, whatever the scale and the transform", async () => {
  const config = SETTINGS.map((setting, i) => `output HEADLESS-${i + 1} ${setting}`).join("\n");
  await using sway = await startSway({ ...MODE, outputs: SETTINGS.length, config });
  const { desktop, platform, showPattern } = sway;
  const list = await platform.displays.list();
  expect(list.map(({ displayNum }) => displayNum)).toEqual(SETTINGS.map((_, i) => i + 1));
  for (const { displayNum, name, width, height, scale } of list) {
    const setting = SETTINGS[Number(name.split("-")[1]) - 1]!;
    await showPattern(name, MODE);
    const display = await platform.displays.open(displayNum);
    await using screen = await openOwn(display);
    const all = { x: 0, y: 0, width, height };
    await waitFor(async () => (await read(screen, all)).some((each) => each !== 0), {
      what: `the pattern with ${setting}`,
    });
    const file = `${desktop.runtime}/grim.png`;
    await desktop.run("grim", ["-o", name, file]);
    const grim = decodePng(await Deno.readFile(file));
    expect([setting, grim.width, grim.height]).toEqual([setting, width, height]);
    expect(Number(/scale ([\d.]+)/.exec(setting)?.[1] ?? 1)).toBe(scale);
    const at = (x: number, y: number) => {
      const [r, g, b] = grim.rgb.subarray((y * width + x) * 3);
      return r! << 16 | g! << 8 | b!;
    };
    for (const region of [all, { x: 11, y: 7, width: 33, height: 21 }]) {
      expect([setting, compare(await read(screen, region), region, at)]).toEqual([setting, []]);
    }
    for (const point of [{ x: 0, y: 0 }, { x: 17, y: 101 }, { x: width - 1, y: height - 1 }]) {
      const [r, g, b] = await display.pixel(point);
      expect(r << 16 | g << 8 | b).toBe(at(point.x, point.y));
    }
  }
});

onSway("a picture has every pixel that was drawn", async () => {
  await using sway = await startSway(MODE);
  const display = await sway.platform.displays.open(1);
  expect(display.size).toEqual(MODE);
  await using screen = await openOwn(display);
  for (const seed of [0, 40]) {
    await sway.showPattern("HEADLESS-1", MODE, seed);
    const all = { x: 0, y: 0, ...MODE };
    await waitFor(async () => {
      const [first] = await read(screen, all);
      return first === patternAt(0, 0, seed);
    }, { what: "the pattern" });
    const at = (x: number, y: number) => patternAt(x, y, seed);
    expect(compare(await read(screen, all), all, at)).toEqual([]);
  }
});

onSway("memory and descriptors stay flat over 2,000 pictures", async () => {
  const config = "output HEADLESS-1 mode --custom 320x200@1000Hz";
  await using sway = await startSway({ ...MODE, config });
  const display = await sway.platform.displays.open(1);
  await using screen = await openOwn(display);
  const take = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const width = 1 + i % MODE.width; // another buffer each time
      await screen.capture({ x: 0, y: 0, width, height: MODE.height }, HIDDEN, () => {});
    }
  };
  await take(200);
  const before = { files: countDescriptors(), bytes: residentBytes() };
  await take(2_000);
  expect(countDescriptors()).toBe(before.files);
  expect(residentBytes() - before.bytes).toBeLessThan(32 * 2 ** 20);
  expect(await sway.desktop.log()).not.toContain("rror");
});

onSway("an output that is unplugged is 503, and its display is back with it", async () => {
  await using sway = await startSway({ ...MODE, outputs: 2 });
  const { displays } = sway.platform;
  const [, second] = await displays.list();
  const { name } = second!;
  const display = await displays.open(2);
  await using screen = await openOwn(display);
  await sway.tell(`output ${name} disable`);
  const gone = await waitFor(
    () => Promise.resolve(displays.open(2)).then(() => undefined, (error) => error),
    { what: "the output to go" },
  );
  expect([gone.status, gone.message]).toEqual([
    503,
    expect.stringContaining("Cannot open display 2"),
  ]);
  const all = { x: 0, y: 0, ...MODE };
  await expect(screen.capture(all, HIDDEN, () => {})).rejects.toMatchObject({
    code: "unavailable",
  });
  await expect(display.pixel({ x: 0, y: 0 })).rejects.toMatchObject({ code: "unavailable" });
  expect((await displays.open(1)).size).toEqual(MODE);
  expect((await displays.list()).map(({ displayNum }) => displayNum)).toEqual([1]);
  await sway.tell(`output ${name} enable`);
  const back = await waitFor(() => displays.open(2), { what: "the output to come back" });
  expect(back.size).toEqual(MODE);
  await back.pixel({ x: 0, y: 0 });
  // one that is new gets the next number
  await sway.tell("create_output");
  await waitFor(async () => (await displays.list()).length === 3, { what: "a third output" });
});

onSway("a compositor that crashes is 503, and its displays are back when it is", async () => {
  await using sway = await startSway(MODE);
  const { displays } = sway.platform;
  const first = await displays.open(1);
  await first.pixel({ x: 1, y: 1 });
  await sway.desktop.crash();
  await waitFor(() => Promise.resolve(displays.open(1)).then(() => false, () => true));
  const gone = await Promise.resolve(displays.open(1)).catch((error) => error);
  expect([gone.status, gone.message]).toEqual([503, expect.stringContaining("compositor")]);
  await expect(first.pixel({ x: 1, y: 1 })).rejects.toMatchObject({ code: "unavailable" });
  expect(await displays.readiness()).toMatchObject({ ready: false });
  await sway.desktop.restart();
  const again = await waitFor(() => displays.open(1), { what: "the display" });
  await again.pixel({ x: 1, y: 1 });
  expect(again.serverRun).not.toBe(first.serverRun);
});

const HIDDEN = { cursor: "hidden" } as const;

/** The screen as a worker opens it, with a connection of its own. */
async function openOwn(display: Display): Promise<Screen & AsyncDisposable> {
  const screen = await openScreen(display.screen as ScreenAddress);
  return Object.assign(screen, {
    [Symbol.asyncDispose]: () => Promise.resolve(screen.close()),
  });
}

function read(screen: Screen, region: Region): Promise<number[]> {
  return screen.capture(
    region,
    HIDDEN,
    ({ pixels }: Picture) => Array.from(pixels, (pixel) => pixel & 0xffffff),
  );
}

/** The first differences. */
function compare(
  pixels: readonly number[],
  { x, y, width }: Region,
  at: (x: number, y: number) => number,
): string[] {
  const found: string[] = [];
  for (let i = 0; i < pixels.length && found.length < 5; i++) {
    const [column, row] = [x + i % width, y + Math.floor(i / width)];
    const expected = at(column, row);
    if (pixels[i] !== expected) found.push(`${column},${row}: ${pixels[i]}, not ${expected}`);
  }
  return found;
}

function residentBytes(): number {
  return Deno.memoryUsage().rss;
}
