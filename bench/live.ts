/** The live picture: from drawing on the display to the canvas of a real browser, and what it costs. */

import { testFolder } from "../tests/support/folder.ts";
import { cpuMs } from "./cpu_time.ts";
import {
  bundleForPage,
  type LiveDisplay,
  type Load,
  LOADS,
  makeFrames,
  openLiveDisplay,
  SIZE,
} from "./live_display.ts";
import { type Started, startServer } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { describeMachine, row, section } from "./report.ts";

const PROBES = 30;
const SECONDS = 6;
const VIEWERS = 10;

/** @param minutes how long a video is shown for the memory that it takes */
export async function benchLive(minutes = 0): Promise<void> {
  section(`live picture of ${SIZE}, in headless Chromium`);
  await using folder = await testFolder();
  await using display = await openLiveDisplay(await makeFrames(folder.path));
  const page = await bundleForPage("live_page.ts", folder.path);
  await using server = await startLive(display.display, page);
  await using _browser = openPage(server.server, folder.path);
  row("", ["p50 ms", "p95 ms", "CPU %", "pictures/s", "kB/s", "MB"]);
  await display.probe(7);
  await server.drawn(7);
  for (const load of LOADS) await benchLoad(load, { server, display });
  await display.show("still");
  const idle = await cost(server, SECONDS);
  row("nothing changes", ["", "", idle.cpu.toFixed(1)]);
  const more = Array.from({ length: VIEWERS - 1 }, () => openSilent(server.server.port));
  await display.show("video");
  const many = await cost(server, SECONDS);
  row(`video with ${VIEWERS} viewers`, ["", "", many.cpu.toFixed(1), "", "", memoryMb(server)]);
  for (const viewer of more) viewer.close();
  for (let minute = 1; minute <= minutes; minute++) {
    await cost(server, 60);
    row(`video, memory after ${minute} min`, ["", "", "", "", "", memoryMb(server)]);
  }
}

interface Bench {
  readonly server: Live;
  readonly display: LiveDisplay;
}

async function benchLoad(load: Load, { server, display }: Bench): Promise<void> {
  await display.show(load);
  const watching = openSilent(server.server.port);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { cpu, pictures, bytes } = await cost(server, SECONDS, watching);
  watching.close();
  const times: number[] = [];
  for (let round = 0; round < PROBES; round++) {
    const colour = 1 + round % 6;
    const at = await display.probe(colour);
    times.push(await server.drawn(colour) - at);
    await new Promise((resolve) => setTimeout(resolve, 60 + 7 * (round % 11)));
  }
  row(load, [
    percentile(times, 50).toFixed(1),
    percentile(times, 95).toFixed(1),
    cpu.toFixed(1),
    pictures.toFixed(1),
    (bytes / 1_000).toFixed(0),
    memoryMb(server),
  ]);
}

/** Of the server, in percent of a processor, and what a viewer gets each second. */
async function cost(server: Live, seconds: number, viewer?: SilentViewer) {
  const before = { cpu: cpuMs(server.server.pid), ...viewer?.counts };
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const { messages = 0, bytes = 0 } = viewer?.counts ?? {};
  return {
    cpu: (cpuMs(server.server.pid) - before.cpu) / seconds / 10,
    pictures: (messages - (before.messages ?? 0)) / seconds,
    bytes: (bytes - (before.bytes ?? 0)) / seconds,
  };
}

function memoryMb({ server }: Live): number {
  const rollup = Deno.readTextFileSync(`/proc/${server.pid}/smaps_rollup`);
  return Math.round(Number(/Pss:\s+(\d+)/.exec(rollup)![1]) / 1_024);
}

interface Live extends AsyncDisposable {
  readonly server: Started;
  /** When the page has drawn the probe in this colour. */
  drawn(colour: number): Promise<number>;
}

async function startLive(display: string, script: string): Promise<Live> {
  const server = await startServer("live_server.ts", [display, script]);
  const reports = new WebSocket(`ws://127.0.0.1:${server.port}/reports`);
  const seen: { readonly probe: number; readonly now: number }[] = [];
  let reported = () => {};
  reports.onmessage = ({ data }) => {
    seen.push(JSON.parse(data));
    reported();
  };
  return {
    server,
    async drawn(colour) {
      while (true) {
        for (let next = seen.shift(); next !== undefined; next = seen.shift()) {
          if (next.probe === colour) return next.now;
        }
        await new Promise<void>((resolve) => reported = resolve);
      }
    },
    async [Symbol.asyncDispose]() {
      reports.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function openPage({ port }: Started, folder: string): AsyncDisposable {
  return start("chromium", [
    ...["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1920,1200"],
    ...[`--user-data-dir=${folder}/profile`, `http://127.0.0.1:${port}/`],
  ]);
}

function start(program: string, args: readonly string[]): AsyncDisposable {
  const io = { stdin: "null", stdout: "null", stderr: "null" } as const;
  const child = new Deno.Command(program, { args: [...args], ...io }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
    },
  };
}

/** Acknowledges everything, and draws nothing. */
interface SilentViewer {
  readonly counts: { readonly messages: number; readonly bytes: number };
  close(): void;
}

function openSilent(port: number): SilentViewer {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
  socket.binaryType = "arraybuffer";
  const counts = { messages: 0, bytes: 0 };
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") return;
    counts.messages++;
    counts.bytes += data.byteLength;
    socket.send(Uint32Array.of(new DataView(data).getUint32(0, true)));
  };
  return { counts, close: () => socket.close() };
}

if (import.meta.main) {
  section(`${new Date().toISOString().slice(0, 10)}, ${await describeMachine()}`);
  await benchLive(Number(Deno.args[0] ?? 0));
}
