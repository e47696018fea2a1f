/** Pictures of sway's outputs, compared pixel by pixel with those of grim and with what was drawn. */

import { expect } from "expect";
import { requireCapability } from "../../../../../src/platform/capability.ts";
import { openScreen } from "../../../../../src/platform/screens.ts";
import type {
  Display,
  Picture,
  Region,
  Screen,
  ScreenAddress,
} from "../../../../../src/platform/types/mod.ts";
import { decodePng } from "../../../../support/png.ts";
import { succeeds, testIf } from "../../../../support/test_if.ts";
import { missingFor, type WaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { patternAt } from "../../../../support/wayland/pattern.ts";
import { countDescriptors } from "../../../../support/wayland/socket_pair.ts";
import { startNestedSway, startSway } from "../../../../support/wayland/sway.ts";
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

const onSwayWithGrim = testIf(
  lacking === undefined && await succeeds("grim", ["-h"]),
  lacking ?? "needs grim (deno task setup --for wayland)",
);

onSwayWithGrim(
  "pictures and regions are those of grim, whatever the scale and the transform",
  async () => {
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
      await waitFor(async () => new Set(await read(screen, all)).size > 1_000, {
        what: `the pattern with ${setting}`,
      });
      const grim = await waitFor(async () => {
        const now = await takeByGrim(desktop, name); // the cursor can be in one of the two
        expect([now.width, now.height]).toEqual([width, height]);
        return compare(await read(screen, all), all, now.at).length === 0 && now;
      }, { what: `the picture of grim with ${setting}` });
      expect(Number(/scale ([\d.]+)/.exec(setting)?.[1] ?? 1)).toBe(scale);
      const { at } = grim;
      const region = { x: 11, y: 7, width: 33, height: 21 };
      expect([setting, compare(await read(screen, region), region, at)]).toEqual([setting, []]);
      for (const point of [{ x: 0, y: 0 }, { x: 17, y: 101 }, { x: width - 1, y: height - 1 }]) {
        const [r, g, b] = await display.pixel(point);
        expect(r << 16 | g << 8 | b).toBe(at(point.x, point.y));
      }
    }
  },
);

onSway("a picture has every pixel that was drawn", async () => {
  await using sway = await startSway(MODE);
  const display = await sway.platform.displays.open(1);
  expect(display.size).toEqual(MODE);
  await using screen = await openOwn(display);
  for (const seed of [0, 40]) {
    await sway.showPattern("HEADLESS-1", MODE, seed);
    const all = { x: 0, y: 0, ...MODE };
    const at = (x: number, y: number) => patternAt(x, y, seed);
    const isShown = async () => compare(await read(screen, all), all, at).length === 0;
    await waitFor(isShown, { what: "the pattern, without the cursor" });
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

onSway("a picture that is used while its screen is closed keeps its memory", async () => {
  await using sway = await startSway(MODE);
  const display = await sway.platform.displays.open(1);
  const screen = await openOwn(display);
  const all = { x: 0, y: 0, ...display.size };
  const used = screen.capture(all, HIDDEN, ({ pixels }) => {
    screen.close();
    return pixels.reduce((count) => count + 1, 0); // reads each, and takes no memory that could lie there now
  });
  const next = screen.capture(all, HIDDEN, () => {});
  await expect(used).resolves.toBe(all.width * all.height);
  await expect(next).rejects.toMatchObject({ code: "unavailable" });
});

onSway("an output that is unplugged is 503, and its display is back with it", async () => {
  await using sway = await startNestedSway(2);
  const { displays } = sway.platform;
  const names = (await displays.list()).map(({ name }) => name);
  expect(names).toEqual(["WL-1", "WL-2"]);
  const display = await displays.open(2);
  await using screen = await openOwn(display);
  const all = { x: 0, y: 0, ...display.size };
  await screen.capture(all, HIDDEN, () => {});
  const changes = await display.watch();
  await changes.poll();

  await sway.unplug("WL-2");
  const gone = await waitFor(
    () => Promise.resolve(displays.open(2)).then(() => undefined, (error) => error),
    { what: "the output to go" },
  );
  expect([gone.status, gone.message]).toEqual([
    503,
    expect.stringContaining('Cannot open display 2: no output of the compositor at "wayland-2"'),
  ]);
  const lost = { code: "unavailable" };
  await expect(screen.capture(all, HIDDEN, () => {})).rejects.toMatchObject(lost);
  await expect(display.pixel({ x: 0, y: 0 })).rejects.toMatchObject(lost);
  await expect(changes.poll()).rejects.toMatchObject(lost);
  expect(screen.connected).toBe(false);
  expect((await displays.list()).map(({ displayNum }) => displayNum)).toEqual([1]);
  await (await displays.open(1)).pixel({ x: 0, y: 0 });

  await sway.plug(); // it has another name, and so the next number
  const list = await waitFor(async () => {
    const now = await displays.list();
    return now.length === 2 && now;
  }, { what: "the new output" });
  expect(list[1]).toMatchObject({ displayNum: 3, name: "WL-3" });
  await (await displays.open(3)).pixel({ x: 0, y: 0 });
});

onSway("the cursor is in a picture that shows it, and in no other", async () => {
  await using sway = await startNestedSway(1); // whose cursor the outer sway draws
  const display = await sway.platform.displays.open(1);
  const { mouse } = requireCapability(display.input);
  await using screen = await openOwn(display);
  const region = { x: 0, y: 0, width: 200, height: 200 };
  const moveTo = async (x: number, y: number) => {
    mouse.move({ x, y });
    await requireCapability(display.input).confirm();
  };
  await moveTo(300, 300);
  const before = await read(screen, region);
  await moveTo(100, 100);
  expect(`${await read(screen, region)}` === `${before}`).toBe(true);
  // last, because sway 1.7 goes on drawing the cursor for some time after such a picture
  const isShown = async () => `${await read(screen, region, "shown")}` !== `${before}`;
  await waitFor(isShown, { what: "the cursor" });
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

async function takeByGrim(desktop: WaylandDesktop, output: string) {
  const file = `${desktop.runtime}/grim.png`;
  await desktop.run("grim", ["-o", output, file]);
  const { width, height, rgb } = decodePng(await Deno.readFile(file));
  const at = (x: number, y: number) => {
    const [red, green, blue] = rgb.subarray((y * width + x) * 3);
    return red! << 16 | green! << 8 | blue!;
  };
  return { width, height, at };
}

const HIDDEN = { cursor: "hidden" } as const;

/** The screen as a worker opens it, with a connection of its own. */
async function openOwn(display: Display): Promise<Screen & AsyncDisposable> {
  const screen = await openScreen(display.screen as ScreenAddress);
  return Object.assign(screen, {
    [Symbol.asyncDispose]: () => Promise.resolve(screen.close()),
  });
}

function read(
  screen: Screen,
  region: Region,
  cursor: "shown" | "hidden" = "hidden",
): Promise<number[]> {
  const toColours = ({ pixels }: Picture) => Array.from(pixels, (pixel) => pixel & 0xffffff);
  return screen.capture(region, { cursor }, toColours);
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
