/** The live picture: from drawing on the display to the canvas of a real browser, and what it costs. */

import { fileURLToPath } from "node:url";
import { type LineReader, lineReader } from "../tests/support/lines.ts";
import { testFolder } from "../tests/support/folder.ts";
import { run } from "../tests/support/desktop.ts";
import { startXvfb } from "../tests/support/xvfb.ts";
import { cpuMs } from "./cpu_time.ts";
import { type Started, startServer } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { describeMachine, row, section } from "./report.ts";

const SIZE = "1920x1080";
const PROBES = 30;
const SECONDS = 6;
const VIEWERS = 10;
const SCROLL = "while :; do echo $RANDOM some text of a program that scrolls; sleep 0.04; done";

/** @param minutes how long a video is shown for the memory that it takes */
export async function benchLive(minutes = 0): Promise<void> {
  section(`live picture of ${SIZE}, in headless Chromium`);
  await using folder = await testFolder();
  await using xvfb = await startXvfb({ size: SIZE });
  const { display } = xvfb;
  const frames = `${folder.path}/frames`;
  const source = `mandelbrot=size=${SIZE}:rate=30:start_scale=0.02`;
  const raw = ["-frames:v", "12", "-f", "rawvideo", "-pix_fmt", "bgr0", frames];
  await run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", source, ...raw]);
  const script = `${folder.path}/page.js`;
  const page = fileURLToPath(new URL("live_page.ts", import.meta.url));
  await run(Deno.execPath(), ["bundle", "-q", "--platform", "browser", "-o", script, page]);
  await using server = await startLive(display, script);
  await using load = startLoad(display, frames);
  await load.say("still");
  await using _browser = openPage(server.server, folder.path);
  row("", ["p50 ms", "p95 ms", "CPU %", "pictures/s", "kB/s", "MB"]);
  await server.drawn((await load.probe(7)).colour);
  for (const mode of ["still", "blink", "scroll", "video"] as const) {
    await benchMode(mode, { server, load, display });
  }
  await load.say("still");
  const idle = await cost(server, SECONDS);
  row("nothing changes", ["", "", idle.cpu.toFixed(1)]);
  const more = Array.from({ length: VIEWERS - 1 }, () => openSilent(server.server.port));
  await load.say("video");
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
  readonly load: Load;
  readonly display: string;
}

async function benchMode(
  mode: "still" | "blink" | "scroll" | "video",
  { server, load, display }: Bench,
): Promise<void> {
  await load.say(mode === "scroll" ? "still" : mode);
  await using _terminal = mode === "scroll" ? openTerminal(display) : undefined;
  const watching = openSilent(server.server.port);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { cpu, pictures, bytes } = await cost(server, SECONDS, watching);
  watching.close();
  const times: number[] = [];
  for (let round = 0; round < PROBES; round++) {
    const { at, colour } = await load.probe(1 + round % 6);
    times.push(await server.drawn(colour) - at);
    await new Promise((resolve) => setTimeout(resolve, 60 + 7 * (round % 11)));
  }
  row(mode, [
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

interface Load extends AsyncDisposable {
  say(command: string): Promise<void>;
  probe(colour: number): Promise<{ readonly at: number; readonly colour: number }>;
}

function startLoad(display: string, frames: string): Load {
  const script = fileURLToPath(new URL("live_load.ts", import.meta.url));
  const config = fileURLToPath(new URL("../deno.dev.json", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-c", config, "--no-check", script, display, frames],
    ...{ stdin: "piped", stdout: "piped", stderr: "inherit" },
  }).spawn();
  const lines: LineReader = lineReader(child.stdout);
  const writer = child.stdin.getWriter();
  const ready = lines.next();
  const ask = async (command: string) => {
    await ready;
    await writer.write(new TextEncoder().encode(`${command}\n`));
    return (await lines.next())!;
  };
  return {
    say: async (command) => void await ask(command),
    probe: async (colour) => ({ at: Number(await ask(`probe ${colour}`)), colour }),
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
    },
  };
}

function openTerminal(display: string): AsyncDisposable {
  const look = ["-geometry", "230x75+0+0", "-fa", "Monospace", "-fs", "10", "-bg", "black"];
  return start("xterm", ["-display", display, ...look, "-fg", "white", "-e", "bash", "-c", SCROLL]);
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
