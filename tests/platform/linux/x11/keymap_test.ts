/** The keyboard map of real servers and what it says about symbols, and synthetic maps for the rare rules. */

import { expect } from "expect";
import type { Xkb } from "../../../../src/platform/linux/x11/client.ts";
import { X11Connection } from "../../../../src/platform/linux/x11/connection.ts";
import { Keymap } from "../../../../src/platform/linux/x11/keymap.ts";
import {
  getXkbMap,
  type KeyType,
  type XkbMap,
} from "../../../../src/platform/linux/x11/xkb_map.ts";
import { setLayout } from "../../../support/desktop.ts";
import { TestX } from "../../../support/x_client.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const SHIFT = 1;
const NUM_LOCK = 0x10;
const ALTGR = 0x80;
const NONE: ReadonlySet<number> = new Set();
const PLAIN = { group: 0, locked: 0, scratch: NONE };

async function mapOf(display: string): Promise<XkbMap> {
  using connection = await X11Connection.open(display);
  const { client } = connection;
  const xkb = await connection.call<Xkb>((done) => client.require("xkb", done as never));
  return await getXkbMap(connection, xkb);
}

Deno.test("getXkbMap() reads the same symbols as the core protocol tells, on every layout", async () => {
  await using server = await startXvfb();
  using x = await TestX.open(server.display);
  for (const layout of [["us"], ["de"], ["fr"], ["ru"], ["us", "intl"], ["us,ru"], ["jp"]]) {
    await setLayout(server.display, layout);
    const { keys } = await mapOf(server.display);
    const core = await x.keyboardMapping();
    expect(keys.length).toBe(core.length);
    for (const { keycode, groups } of keys) {
      const symbols = core[keycode - x.setup.min_keycode]!;
      groups.slice(0, 2).forEach(({ keysyms }, group) => {
        const wanted = [symbols[2 * group], symbols[2 * group + 1]].slice(0, keysyms.length);
        expect({ layout, keycode, group, keysyms: keysyms.slice(0, 2) })
          .toEqual({ layout, keycode, group, keysyms: wanted.slice(0, 2) });
      });
    }
  }
});

/** Characters of a layout: the symbol at which a key of the US layout stands, and the modifiers. */
const ON_LAYOUT: Record<string, Record<string, readonly [usKey: string, mods: number]>> = {
  us: { a: ["a", 0], A: ["a", SHIFT], "@": ["2", SHIFT], " ": [" ", 0] },
  de: {
    z: ["y", 0],
    y: ["z", 0],
    ö: [";", 0],
    Ö: [";", SHIFT],
    "@": ["q", ALTGR],
    "€": ["e", ALTGR],
  },
  fr: { a: ["q", 0], "1": ["1", SHIFT], é: ["2", 0], "~": ["2", ALTGR] },
  ru: { ф: ["a", 0], Ф: ["a", SHIFT] },
};

Deno.test("Keymap finds the key and the modifiers of characters on the layout", async () => {
  await using server = await startXvfb();
  using x = await TestX.open(server.display);
  await setLayout(server.display, ["us"]);
  const usKeys = new Map<string, number>();
  for (const key of "abcdefghijklmnopqrstuvwxyz1234567890-=[];', ./\\`".replace(" ", "") + " ") {
    usKeys.set(key, await x.keycodeOf(key.charCodeAt(0)));
  }
  for (const [layout, characters] of Object.entries(ON_LAYOUT)) {
    await setLayout(server.display, [layout]);
    const keymap = new Keymap(await mapOf(server.display), PLAIN);
    for (const [character, [usKey, mods]] of Object.entries(characters)) {
      const codePoint = character.codePointAt(0)!;
      const keysym = codePoint < 0x100 ? codePoint : 0x01000000 + codePoint;
      expect({ layout, character, stroke: keymap.find(keysym) })
        .toEqual({ layout, character, stroke: { keycode: usKeys.get(usKey), mods } });
    }
    expect(keymap.find(0x01006f22)).toBe(undefined);
  }
});

Deno.test("Keymap takes no dead key for the character that it is drawn with", async () => {
  await using server = await startXvfb();
  await setLayout(server.display, ["us", "intl"]);
  const keymap = new Keymap(await mapOf(server.display), PLAIN);
  for (const dead of [0xfe51, 0xfe57]) expect(keymap.find(dead)).toBeDefined();
  const apostrophe = keymap.find(0x27);
  expect(apostrophe).not.toEqual(keymap.find(0xfe51));
});

const TWO_LEVEL: KeyType = { mask: SHIFT, entries: [{ mods: SHIFT, level: 1 }] };
const KEYPAD: KeyType = {
  mask: SHIFT | NUM_LOCK,
  entries: [{ mods: SHIFT, level: 1 }, { mods: NUM_LOCK, level: 1 }],
};

function key(
  keycode: number,
  groups: readonly (readonly number[])[],
  groupInfo = 0,
  type = TWO_LEVEL,
) {
  return { keycode, groupInfo, groups: groups.map((keysyms) => ({ type, keysyms })) };
}

const SHIFT_KEY = key(50, [[0xffe1]]);
const MODIFIERS = new Map([[50, SHIFT], [77, NUM_LOCK]]);

Deno.test("Keymap takes the group that is active, and the key's rule where it has no such group", () => {
  const map: XkbMap = {
    keys: [
      SHIFT_KEY,
      key(10, [[0x61], [0x62]]),
      key(11, [[0x63], [0x64]], 0x00), // wrap
      key(12, [[0x65], [0x66]], 0x40), // clamp
      key(13, [[0x67], [0x68]], 0x80), // redirect to the first
      key(14, [[0x69]]),
    ],
    modifiers: MODIFIERS,
  };
  const letters = (group: number) => {
    const keymap = new Keymap(map, { ...PLAIN, group });
    return [..."abcdefghi"].filter((letter) => keymap.find(letter.charCodeAt(0))).join("");
  };
  expect(letters(0)).toBe("acegi");
  expect(letters(1)).toBe("bdfhi");
  expect(letters(2)).toBe("acfgi");
});

Deno.test("Keymap counts locked modifiers as held", () => {
  const map: XkbMap = {
    keys: [SHIFT_KEY, key(77, [[0xff7f]]), key(80, [[0xff9c, 0xffb1]], 0, KEYPAD)],
    modifiers: MODIFIERS,
  };
  const off = new Keymap(map, PLAIN);
  expect(off.find(0xffb1)).toEqual({ keycode: 80, mods: SHIFT });
  expect(off.numLockMask).toBe(NUM_LOCK);
  const on = new Keymap(map, { ...PLAIN, locked: NUM_LOCK });
  expect(on.find(0xffb1)).toEqual({ keycode: 80, mods: 0 });
});

Deno.test("Keymap finds what another group has, where that is asked for", () => {
  const map: XkbMap = {
    keys: [SHIFT_KEY, key(10, [[0x61, 0x41], [0x6c6, 0x6e6]]), key(11, [[0x62], [0x63]])],
    modifiers: MODIFIERS,
  };
  const keymap = new Keymap(map, { ...PLAIN, group: 1, scratch: new Set([11]) });
  expect(keymap.find(0x61)).toBe(undefined);
  expect(keymap.findInOtherGroups(0x61)).toEqual({ keycode: 10, mods: 0 });
  expect(keymap.findInOtherGroups(0x41)).toEqual({ keycode: 10, mods: SHIFT });
  expect(keymap.findInOtherGroups(0x62)).toBe(undefined);
});

Deno.test("Keymap leaves spare keycodes out: their symbols are not the layout's", () => {
  const map: XkbMap = {
    keys: [SHIFT_KEY, key(10, [[0x61]]), key(11, [[0x62]]), key(12, [[0, 0]]), key(13, [])],
    modifiers: MODIFIERS,
  };
  const keymap = new Keymap(map, { ...PLAIN, scratch: new Set([11]) });
  expect(keymap.find(0x61)).toEqual({ keycode: 10, mods: 0 });
  expect(keymap.find(0x62)).toBe(undefined);
});

Deno.test("Keymap takes legacy and Unicode symbols of one character for the same, and the simpler key", () => {
  const map: XkbMap = {
    keys: [SHIFT_KEY, key(10, [[0x61, 0x20ac]]), key(11, [[0x20ac]])],
    modifiers: MODIFIERS,
  };
  const keymap = new Keymap(map, PLAIN);
  for (const euro of [0x20ac, 0x010020ac]) {
    expect(keymap.find(euro)).toEqual({ keycode: 11, mods: 0 });
  }
});
