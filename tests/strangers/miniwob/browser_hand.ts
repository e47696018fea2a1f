/** A hand of the operations `browser/*` alone. */

import type { Service } from "../../support/service.ts";
import { type Hand, isLine, parseLines, type Point, readPng, type Target } from "./hand.ts";

export function browserHand(service: Service): Hand {
  const call = (name: string, body: object) => service.call(`/api/browser/${name}`, body);
  const pointer = (action: string) => async (target: Target) =>
    void await call("pointer", { action, ...toPosition(target) });
  return {
    async lines() {
      const { text } = await call("snapshot", { filter: "all" }) as { text: string };
      return parseLines(text);
    },
    async picture(part) {
      const response = await service.send("/api/browser/screenshot", { ...part });
      return readPng(new Uint8Array(await response.arrayBuffer()));
    },
    async click(target, { times = 1, modifiers = [] } = {}) {
      await call("click", { ...toPosition(target), click_count: times, modifiers });
    },
    move: pointer("move"),
    down: pointer("down"),
    up: pointer("up"),
    async drag(path) {
      await call("drag", { path });
    },
    async scroll(target, clicks) {
      await call("scroll", { ...toPosition(target), clicks });
    },
    async type(text) {
      await call("type", { text });
    },
    async key(key, repeat = 1) {
      await call("key", { key, repeat });
    },
    async fill({ ref }, value) {
      await call("fill", { ref, value });
    },
  };
}

function toPosition(target: Target): { readonly ref: string } | Point {
  if (!isLine(target)) return { x: target.x, y: target.y };
  if (target.ref === undefined) throw new Error(`A text has no ref: ${target.name}`);
  return { ref: target.ref };
}
