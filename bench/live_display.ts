/** A display of its own for a bench of the live picture, and what it shows. */

import { fileURLToPath } from "node:url";
import { run } from "../tests/support/desktop.ts";
import { type LineReader, lineReader } from "../tests/support/lines.ts";
import { startXvfb } from "../tests/support/xvfb.ts";

export const SIZE = "1920x1080";
/** Fills the terminal first, which only then scrolls. */
const SCROLL =
  "seq 80; while :; do echo $RANDOM some text of a program that scrolls; sleep 0.04; done";

/** Nothing that changes, a blinking text cursor, a terminal of 25 lines a second, 30 pictures a second. */
export const LOADS = ["still", "blink", "scroll", "video"] as const;
export type Load = typeof LOADS[number];

export interface LiveDisplay extends AsyncDisposable {
  /** `:7`. */
  readonly display: string;
  show(load: Load): Promise<void>;
  /** Draws the probe in this colour; gives when, in milliseconds since 1970. */
  probe(colour: number): Promise<number>;
}

/** Makes the pictures of the video in a folder; gives their file. */
export async function makeFrames(folder: string): Promise<string> {
  const frames = `${folder}/frames`;
  const source = `mandelbrot=size=${SIZE}:rate=30:start_scale=0.02`;
  const raw = ["-frames:v", "12", "-f", "rawvideo", "-pix_fmt", "bgr0", frames];
  await run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", source, ...raw]);
  return frames;
}

/** Bundles a script of the bench for a page, into a folder; gives its file. */
export async function bundleForPage(script: string, folder: string): Promise<string> {
  const from = fileURLToPath(new URL(script, import.meta.url));
  const to = `${folder}/${script}.js`;
  await run(Deno.execPath(), ["bundle", "-q", "--platform", "browser", "-o", to, from]);
  return to;
}

/** @param frames the file of {@link makeFrames} */
export async function openLiveDisplay(frames: string): Promise<LiveDisplay> {
  await using opening = new AsyncDisposableStack();
  const { display } = opening.use(await startXvfb({ size: SIZE }));
  const ask = opening.use(startLoad(display, frames)).ask;
  await ask("still");
  const terminals = opening.adopt({ open: undefined as AsyncDisposable | undefined }, end);
  const running = opening.move();
  return {
    display,
    async show(load) {
      await end(terminals);
      await ask(load === "scroll" ? "still" : load);
      if (load === "scroll") terminals.open = openTerminal(display);
    },
    probe: async (colour) => Number(await ask(`probe ${colour}`)),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function end(terminals: { open: AsyncDisposable | undefined }): Promise<void> {
  await terminals.open?.[Symbol.asyncDispose]();
  terminals.open = undefined;
}

function startLoad(display: string, frames: string) {
  const script = fileURLToPath(new URL("live_load.ts", import.meta.url));
  const config = fileURLToPath(new URL("../deno.dev.json", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-c", config, "--no-check", script, display, frames],
    ...{ stdin: "piped", stdout: "piped", stderr: "inherit" },
  }).spawn();
  const lines: LineReader = lineReader(child.stdout);
  const writer = child.stdin.getWriter();
  const ready = lines.next();
  return {
    /** Sends a command, and gives the answer. */
    async ask(command: string): Promise<string> {
      await ready;
      await writer.write(new TextEncoder().encode(`${command}\n`));
      return (await lines.next())!;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
    },
  };
}

function openTerminal(display: string): AsyncDisposable {
  const look = ["-geometry", "230x75+0+0", "-fa", "Monospace", "-fs", "10", "-bg", "black"];
  const child = new Deno.Command("xterm", {
    args: ["-display", display, ...look, "-fg", "white", "-e", "bash", "-c", SCROLL],
    ...{ stdin: "null", stdout: "null", stderr: "null" },
  }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
    },
  };
}
