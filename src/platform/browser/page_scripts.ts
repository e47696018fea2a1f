/** The scripts that run in pages, and how their sources are made. */

import { cutRawText } from "../../core/texts.ts";

/** What is at a point of the viewport, and whether that belongs to `element`. */
const HIT = `
  const deepest = (x, y) => {
    let hit = element.getRootNode().elementFromPoint(x, y); // sees into a closed shadow root, too
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const isInside = (hit) => {
    for (let at = hit; at; at = at.assignedSlot ?? at.parentNode ?? at.host)
      if (at === element) return true;
    const label = hit?.closest?.("label");
    return label != null && (label.control === element || label.contains(element));
  };
  const describe = (hit) => {
    if (!hit?.tagName) return "nothing that can be clicked";
    const tag = hit.tagName.toLowerCase();
    const isNamed = typeof hit.id === "string" && hit.id !== ""; // a form gives its field "id" instead
    const name = isNamed ? tag + "#" + hit.id : tag;
    return name.length <= 80 ? name : tag.length <= 80 ? tag : "…";
  };
`;

/** Waits until what `read` gives stays the same: a turn of the wheel can still be under way. */
const SETTLE = `
  const settle = async (read) => {
    let last = "";
    for (let tries = 0; tries < 50; tries++) {
      const now = JSON.stringify(read());
      if (now === last) break;
      last = now;
      await new Promise((next) => { requestAnimationFrame(next); setTimeout(next, 50); });
    }
    return read();
  };
`;

/**
 * Scrolls the element into view. Gives its part in the viewport of its frame and the points at which
 * it can be hit, or why there are none.
 */
export const REVEAL = `async function () {
  if (!this.isConnected) return { refusal: "gone" };
  const element = this.nodeType === 1 ? this : this.parentElement ?? this.documentElement;
  if (!element) return { refusal: "gone" };
  const clip = ({ left, top, right, bottom }) => ({
    left: Math.max(0, left), top: Math.max(0, top),
    right: Math.min(innerWidth, right), bottom: Math.min(innerHeight, bottom),
  });
  ${HIT}
  const findPoint = () => {
    const rects = [...element.getClientRects()].map(clip)
      .filter(({ left, top, right, bottom }) => right - left >= 1 && bottom - top >= 1);
    if (rects.length === 0) return {};
    const area = rects.reduce((a, b) =>
      (b.right - b.left) * (b.bottom - b.top) > (a.right - a.left) * (a.bottom - a.top) ? b : a);
    let cover;
    for (const [fx, fy] of [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75], [.1, .1], [.9, .9]]) {
      const x = area.left + (area.right - area.left) * fx;
      const y = area.top + (area.bottom - area.top) * fy;
      const hit = deepest(x, y);
      if (isInside(hit)) return { area, point: { x, y } };
      cover ??= hit;
    }
    return { area, cover };
  };
  const inView = ({ x, y, width, height }) =>
    x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
  ${SETTLE}
  const isPartlyVisible = ({ left, top, right, bottom }) =>
    right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  let scrolled = false;
  for (let tries = 0; tries < 3; tries++) {
    // in the viewport, but perhaps outside what a box that scrolls shows of its content
    if (!inView(element.getBoundingClientRect()) || tries === 0 && !findPoint().point) {
      scrolled = true;
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    }
    await settle(() => element.getBoundingClientRect()); // it can be taken out of view again meanwhile
    if (isPartlyVisible(element.getBoundingClientRect())) break;
  }
  const { area, point, cover } = findPoint();
  if (!area) return { refusal: "hidden" };
  if (!point) return { refusal: "covered", by: describe(cover) };
  const { left, top, right, bottom } = area;
  const region = { x: left, y: top, width: right - left, height: bottom - top };
  return { area: region, point, scrolled, width: innerWidth, height: innerHeight };
}`;

/**
 * The position of a point of a frame's content in the page around it, and whether it hits the frame
 * there. The frame can be scaled: the size of its viewport, as its own scripts see it, says how much.
 */
export const FRAME_POSITION = `async function (x, y, width, height) {
  const px = parseFloat;
  const locate = () => {
    const box = this.getBoundingClientRect();
    const style = getComputedStyle(this);
    const zoom = { x: box.width / this.offsetWidth, y: box.height / this.offsetHeight };
    const [left, top] = [px(style.paddingLeft), px(style.paddingTop)];
    const across = this.clientWidth - left - px(style.paddingRight);
    const down = this.clientHeight - top - px(style.paddingBottom);
    const scale = { x: across * zoom.x / width, y: down * zoom.y / height };
    const origin = {
      x: box.left + (this.clientLeft + left) * zoom.x,
      y: box.top + (this.clientTop + top) * zoom.y,
    };
    return { origin, scale, point: { x: origin.x + x * scale.x, y: origin.y + y * scale.y } };
  };
  const isVisible = ({ point }) =>
    point.x >= 0 && point.y >= 0 && point.x < innerWidth && point.y < innerHeight;
  for (let each = this; each; each = each.assignedSlot ?? each.parentElement ?? each.getRootNode().host) {
    const { transform, rotate, scale } = getComputedStyle(each);
    const { a, b, c, d, m13, m14, m23, m24, m34 } = new DOMMatrix(transform);
    const isTurned = [b, c, m13, m14, m23, m24, m34].some((part) => Math.abs(part) > 1e-6);
    const isMirrored = a <= 0 || d <= 0 || scale.includes("-");
    if (isTurned || isMirrored || rotate !== "none") return { refusal: "turned" };
  }
  ${SETTLE}
  let position = await settle(locate);
  let scrolled = false;
  for (let tries = 0; tries < 3 && !isVisible(position); tries++) {
    scrolled = true;
    this.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { point } = locate(); // a frame can be larger than what shows
    if (!isVisible({ point })) {
      scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: "instant" });
    }
    position = await settle(locate);
  }
  const isHit = this.getRootNode().elementFromPoint(position.point.x, position.point.y) === this;
  return { ...position, scrolled, refusal: isHit ? undefined : "covered", width: innerWidth, height: innerHeight };
}`;

/** Where the viewport is on the screen, in DIP, as far as a page knows. */
export const WINDOW_POSITION =
  `({ screenX, screenY, outerWidth, outerHeight, innerWidth, innerHeight, devicePixelRatio,
  title: document.title })`;

export const FOCUS = `function () {
  if (!this.isConnected) return false;
  this.focus?.({ preventScroll: true });
  const active = this.getRootNode().activeElement;
  return active === this || this.contains?.(active) === true;
}`;

/**
 * Whether the browser has given the keyboard to this document, and the document to this element, or
 * to a part of it. A shadow root reports its own part of the path only.
 */
export const HAS_FOCUS = `function () {
  const element = this.nodeType === 1 ? this : this.parentElement;
  if (!element?.isConnected || !document.hasFocus()) return false;
  const active = element.getRootNode().activeElement;
  return active != null && (active === element || element.contains(active));
}`;

/**
 * Notes the next trusted move of the mouse over the element, for some seconds. The window handles it
 * first, so that no listener of the page keeps it away; the element gets what a closed root hides.
 */
export const WATCH_MOUSE = `function () {
  const element = this.nodeType === 1 ? this : this.parentElement ?? this.documentElement;
  globalThis.mouseWatch?.stop();
  const listening = new AbortController();
  const stop = () => listening.abort();
  const watch = { element, seen: false, at: undefined, notify: () => {}, stop };
  ${HIT}
  const handle = (event) => {
    const isOwn = event.currentTarget === element || isInside(event.composedPath()[0]);
    if (!event.isTrusted || !isOwn) return;
    watch.seen = true;
    // a raw event has another position in a frame that is scaled
    if (event.type !== "pointerrawupdate") watch.at = { x: event.clientX, y: event.clientY };
    if (watch.at) stop();
    watch.notify();
  };
  const types = ["pointerrawupdate", "pointermove", "mousemove"];
  const options = { capture: true, passive: true, signal: listening.signal };
  for (const at of [window, element]) for (const type of types) at.addEventListener(type, handle, options);
  setTimeout(stop, 20_000);
  globalThis.mouseWatch = watch;
}`;

/**
 * The next frame shows what the page has made of the move: whether the element is still at this point
 * of its viewport. If so, it listens for the press that comes then, and keeps one of another element
 * from that. Gives what is there in place of the element, or null.
 */
const AIM = `
  const aim = async (element, findPoint) => {
    ${HIT}
    await new Promise((next) => { requestAnimationFrame(() => setTimeout(next)); setTimeout(next, 200); });
    const at = findPoint(); // a page can keep it from us, but not what the mouse is over
    const hit = at && element.isConnected ? deepest(at.x, at.y) : null;
    if (at ? !isInside(hit) : !element.matches(":hover")) return describe(hit);
    globalThis.pressWatch?.stop();
    const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
    const listening = new AbortController();
    const stop = () => listening.abort();
    const watch = { target: undefined, notify: () => {}, stop };
    const handle = (event) => {
      if (!event.isTrusted) return;
      const hit = event.composedPath()[0];
      if (watch.target === undefined && event.type.endsWith("down")) {
        let host = element.getRootNode().host; // a closed root shows as its host only
        while (host && host !== hit) host = host.getRootNode().host;
        const isOwn = isInside(hit) || host != null && isInside(deepest(event.clientX, event.clientY));
        watch.target = isOwn ? null : describe(hit);
        watch.notify();
      }
      if (watch.target === null) stop();
      if (watch.target == null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const options = { capture: true, passive: false, signal: listening.signal };
    for (const type of types) window.addEventListener(type, handle, options);
    setTimeout(stop, 2_000);
    globalThis.pressWatch = watch;
    return null;
  };
`;

export const AIM_AT = `async function (x, y) {
  ${AIM}
  return await aim(this.nodeType === 1 ? this : this.parentElement ?? this.documentElement, () => ({ x, y }));
}`;

/** What else has got the press since then, within the time; null where nothing else has. */
export const SAW_PRESS = `async function (ms) {
  const watch = globalThis.pressWatch;
  if (watch === undefined) return null;
  if (watch.target === undefined) {
    await new Promise((resolve) => {
      watch.notify = resolve;
      setTimeout(resolve, ms);
    });
  }
  return watch.target ?? null;
}`;

/**
 * Whether that move has come, or comes within the time, and before a press, what else is there then.
 * Where a page keeps all its events from us, the browser still says what the mouse is over: after some
 * moves, so that it is no old answer.
 */
export const SAW_MOUSE = `async function (ms, isLast, isAiming) {
  ${AIM}
  const watch = globalThis.mouseWatch;
  if (watch === undefined) return { seen: false };
  if (!watch.seen) {
    await new Promise((resolve) => {
      watch.notify = resolve;
      setTimeout(() => requestAnimationFrame(() => setTimeout(resolve)), ms);
    });
  }
  const seen = watch.seen || isLast && watch.element.matches(":hover");
  return { seen, cover: seen && isAiming ? await aim(watch.element, () => watch.at) : null };
}`;

// Bounds what pages say where it enters: their texts can have many megabytes.

const MAX_TEXT = 16 * 1024;

export function cut(text: string): string {
  return cutRawText(text.toWellFormed(), MAX_TEXT);
}

// Which browser is used: one that is started for the service alone, or one at an address.

export type BrowserSource =
  | {
    readonly kind: "own";
    readonly program: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** Where it starts, if not in the folder of the service. */
    readonly cwd?: string | undefined;
    /** What the first tab shows. */
    readonly url: string;
    /** Where it is recorded. */
    readonly stateDirs: readonly string[];
  }
  | { readonly kind: "address"; readonly address: string; readonly stateDirs: readonly string[] };
