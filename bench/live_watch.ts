/**
 * Watches the colours of the probe and of the mark in the page of any viewer, and reports each new
 * one. A canvas is read as soon as something has been drawn there, a video every 4 ms.
 */

/// <reference lib="dom" />

import { colourOf, MARK_AT, PROBE_AT } from "./live_probe.ts";

/** Is there where the bench looks on; see `live_viewer.ts`. */
declare function reportToBench(report: string): void;

const SPOTS = { probe: PROBE_AT, mark: MARK_AT };
/** Pictures that are smaller are not that of the display. */
const WIDTH = 1_920;
/** The shortest pause that a browser makes. */
const VIDEO_MS = 4;

const now = () => performance.timeOrigin + performance.now();
const report = (what: string, colour: number, at: number) =>
  reportToBench(JSON.stringify({ what, colour, at }));

const seen = new Map<string, number>();
function see(what: string, pixel: Iterable<number>, at: number): void {
  const colour = colourOf(pixel);
  if (seen.get(what) === colour) return;
  seen.set(what, colour);
  report(what, colour, at);
}

addEventListener("pointerdown", () => report("press", 0, now()), { capture: true });

const canvases = HTMLCanvasElement.prototype;
const { getContext } = canvases;
canvases.getContext = function (this: HTMLCanvasElement, kind: string, options?: object) {
  const readable = kind === "2d" ? { ...options, willReadFrequently: true } : options;
  return getContext.call(this, kind, readable);
} as typeof getContext;

/** What draws, and where: x, y, width and height from its arguments. */
const DRAWING: Readonly<Record<string, (args: readonly unknown[]) => readonly unknown[]>> = {
  fillRect: (args) => args,
  putImageData: ([image, x, y]) => [x, y, (image as ImageData).width, (image as ImageData).height],
  drawImage: (args) => args.length === 9 ? args.slice(5) : [...args.slice(1), Infinity, Infinity],
};
type Draw = (this: CanvasRenderingContext2D, ...args: unknown[]) => void;
const contexts = CanvasRenderingContext2D.prototype as unknown as Record<string, Draw>;
for (const [name, placeOf] of Object.entries(DRAWING)) {
  const draw = contexts[name]!;
  contexts[name] = function (...args) {
    draw.apply(this, args);
    if (!this.canvas.isConnected || this.canvas.width < WIDTH) return;
    const [left, top, width, height] = placeOf(args) as number[];
    for (const [what, { x, y }] of Object.entries(SPOTS)) {
      if (x < left! || x >= left! + width! || y < top! || y >= top! + height!) continue;
      see(what, this.getImageData(x, y, 1, 1).data, now());
    }
  };
}

const videos = document.getElementsByTagName("video");
let isReading = false;
setInterval(async () => {
  const video = [...videos].find(({ videoWidth, readyState }) =>
    videoWidth >= WIDTH && readyState >= HTMLMediaElement.HAVE_CURRENT_DATA
  );
  if (video === undefined || isReading) return;
  isReading = true;
  try {
    await readVideo(video);
  } finally {
    isReading = false;
  }
}, VIDEO_MS);

let last = -1;
async function readVideo(video: HTMLVideoElement): Promise<void> {
  const frame = new VideoFrame(video);
  const at = now();
  try {
    if (frame.timestamp === last) return;
    last = frame.timestamp;
    for (const [what, { x, y }] of Object.entries(SPOTS)) {
      const pixels = new Uint8Array(2 * 2 * 4); // its colours are shared by two by two
      await frame.copyTo(pixels, { rect: { x, y, width: 2, height: 2 }, format: "RGBA" });
      see(what, pixels, at);
    }
  } finally {
    frame.close();
  }
}
