/** Tasks of an inbox: in the words of its pages, and in those of many people. */

import { setTimeout as wait } from "node:timers/promises";
import { boxesOf, itemAt, partsOf, quotedIn, waitFor } from "./form_parts.ts";
import type { Hand, Line, Solver } from "./hand.ts";
import { findPressable, isIcon, pressableAround, textLines } from "./page_texts.ts";
import { type Box, type Color, isNear, middleOf } from "./regions.ts";
import { findSideBySide } from "./looks.ts";

type Order =
  | { readonly action: "delete"; readonly sender: string }
  | { readonly action: "star"; readonly sender: string }
  | { readonly action: "reply"; readonly sender: string; readonly message: string }
  | { readonly action: "forward"; readonly sender: string; readonly to: string };

const email: Solver = async (hand, { text }) => {
  const mails = mailsIn(await hand.lines());
  const order = readOrder(text, mails.map(({ sender }) => sender));
  const mail = mails.find(({ sender }) => sender === order.sender);
  if (!mail) throw new Error(`No mail from ${order.sender}`);
  if (order.action === "delete" || order.action === "star") {
    return await clickIcon(hand, mail, order.action);
  }
  await hand.click(mail.line);
  const isReply = order.action === "reply";
  const name = isReply ? /^Reply$/ : /^Forward$/;
  await hand.click(await waitFor(hand, "the mail", (lines) => findPressable(lines, name)[0]));
  const field = await waitFor(hand, "a mail to write", (lines) => boxesOf(lines)[0]);
  await hand.fill(field, isReply ? order.message : order.to);
  await send(hand);
};

interface Mail {
  readonly sender: string;
  /** What opens it. */
  readonly line: Line;
  /** To delete it, and to star it; none where icons have no refs. */
  readonly icons: readonly Line[];
}

/** Each mail in the inbox has three texts: by whom, on what, and how it begins. */
function mailsIn(lines: readonly Line[]): readonly Mail[] {
  const texts = textLines(lines);
  const start = texts.findIndex(({ name }) => name === "Primary") + 1;
  const end = texts.findIndex(({ name }) => name.startsWith("Last reward"));
  return texts.slice(start, end).filter((_, at) => at % 3 === 0).map((sender) => {
    const line = pressableAround(sender);
    return { sender: sender.name.trim(), line, icons: line.inside.filter(isIcon) };
  });
}

// What the task asks for.

function readOrder(task: string, senders: readonly string[]): Order {
  const message = quotedIn(task.replace(/""/g, '"')).find((text) => text.trim() !== "");
  const words = message === undefined ? task : task.replace(message, "");
  const named = namedIn(words, senders);
  const sender = itemAt(named, 0);
  if (message !== undefined) return { action: "reply", sender, message };
  const rest = named.reduce((text, name) => text.replaceAll(name, ""), words);
  if (/delete|remove|get rid|trash|throw away|recycl|don't want|out of my inbox/i.test(rest)) {
    return { action: "delete", sender };
  }
  if (/import|\bstar\b|\bmark(ed)?\b|\bflag\b/i.test(rest)) return { action: "star", sender };
  const other = named[1];
  if (other === undefined) {
    const [to = ""] = partsOf(words, /forward that email to (.+)\.$/);
    return { action: "forward", sender, to };
  }
  return isSender(words, sender, other)
    ? { action: "forward", sender, to: other }
    : { action: "forward", sender: other, to: sender };
}

/** Which of the senders occur, the longest names first: others can be parts of them. */
function namedIn(task: string, senders: readonly string[]): readonly string[] {
  let rest = task;
  const named = [...new Set(senders)].sort((one, other) => other.length - one.length)
    .filter((name) => {
      const whole = new RegExp(`(?<![\\w-])${name}(?=s?(?![\\w-]))`);
      const isIn = whole.test(rest);
      rest = rest.replace(whole, "");
      return isIn;
    });
  return named.length > 0 ? named : senders.filter((name) => task.includes(name));
}

/** Who of two has sent the mail: it shall not go to them, or "from", "by" or "'s email" stands at the name. */
function isSender(task: string, one: string, other: string): boolean {
  const goesTo = (name: string) => new RegExp(`\\bto ${name}\\b`).test(task);
  if (goesTo(one) !== goesTo(other)) return goesTo(other);
  const weigh = (name: string) => {
    if (new RegExp(`\\b(from|by) ${name}\\b`).test(task)) return 2;
    const owns = new RegExp(`\\b${name}('?s (\\w+ )?(e-?mail|message)| sent| wrote| e-?mail)`, "i");
    return owns.test(task) ? 1 : 0;
  };
  return weigh(one) > weigh(other);
}

// The icons: where they have no refs, they are looked for in the bar at the top of the page.

/** Left of the scroll bar of an open mail. */
const MAIL_BAR: Box = { left: 90, top: 54, right: 141, bottom: 71 };
const SEND_BAR: Box = { ...MAIL_BAR, right: 158 };
const BAR_RED = [0xf9, 0x25, 0x25] as const;
const WHITE = [255, 255, 255] as const;
/** How long the page may take to load its icons, in milliseconds. */
const ICONS_MS = 200;

async function clickIcon(hand: Hand, mail: Mail, action: "delete" | "star"): Promise<void> {
  const place = action === "delete" ? 0 : 1;
  if (mail.icons.length > 0) return await hand.click(itemAt(mail.icons, place));
  await hand.click(mail.line);
  await waitFor(hand, "the mail", (lines) => findPressable(lines, /^Reply$/)[0]);
  await wait(ICONS_MS);
  const icons = findSideBySide(
    await hand.picture(),
    MAIL_BAR,
    (color) => !isNear(color, BAR_RED, 10),
    1,
  );
  await hand.click(middleOf(itemAt(icons.toReversed(), place)));
}

/** The icon for it is the last one of the bar. */
async function send(hand: Hand): Promise<void> {
  await wait(ICONS_MS);
  const icon = (await hand.lines()).findLast(isIcon);
  if (icon) return await hand.click(icon);
  const isInk = (color: Color) => !isNear(color, WHITE, 10);
  const icons = findSideBySide(await hand.picture(), SEND_BAR, isInk, 3);
  await hand.click(middleOf(itemAt(icons.toReversed(), 0)));
}

export const EMAIL_SOLVERS: Readonly<Record<string, Solver>> = {
  "email-inbox": email,
  "email-inbox-delete": email,
  "email-inbox-forward": email,
  "email-inbox-forward-nl": email,
  "email-inbox-forward-nl-turk": email,
  "email-inbox-important": email,
  "email-inbox-nl-turk": email,
  "email-inbox-noscroll": email,
  "email-inbox-reply": email,
  "email-inbox-star-reply": email,
};
