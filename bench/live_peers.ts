/**
 * The live picture of the console beside x11vnc with noVNC and beside Selkies: each shows a display of
 * 1920x1080 with the same content to headless Chromium, one after the other, in alternating rounds.
 * `deno run -A -c deno.dev.json bench/live_peers.ts`; with a folder it leaves a picture of each page there.
 */

import { testFolder } from "../tests/support/folder.ts";
import { waitFor } from "../tests/support/wait.ts";
import {
  bundleForPage,
  type LiveDisplay,
  LOADS,
  makeFrames,
  openLiveDisplay,
  SIZE,
} from "./live_display.ts";
import { type Peer, PEERS } from "./live_peer_servers.ts";
import { PROBE } from "./live_probe.ts";
import { type LiveViewer, LONGEST_MS, openViewer } from "./live_viewer.ts";
import { percentile } from "./raw_client.ts";
import { describeMachine, row, section } from "./report.ts";

const ROUNDS = 2;
/** Of each load and of the clicks, in each round. */
const PROBES = 20;
/** How long the pictures of the video are counted. */
const SECONDS = 6;
/** How long a load lasts before it is measured: a terminal opens, an encoder finds its rate. */
const SETTLE_MS = 2_000;
/** A viewer shows its first picture within this time. */
const START_MS = 60_000;

/** Figure -> its line of the table, with the goal of the console. */
const FIGURES = {
  still: ["still: from change to pixel, p50 ms", "10"],
  blink: ["blinking cursor: from change to pixel, p50 ms", "10"],
  scroll: ["terminal, 25 lines a second: from change to pixel, p50 ms", "50"],
  video: ["video, 30 pictures a second: from change to pixel, p50 ms", "120"],
  pictures: ["video: pictures a second", ">= 20"],
  click: ["click to pixel, p50 ms", "15"],
} as const;
type Figure = keyof typeof FIGURES;
type Figures = Record<Figure, number[]>;

/** @param pictures a folder that gets a picture of each page */
export async function benchLivePeers(pictures?: string): Promise<void> {
  section(`live picture of ${SIZE} beside others, in headless Chromium (goals: of the console)`);
  await using folder = await testFolder();
  const frames = await makeFrames(folder.path);
  const script = await Deno.readTextFile(await bundleForPage("live_watch.ts", folder.path));
  const measured = new Map<Peer, Figures>();
  const missing = new Map<Peer, string>();
  for (const peer of PEERS) {
    const reason = await peer.missing();
    if (reason !== undefined) missing.set(peer, reason);
    else measured.set(peer, noFigures());
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [peer, figures] of measured) {
      try {
        await measure(peer, { frames, script, figures, pictures });
      } catch (error) {
        measured.delete(peer);
        missing.set(peer, (error as Error).message);
      }
    }
  }
  print(measured, missing);
}

function noFigures(): Figures {
  return { still: [], blink: [], scroll: [], video: [], pictures: [], click: [] };
}

interface Measuring {
  readonly frames: string;
  readonly script: string;
  /** Grow by what is measured. */
  readonly figures: Figures;
  readonly pictures: string | undefined;
}

async function measure(
  peer: Peer,
  { frames, script, figures, pictures }: Measuring,
): Promise<void> {
  await using display = await openLiveDisplay(frames);
  await using server = await peer.start(display.display);
  await using viewer = await openViewer({ url: server.url, viewport: peer.viewport, script });
  await begin(viewer, display);
  const { takeControl } = peer;
  if (takeControl !== undefined) {
    await waitFor(async () => await viewer.evaluate(takeControl) === true, { what: "control" });
  }
  await viewer.move(PROBE.x + 8, PROBE.y + 8);
  for (const load of LOADS) {
    await display.show(load);
    await pause(SETTLE_MS);
    await begin(viewer, display);
    if (load === "video") figures.pictures.push(await picturesPerSecond(viewer));
    await repeat(figures[load], (probe) => timeChange(viewer, display, 1 + probe % 6));
    if (load === "still") await repeat(figures.click, () => timeClick(viewer));
    if (load !== "scroll" || pictures === undefined) continue;
    await Deno.writeFile(`${pictures}/${peer.name.replace("/", "")}.png`, await viewer.picture());
  }
}

/** Waits until the page shows a colour that no change has. */
async function begin(viewer: LiveViewer, display: LiveDisplay): Promise<void> {
  await display.probe(7);
  const options = { what: "the display in the page", timeoutMs: START_MS };
  await waitFor(() => viewer.shown("probe") === 7, options);
}

async function repeat(
  times: number[],
  time: (probe: number) => Promise<number>,
): Promise<void> {
  for (let probe = 0; probe < PROBES; probe++) {
    times.push(await time(probe));
    await pause(60 + 7 * (probe % 11));
  }
}

async function timeChange(
  viewer: LiveViewer,
  display: LiveDisplay,
  colour: number,
): Promise<number> {
  const seen = viewer.next("probe", colour);
  const drawn = await display.probe(colour);
  return (await seen ?? Infinity) - drawn;
}

async function timeClick(viewer: LiveViewer): Promise<number> {
  const pressed = viewer.next("press");
  const seen = viewer.next("probe");
  await viewer.click();
  const [from, to] = await Promise.all([pressed, seen]);
  return from === undefined || to === undefined ? Infinity : to - from;
}

async function picturesPerSecond(viewer: LiveViewer): Promise<number> {
  const before = viewer.count("mark");
  await pause(SECONDS * 1_000);
  return (viewer.count("mark") - before) / SECONDS;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function print(
  measured: ReadonlyMap<Peer, Figures>,
  missing: ReadonlyMap<Peer, string>,
): void {
  row("", ["goal", ...[...measured.keys()].map(({ name }) => name)]);
  for (const [figure, [label, goal]] of Object.entries(FIGURES)) {
    const values = [...measured.values()].map((figures) => figures[figure as Figure]);
    const middle = figure === "pictures" ? mean : (times: number[]) => percentile(times, 50);
    row(label, [goal, ...values.map((each) => format(middle(each)))]);
  }
  console.log();
  for (const { name, programs } of measured.keys()) console.log(`${name}: ${programs}`);
  for (const [{ name, programs }, reason] of missing) {
    console.log(`${name} (${programs}) is not measured: ${reason}`);
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function format(value: number): string {
  return value === Infinity ? `> ${LONGEST_MS}` : value.toFixed(1);
}

if (import.meta.main) {
  section(`${new Date().toISOString().slice(0, 10)}, ${await describeMachine()}`);
  await benchLivePeers(Deno.args[0]);
}
