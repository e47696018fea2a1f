/** Pictures, compared pixel by pixel with what a page shows. */

import { expect } from "expect";
import { openPage } from "../../console.ts";
import { Watcher } from "../../live_viewer.ts";
import { decodePng } from "../../png.ts";
import { decodeVideo, isColour } from "../../recorded_file.ts";
import { waitFor } from "../../wait.ts";
import type { Bench, Check } from "./contract.ts";

type Rgb = readonly [number, number, number];

/** No two neighbours are alike, in any direction. */
function colorAt(x: number, y: number): Rgb {
  return [x * 7 & 255, y * 11 & 255, (x ^ y) & 255];
}

/** A page of those colours. */
const PATTERN = `<style>body { cursor: none }</style>
<canvas id="canvas" style="position: absolute; left: 0; top: 0"></canvas><script>
  const { width, height } = Object.assign(canvas, { width: innerWidth, height: innerHeight });
  const picture = new ImageData(width, height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    picture.data.set([x * 7 & 255, y * 11 & 255, (x ^ y) & 255, 255], (y * width + x) * 4);
  }
  canvas.getContext("2d").putImageData(picture, 0, 0);
  document.body.style.overflow = "hidden";
</script>`;

const PLAIN = `<style>body { background: rgb(10, 20, 30); cursor: none }</style>`;

export const DISPLAY_CHECKS: readonly Check[] = [
  {
    name: "the display has the size of the output, and the list names it",
    async run({ desktop, service }) {
      expect(await service.get("display/screen_size")).toEqual(desktop.size);
      expect(await service.get("display/list")).toMatchObject([
        { display_num: 1, ...desktop.size, scale: 1, primary: true },
      ]);
    },
  },
  {
    name: "a picture has every pixel of the page",
    async run(bench) {
      await showPattern(bench);
      const { width, height } = bench.desktop.size;
      const { width: w, height: h, rgb } = await screenshot(bench);
      expect([w, h]).toEqual([width, height]);
      expect(differences(rgb, { x: 0, y: 0, width, height })).toEqual([]);
    },
  },
  {
    name: "the live picture has every pixel of the page, and follows it",
    async run(bench) {
      const { width, height } = bench.desktop.size;
      await bench.browser.show({ body: PLAIN });
      await using page = await openPage(bench.service.command.address);
      const watcher = new Watcher();
      watcher.connect((id) => page.send({ t: "ack", id }));
      page.socket.addEventListener("message", ({ data }) => {
        const message = typeof data === "string" ? JSON.parse(data) : data;
        if (message instanceof ArrayBuffer || message.t === "live") watcher.send(message);
      });
      page.send({ t: "watch", display: 1 });
      const pixel = async (x: number, y: number) => {
        await watcher.idle();
        return watcher.surface.pixels[y * watcher.surface.width + x];
      };
      await waitFor(async () => await pixel(700, 500) === 0x0a141e, { what: "the plain page" });
      await showPattern(bench);
      await waitFor(async () => {
        await watcher.idle();
        const { surface } = watcher;
        const rgb = Uint8Array.from(
          surface.pixels.values().flatMap((each) => [each >> 16, each >> 8 & 255, each & 255]),
        );
        expect([surface.width, surface.height]).toEqual([width, height]);
        expect(differences(rgb, { x: 0, y: 0, width, height })).toEqual([]);
        return true;
      }, { what: "the pattern in the live picture", everyMs: 500 });
    },
  },
  {
    name: "a region and single pixels are those of the page",
    async run(bench) {
      await showPattern(bench);
      const region = { x: 301, y: 203, width: 97, height: 55 };
      const query = new URLSearchParams(
        Object.entries(region).map(([name, value]) => [name, `${value}`]),
      );
      const { rgb, width, height } = await screenshot(bench, `?${query}`);
      expect([width, height]).toEqual([97, 55]);
      expect(differences(rgb, region)).toEqual([]);
      for (const [x, y] of [[0, 0], [1279, 799], [640, 400]] as const) {
        expect(await bench.service.call("display/pixel_color", { x, y })).toEqual(colorAt(x, y));
      }
    },
  },
  {
    name: "an unchanged screen is 304, and a change gives another picture",
    async run({ service, browser }) {
      await browser.show({ body: PLAIN });
      const ask = async (etag = "") => {
        const headers = { "if-none-match": etag };
        const answer = await service.send("/api/display/screenshot", { headers });
        await answer.body?.cancel();
        return { status: answer.status, etag: answer.headers.get("etag")! };
      };
      let last = await ask();
      await waitFor(async () => {
        const next = await ask(last.etag);
        last = next;
        return next.status === 304;
      }, { what: "a picture that has not changed" });
      await browser.evaluate(`document.body.style.background = "rgb(200, 0, 0)"`);
      await waitFor(async () => (await ask(last.etag)).status === 200, { what: "another picture" });
      const at = { x: 50, y: 60 };
      const isRed = async () =>
        String(await service.call("display/pixel_color", at)) === String([200, 0, 0]);
      await waitFor(isRed, { what: "the new colour" }); // the change may have been another one
    },
  },
  {
    name: "a wait ends when the page changes",
    async run({ service, browser }) {
      await browser.show({ body: PLAIN });
      await awaitStill(service);
      const waiting = service.call("display/wait", { until: "change", timeout_ms: 20_000 });
      let red = 0; // again, because the wait may not have begun
      const painting = setInterval(() => {
        browser.evaluate(`document.body.style.background = "rgb(${red++ % 255}, 99, 0)"`);
      }, 200);
      try {
        expect(await waiting).toMatchObject({ status: "changed" });
      } finally {
        clearInterval(painting);
      }
    },
  },
  {
    name: "a recording shows what the page showed",
    async run({ desktop, service, browser }) {
      await browser.show({ body: PLAIN });
      // what the compositor shows late would count as the picture of a colour
      const isShown = async () =>
        `${await service.call("display/pixel_color", { x: 700, y: 500 })}` === "10,20,30";
      await waitFor(isShown, { what: "the page" });
      await awaitStill(service);
      const { id } = await service.call("recording/start", { format: "webm" }) as { id: string };
      const taken = async () => {
        const [item] = await service.get(`recording/list?id=${id}`) as { frames: number }[];
        return item!.frames;
      };
      await waitFor(async () => await taken() > 0, { what: "the first picture" });
      const colours = [0xff0000, 0x00ff00, 0x0000ff];
      for (const colour of colours) {
        const before = await taken();
        const name = `#${colour.toString(16).padStart(6, "0")}`;
        await browser.evaluate(`document.body.style.background = "${name}"`);
        await waitFor(async () => await taken() > before, { what: `a picture of ${name}` });
      }
      const item = await service.call("recording/stop", { id });
      expect(item).toMatchObject({ state: "finished", ended_by: "stop", detail: null });
      const answer = await service.send(`/api/recording/get?id=${id}`);
      const shown = await decodeVideo(await answer.bytes(), desktop.size);
      const seen = colours.map((colour) =>
        shown.findIndex(({ pixel }) => isColour(pixel(700, 500), colour))
      );
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen).not.toContain(-1);
    },
  },
];

async function awaitStill(service: Bench["service"]): Promise<void> {
  const still = { until: "stable", stable_ms: 200, timeout_ms: 20_000 };
  expect(await service.call("display/wait", still)).toMatchObject({ status: "stable" });
}

/** Resolves when the compositor shows it. */
export async function showPattern(bench: Bench): Promise<void> {
  await bench.browser.show({ body: PATTERN });
  const [x, y] = [640, 400];
  // the page hides the cursor when it moves: without a screen, sway draws it into every picture
  const pixel = async () => {
    for (const moved of [x + 9, x]) await bench.service.call("mouse/move", { x: moved, y });
    return await bench.service.call("display/pixel_color", { x, y });
  };
  await waitFor(async () => `${await pixel()}` === `${colorAt(x, y)}`, { what: "the pattern" });
}

export async function screenshot({ service }: Bench, query = "") {
  const answer = await service.send(`/api/display/screenshot${query}`);
  expect(answer.status).toBe(200);
  return decodePng(new Uint8Array(await answer.arrayBuffer()));
}

/** The first pixels that are not those of the page. */
function differences(
  rgb: Uint8Array,
  region: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  },
): string[] {
  const found: string[] = [];
  for (let at = 0; at < rgb.length && found.length < 5; at += 3) {
    const x = region.x + (at / 3) % region.width;
    const y = region.y + Math.floor(at / 3 / region.width);
    const [r, g, b] = colorAt(x, y);
    if (rgb[at] === r && rgb[at + 1] === g && rgb[at + 2] === b) continue;
    found.push(`${x},${y}: ${rgb.subarray(at, at + 3)}, not ${r},${g},${b}`);
  }
  return found;
}
