/**
 * A trajectory as one page that a person opens and steps through: it asks for nothing, and everything
 * that programs have said is text to it.
 */

import { createHash } from "node:crypto";
import { describePlace, type KeptTrajectory } from "./step.ts";

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: 20rem 1fr; height: 100vh; }
nav { overflow: auto; border-right: 1px solid #8884; }
ol { list-style: none; margin: 0; padding: 0; }
button { font: inherit; cursor: pointer; }
ol button { width: 100%; text-align: left; border: 0; background: none; color: inherit; padding: .4rem .8rem; }
ol button[aria-current] { background: #2563eb; color: #fff; }
.failed { text-decoration: underline wavy #c62828; }
main { overflow: auto; padding: 1rem; }
.screens { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
figure { margin: 0; position: relative; }
img { width: 100%; border: 1px solid #8884; }
.mark { position: absolute; width: 16px; height: 16px; margin: -8px 0 0 -8px; border: 2px solid #c62828; border-radius: 50%; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8882; padding: .8rem; }
`;

const SCRIPT = `
"use strict";
const { info, steps } = JSON.parse(document.getElementById("trajectory").textContent);
const pictures = (id) => document.getElementById("picture-" + id)?.textContent;
const list = document.querySelector("ol"), main = document.querySelector("main");
const make = (tag, text, parent) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
};
let current = 0;
const show = (index) => {
  current = Math.max(0, Math.min(steps.length - 1, index));
  [...list.children].forEach((item, at) => {
    if (at === current) item.firstChild.setAttribute("aria-current", "step");
    else item.firstChild.removeAttribute("aria-current");
  });
  list.children[current]?.scrollIntoView({ block: "nearest" });
  const step = steps[current];
  main.replaceChildren();
  if (step === undefined) return void make("p", "There is no step.", main);
  make("h1", step.number + ". " + step.title, main);
  make("p", step.started_at + ", " + step.duration_ms + " ms, " + step.outcome + ", " + step.actor, main);
  const screens = make("div", undefined, main);
  screens.className = "screens";
  for (const when of ["before", "after"]) {
    const data = pictures(step.pictures[when]);
    if (data === undefined) continue;
    const figure = make("figure", undefined, screens);
    const image = make("img", undefined, figure);
    image.alt = when;
    image.src = "data:image/jpeg;base64," + data;
    make("figcaption", when, figure);
    const point = Object.values(step.targets).find((target) => target.point)?.point;
    if (when !== "before" || point === undefined) continue;
    const mark = make("span", undefined, figure);
    mark.className = "mark";
    const place = () => {
      mark.style.left = point.x / info.size.width * image.clientWidth + "px";
      mark.style.top = point.y / info.size.height * image.clientHeight + "px";
    };
    image.onload = place;
    addEventListener("resize", place);
  }
  make("pre", JSON.stringify({ fields: step.fields, targets: step.targets, effect: step.effect }, null, 2), main);
};
steps.forEach((step, index) => {
  const button = make("button", step.number + ". " + step.title, make("li", undefined, list));
  if (step.outcome !== "done") button.className = "failed";
  button.onclick = () => show(index);
});
addEventListener("keydown", ({ key }) => {
  if (key === "ArrowDown" || key === "ArrowRight") show(current + 1);
  if (key === "ArrowUp" || key === "ArrowLeft") show(current - 1);
});
show(0);
`;

/** In parts, since the pictures are large. */
export function* writePage({ info, steps }: KeptTrajectory): Iterable<string> {
  const policy = [
    "default-src 'none'",
    "img-src data:",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const ids = new Map<Uint8Array, number>();
  const idOf = (picture: Uint8Array | undefined) => picture && ids.getOrInsert(picture, ids.size);
  const shown = steps.map(({ before, after, ...step }) => ({
    ...step,
    title: `${step.operation} ${describePlace(step) ?? ""}`.trimEnd(),
    pictures: { before: idOf(before.picture), after: idOf(after.picture) },
  }));
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>Trajectory ${info.id}</title>
<style>${STYLE}</style>
</head>
<body>
<nav><ol></ol></nav>
<main></main>
`;
  for (const [picture, id] of ids) {
    yield `<script type="application/octet-stream" id="picture-${id}">${picture.toBase64()}</script>\n`;
  }
  yield `<script type="application/json" id="trajectory">`;
  for (const part of jsonWithSteps({ info }, shown)) yield escapeJson(part);
  yield `</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** Of an object that has something beside its `steps`, one part for each step: all at once would hold up others. */
export function* jsonWithSteps(beside: object, steps: readonly object[]): Generator<string, void> {
  yield `${JSON.stringify(beside).slice(0, -1)},"steps":[`;
  for (const [at, step] of steps.entries()) yield `${at === 0 ? "" : ","}\n${JSON.stringify(step)}`;
  yield "\n]}\n";
}

/** JSON in which nothing ends the element around it, or begins a comment. */
function escapeJson(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
