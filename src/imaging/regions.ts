/** Arithmetic on regions: intersection, difference, and joining of regions that touch. */

import type { Region } from "../core/geometry.ts";

/** The smallest region that contains all of these; requires at least one. */
export function boxAround(areas: readonly Region[]): Region {
  const x = Math.min(...areas.map((area) => area.x));
  const y = Math.min(...areas.map((area) => area.y));
  const right = Math.max(...areas.map((area) => area.x + area.width));
  const bottom = Math.max(...areas.map((area) => area.y + area.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** `undefined` if they do not overlap. */
export function overlap(a: Region, b: Region): Region | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

export function contains(outer: Region, inner: Region): boolean {
  return outer.x <= inner.x && inner.x + inner.width <= outer.x + outer.width &&
    outer.y <= inner.y && inner.y + inner.height <= outer.y + outer.height;
}

/** The parts of an area that remain when holes are cut out of it. */
export function without(area: Region, holes: readonly Region[]): Region[] {
  return holes.reduce((parts, hole) => parts.flatMap((part) => cut(part, hole)), [area]);
}

function cut(area: Region, hole: Region): Region[] {
  const common = overlap(area, hole);
  if (common === undefined) return [area];
  const { x, y, width, height } = common;
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  const parts = [
    { ...area, height: y - area.y },
    { ...area, y: y + height, height: bottom - y - height },
    { x: area.x, y, width: x - area.x, height },
    { x: x + width, y, width: right - x - width, height },
  ];
  return parts.filter((part) => part.width > 0 && part.height > 0);
}

/** Joins areas that touch: one line of text is reported as many areas. */
export function joinAreas(areas: readonly Region[]): Region[] {
  const groups: Region[] = [];
  for (const area of areas) {
    let box = area;
    for (let i = groups.findIndex((group) => touch(group, box)); i >= 0;) {
      box = boxAround([box, ...groups.splice(i, 1)]);
      i = groups.findIndex((group) => touch(group, box));
    }
    groups.push(box);
  }
  return groups;
}

function touch(a: Region, b: Region): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width &&
    a.y <= b.y + b.height && b.y <= a.y + a.height;
}
