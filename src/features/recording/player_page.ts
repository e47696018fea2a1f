/** The page that plays a recording: its beginning, after which a script per picture follows. */

import type { Size } from "../../platform/types/mod.ts";

/** What the page may do: run its own scripts, with no access to the service that sent it. */
export const PLAYER_POLICY = "sandbox allow-scripts; default-src 'none'; img-src data:; " +
  "script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/** Ends before the calls of `frame(atMs, webp)`, `chapter(atMs, title)` and `end(atMs)`. */
export function playerPage({ width, height }: Size): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Recording</title>
<style>
body { margin: 1rem; font: 1rem system-ui, sans-serif; color-scheme: light dark; }
img { display: block; max-width: 100%; background: black; }
#controls { display: flex; gap: .5rem; align-items: center; margin: .5rem 0; max-width: ${width}px; }
#seek { flex: 1; }
</style>
</head>
<body>
<img id="screen" width="${width}" height="${height}" alt="The recorded display">
<div id="controls">
<button id="play" type="button">Play</button>
<input id="seek" type="range" min="0" max="0" value="0" step="1" aria-label="Position">
<output id="time">0:00.0</output>
<select id="speed" aria-label="Speed">
<option value="1">1x</option><option value="2">2x</option><option value="8">8x</option>
</select>
</div>
<ol id="chapters"></ol>
<script>
"use strict";
const frames = [];
let length = 0, position = 0, shown, playing = false, last;
const part = (id) => document.getElementById(id);
function frame(at, webp) { frames.push({ at, webp }); end(at); }
function end(at) { length = Math.max(length, at); part("seek").max = length; show(position); }
function chapter(at, title) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = clock(at) + " " + title;
  button.onclick = () => show(at);
  const item = document.createElement("li");
  item.append(button);
  part("chapters").append(item);
}
function clock(ms) {
  return Math.floor(ms / 60000) + ":" + (ms % 60000 / 1000).toFixed(1).padStart(4, "0");
}
function frameAt(at) {
  let low = 0, high = frames.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (frames[middle].at <= at) low = middle; else high = middle - 1;
  }
  return frames[low];
}
function show(at) {
  position = Math.min(Math.max(0, at), length);
  const now = frameAt(position);
  if (now !== undefined && now !== shown) part("screen").src = "data:image/webp;base64," + now.webp;
  shown = now;
  part("seek").value = position;
  part("time").textContent = clock(position) + " / " + clock(length);
}
function step(time) {
  if (!playing) return;
  show(position + (time - (last ?? time)) * Number(part("speed").value));
  last = time;
  if (position >= length) return play(false);
  requestAnimationFrame(step);
}
function play(on) {
  playing = on;
  last = undefined;
  part("play").textContent = on ? "Pause" : "Play";
  if (on && position >= length) show(0);
  if (on) requestAnimationFrame(step);
}
part("play").onclick = () => play(!playing);
part("seek").oninput = (event) => show(Number(event.target.value));
</script>
`;
}
