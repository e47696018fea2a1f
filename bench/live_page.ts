/** The page of the bench of the live picture: draws it as the console does, and tells when the probe changes. */

/// <reference lib="dom" />

import { decodeMessage, type Surface } from "../src/console/page/picture.ts";
import { colourOf, PROBE_AT } from "./live_probe.ts";

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true })!;
const socket = new WebSocket(`ws://${location.host}/socket`);
socket.binaryType = "arraybuffer";

const surface: Surface = {
  put(x, y, width, _height, rgba) {
    const pixels = rgba as Uint8ClampedArray<ArrayBuffer>;
    context.putImageData(new ImageData(pixels, width), x, y);
  },
  draw: (x, y, width, height, picture) =>
    context.drawImage(picture as ImageBitmap, x, y, width, height),
  copy: (x, y, width, height, dx, dy) =>
    context.drawImage(canvas, x + dx, y + dy, width, height, x, y, width, height),
};
const decodeFile = (bytes: Uint8Array) =>
  createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/jpeg" }));

let drawing = Promise.resolve();
let last = -1;
socket.onmessage = ({ data }) => {
  if (typeof data === "string") {
    const note = JSON.parse(data);
    if (note.kind !== "size") return;
    canvas.width = note.width;
    canvas.height = note.height;
    return;
  }
  const decoding = decodeMessage(data, decodeFile);
  drawing = drawing.then(async () => {
    const decoded = await decoding;
    decoded.drawOn(surface);
    const probe = colourOf(context.getImageData(PROBE_AT.x, PROBE_AT.y, 1, 1).data);
    const now = performance.timeOrigin + performance.now();
    if (probe !== last) socket.send(JSON.stringify({ probe, now }));
    last = probe;
    socket.send(Uint32Array.of(decoded.id));
  });
};
