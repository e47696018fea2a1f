/** Pictures at 1920x1080 with real windows on the screen, over HTTP, beside scrot and maim; draws its figures as SVG. */

import {
  hasChromium,
  openChromium,
  openStillXterm,
  openTk,
} from "../tests/support/still_programs.ts";
import { startXvfb } from "../tests/support/xvfb.ts";
import { drawBars } from "./figure.ts";
import { median } from "./median.ts";
import { benchPictureLoad } from "./picture_load.ts";
import { benchWaiting } from "./picture_waiting.ts";
import { type Started, startServer } from "./process.ts";
import { describeMachine, row, section } from "./report.ts";
import { RawClient } from "./raw_client.ts";

const SIZE = "1920x1080";
const SHOT = "/api/display/screenshot";
const FIGURE = new URL("../docs/speed.svg", import.meta.url);
const PAGE = "<body style='font:16px serif;background:linear-gradient(90deg,#fff,#cdf)'>" +
  "<h1>Pictures</h1>" + "<p>The quick brown fox jumps over the lazy dog.</p>".repeat(30);

export async function benchPictures(): Promise<void> {
  await using xvfb = await startXvfb({ size: SIZE });
  const { display } = xvfb;
  await using _first = await openStillXterm(display, "100x40+20+20");
  await using _second = await openStillXterm(display, "120x50+1100+300");
  await using _tk = await openTk(display, "300x220+300+700");
  await using _chromium = hasChromium() ? await openChromium(display, PAGE) : undefined;
  const args = ["--port", "0", "--display", `1=${display}`];
  await using service = await startServer("../main.ts", args);
  await using bare = await startServer("servers/bare.ts", []);
  await settle(service);
  await benchSingle(display, service, bare);
  await benchPictureLoad(service);
  await benchWaiting(display, service);
}

async function settle({ port }: Started): Promise<void> {
  const body = JSON.stringify({ until: "stable", stable_ms: 1_500, timeout_ms: 60_000 });
  const headers = { "content-type": "application/json" };
  const url = `http://127.0.0.1:${port}/api/display/wait`;
  await (await fetch(url, { method: "POST", headers, body })).text();
}

async function benchSingle(display: string, service: Started, bare: Started): Promise<void> {
  using client = await RawClient.connect(service.port);
  using other = await RawClient.connect(bare.port);
  await median(() => client.get(SHOT), 20);
  const first = await client.get(SHOT);
  let known = first.headers.get("etag")!;
  let changes = 0;
  const runs = {
    png: () => client.get(SHOT),
    scaled: () => client.get(`${SHOT}?max_width=1280`),
    jpeg: () => client.get(`${SHOT}?max_width=1280&format=jpeg`),
    webp: () => client.get(`${SHOT}?max_width=1280&format=webp`),
    unchanged: async () => {
      const { status, headers } = await client.get(SHOT, { "if-none-match": known });
      if (status === 304) return;
      known = headers.get("etag")!; // Chromium paints something now and then
      if (++changes > 100) throw new Error("The screen never keeps still");
    },
    bare: () => other.get("/"),
  };
  const p50: Record<string, number> = {};
  for (const [name, run] of Object.entries(runs)) {
    p50[name] = await median(run, name === "bare" || name === "unchanged" ? 2_000 : 60);
  }
  const peers = await benchPeers(display);
  section(`one picture of ${SIZE} with real windows: p50 ms, and what it is compared with`);
  const ratio = (a: number, b: number) => `${(a / b).toFixed(2)}x`;
  const ms = (value: number) => value.toFixed(value < 1 ? 3 : 1);
  row("PNG over HTTP (goal 25)", [ms(p50["png"]!)]);
  for (const { name, time, bytes } of peers) {
    row(name, [ms(time), `${bytes} B`]);
    row(`  ours / ${name} (goal: scrot 0.25, maim 0.17)`, [ratio(p50["png"]!, time)]);
  }
  row("size of the PNG, and times scrot's (goal 1.3)", [
    first.length,
    ratio(first.length, peers[0]!.bytes),
  ]);
  row("PNG 1280 wide", [ms(p50["scaled"]!)]);
  row("JPEG 1280 wide, and times the PNG (goal 2)", [
    ms(p50["jpeg"]!),
    ratio(p50["jpeg"]!, p50["png"]!),
  ]);
  row("  times the PNG 1280 wide", [ratio(p50["jpeg"]!, p50["scaled"]!)]);
  row("WebP 1280 wide", [ms(p50["webp"]!)]);
  row("304, bare server, times (goal 1.5)", [
    ...[ms(p50["unchanged"]!), ms(p50["bare"]!), ratio(p50["unchanged"]!, p50["bare"]!)],
  ]);
  await Deno.writeTextFile(
    FIGURE,
    drawBars(`One picture of ${SIZE}, milliseconds`, [
      { name: "this service, unchanged (304)", value: p50["unchanged"]!, ours: true },
      { name: "this service, PNG", value: p50["png"]!, ours: true },
      { name: "this service, JPEG 1280 wide", value: p50["jpeg"]!, ours: true },
      ...peers.map(({ name, time }) => ({ name, value: time, ours: false })),
    ]),
  );
}

interface Peer {
  readonly name: string;
  /** p50 in milliseconds. */
  readonly time: number;
  readonly bytes: number;
}

async function benchPeers(display: string): Promise<Peer[]> {
  const file = await Deno.makeTempFile({ suffix: ".png" });
  const peers = [["scrot", ["-o", file]], ["maim", [file]]] as const;
  const results: Peer[] = [];
  for (const [name, args] of peers) {
    const run = async () => {
      const { success } = await new Deno.Command(name, {
        args: [...args],
        env: { DISPLAY: display },
      }).output();
      if (!success) throw new Error(`${name} failed`);
    };
    const time = await median(run, 20);
    results.push({ name, time, bytes: (await Deno.stat(file)).size });
  }
  await Deno.remove(file);
  return results;
}

if (import.meta.main) {
  section(`${new Date().toISOString().slice(0, 10)}, ${await describeMachine()}`);
  await benchPictures();
}
