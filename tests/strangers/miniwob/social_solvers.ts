/** Tasks of posts: their icons, and the menu that one of them opens. */

import { setTimeout as wait } from "node:timers/promises";
import { itemAt, partsOf, press, waitFor } from "./form_parts.ts";
import type { Hand, Line, PagePicture, Point, Solver } from "./hand.ts";
import { findPressable, isIcon } from "./page_texts.ts";
import { type Box, type Color, isNear, middleOf } from "./regions.ts";
import { findRules, findSideBySide } from "./looks.ts";
import { type ScrolledBox, unroll } from "./scrolled_box.ts";

/** The icons of a post, from left to right; the last one shares it or opens a menu. */
const ICONS: readonly string[] = ["Reply", "Retweet", "Like", "Share"];
const LAST_ICON = ICONS.length - 1;
const HOVER_MS = 600;

interface Post {
  readonly user: string;
  /** None where they have no refs. */
  readonly icons: readonly Line[];
}

/** The first user is that of the task. */
function postsIn(lines: readonly Line[]): readonly Post[] {
  const posts: { user: string; icons: Line[] }[] = [];
  for (const line of lines) {
    const text = line.inside.length === 0 ? line.name.trim() : "";
    if (/^@\S+$/.test(text)) posts.push({ user: text, icons: [] });
    else if (isIcon(line)) posts.at(-1)?.icons.push(line);
  }
  return posts.slice(1);
}

/** 'Click the "Like" button on 2 posts by @riley and then click Submit.', or on all of them. */
const clickOnPosts: Solver = async (hand, { text }) => {
  const [icon = "", count = "", user] = partsOf(text, /the "(.+)" button on (\w+) posts? by (\S+)/);
  const posts = postsIn(await hand.lines());
  const wanted = [...posts.keys()].filter((at) => posts[at]?.user === user);
  const click = clickerOf(hand, posts);
  for (const at of count === "all" ? wanted : wanted.slice(0, Number(count))) {
    await click(at, ICONS.indexOf(icon));
  }
  await press(hand, "Submit");
};

/** 'For the user @riley, click on the "Mute" button.' */
const clickOnPost: Solver = async (hand, { text }) => {
  const [user = "", name = ""] = partsOf(text, /the user (\S+), click on the "(.+)" button/);
  const posts = postsIn(await hand.lines());
  const at = posts.findIndex((post) => post.user === user);
  const click = clickerOf(hand, posts);
  if (ICONS.includes(name)) return await click(at, ICONS.indexOf(name));
  const entry = new RegExp(`^${name}( @|$)`);
  const before = findPressable(await hand.lines(), entry); // that of the task
  await click(at, LAST_ICON);
  const line = await waitFor(
    hand,
    "the menu",
    (lines) => findPressable(lines, entry)[before.length],
  );
  await hand.click(line);
};

function clickerOf(hand: Hand, posts: readonly Post[]) {
  let box: ScrolledBox | undefined;
  return async (at: number, icon: number): Promise<void> => {
    const { icons } = itemAt(posts, at);
    if (icons.length > 0) return await hand.click(itemAt(icons, icon));
    box ??= await unroll(hand, POSTS);
    const point = await box.show(itemAt(itemAt(iconsIn(box.picture), at), icon));
    await hand.move(point);
    await wait(HOVER_MS); // the icon is another one under the mouse, which takes no click until it is loaded
    await hand.click(point);
  };
}

// Posts without refs, by their looks.

/** They scroll here, left of their scroll bar. */
const POSTS: Box = { left: 0, top: 50, right: 140, bottom: 204 };
const INSIDE = { left: 8, right: 135 } as const;
/** Icons are so high, and so far apart. */
const ICON_HEIGHT = 17;
const ICON_GAP = 6;

const isInk = (color: Color) => !isNear(color, [255, 255, 255], 16);

/** Where each post has its icons. */
function iconsIn(picture: PagePicture): readonly (readonly Point[])[] {
  const within = { ...INSIDE, top: 0, bottom: picture.height };
  const rules = findRules(picture, within, (color) => isNear(color, [0xe1, 0xe8, 0xed], 3));
  const rows = rules.slice(1).map(({ top }) => ({
    ...INSIDE,
    top: top - ICON_HEIGHT,
    bottom: top - 1,
  }));
  // letters can lie among those of one post, but icons have the same columns in all
  const columns = rows.map((row) => findSideBySide(picture, row, isInk, ICON_GAP))
    .find(({ length }) => length === ICONS.length) ?? [];
  return rows.map((row) =>
    columns.map((column) => ({ x: middleOf(column).x, y: middleOf(row).y }))
  );
}

export const SOCIAL_SOLVERS: Readonly<Record<string, Solver>> = {
  "social-media": clickOnPost,
  "social-media-all": clickOnPosts,
  "social-media-some": clickOnPosts,
};
