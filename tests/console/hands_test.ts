/** A person's hands over the picture: where the mouse is, and that nothing stays down on the display. */

import { expect } from "expect";
import { pixelAt, useHands } from "../../src/console/page/hands.ts";

/** A window of 200 x 100 pixels, shown at half of its size. */
const CANVAS = {
  width: 200,
  height: 100,
  getBoundingClientRect: () => ({ left: 10, top: 20, width: 100, height: 50 }),
  setPointerCapture() {},
};
const canvas = CANVAS as unknown as Parameters<typeof pixelAt>[0];

const CASES = [
  { what: "the first pixel", at: [10, 20], pixel: [300, 400] },
  { what: "one in the middle", at: [60, 45], pixel: [400, 450] },
  { what: "the last pixel", at: [109.9, 69.9], pixel: [499, 499] },
  { what: "the nearest one beside the picture", at: [0, 500], pixel: [300, 499] },
] as const;

for (const { what, at: [clientX, clientY], pixel: [x, y] } of CASES) {
  Deno.test(`pixelAt() finds ${what}, from where the window is on the display`, () => {
    expect(pixelAt(canvas, { x: 300, y: 400 }, { clientX, clientY })).toEqual({ x, y });
  });
}

/** A picture and a field without a browser, and what is sent of what happens there. */
function openHands() {
  const picture = Object.assign(new EventTarget(), CANVAS);
  const field = Object.assign(new EventTarget(), { value: "", focus() {} });
  const sent: string[] = [];
  const page = { document: new EventTarget(), requestAnimationFrame: () => 0 };
  Object.assign(globalThis, page);
  const letGo = useHands({
    field: field as never,
    canvas: picture as never,
    isActive: () => true,
    shown: () => ({ display_num: 1 }),
    isShown: () => true,
    origin: () => ({ x: 0, y: 0 }),
    send(op, { button, key, x }) {
      sent.push(`${op} ${button ?? key ?? ""}${x === undefined ? "" : ` at ${x}`}`);
    },
    copy: () => Promise.resolve(),
    fail() {},
    release: () => sent.push("release"),
    leave() {},
  });
  const happen = (target: EventTarget) => (type: string, fields: object) =>
    target.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), fields));
  const point = happen(picture);
  const none = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, repeat: false };
  return {
    sent,
    pointer: (type: string, button: number, buttons: number) =>
      point(type, { button, buttons, clientX: 60, clientY: 45, pointerId: 1 }),
    key: (type: string, key: string, code: string) =>
      happen(field)(type, { ...none, key, code, getModifierState: () => false }),
    [Symbol.dispose]() {
      letGo();
      for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name);
    },
  };
}

Deno.test("each of two buttons is released that are down at a time", () => {
  using hands = openHands();
  hands.pointer("pointerdown", 0, 1);
  hands.pointer("pointermove", 2, 3); // as browsers tell of a second button
  hands.pointer("pointermove", 0, 2);
  hands.pointer("pointerup", 2, 0);
  expect(hands.sent).toEqual([
    ...["mouse.down left at 100", "mouse.down right at 100"],
    ...["mouse.up left at 100", "mouse.up right at 100"],
  ]);
});

Deno.test("a button is released where the browser takes the pointer away", () => {
  using hands = openHands();
  hands.pointer("pointerdown", 1, 4);
  hands.pointer("pointercancel", 0, 0);
  expect(hands.sent).toEqual(["mouse.down middle at 100", "mouse.up middle"]);
});

Deno.test("a press is sent also where the end of the one before was not seen", () => {
  using hands = openHands();
  hands.pointer("pointerdown", 0, 1);
  hands.pointer("pointerdown", 0, 1);
  hands.pointer("pointerup", 0, 0);
  hands.pointer("pointerup", 0, 0);
  expect(hands.sent.map((line) => line.split(" ")[0]))
    .toEqual(["mouse.down", "mouse.down", "mouse.up"]);
});

Deno.test("a button that was pressed elsewhere presses nothing here", () => {
  using hands = openHands();
  hands.pointer("pointermove", -1, 1);
  hands.pointer("pointermove", 2, 3);
  hands.pointer("pointerup", 0, 0);
  expect(hands.sent.filter((line) => !line.startsWith("mouse.move"))).toEqual([]);
});

const SYSTEMS = [
  { platform: "MacIntel", released: ["keyboard.release c"] },
  { platform: "Linux x86_64", released: [] },
];

for (const { platform, released } of SYSTEMS) {
  Deno.test(`on ${platform}, Cmd and Super that go up release what the system does not tell of`, () => {
    using hands = openHands();
    using _platform = platformOf(platform);
    hands.key("keydown", "Shift", "ShiftLeft");
    hands.key("keydown", "Alt", "AltLeft");
    hands.key("keydown", "Meta", "MetaLeft");
    hands.key("keydown", "c", "KeyC");
    hands.key("keyup", "Meta", "MetaLeft");
    expect(hands.sent).toEqual([
      ...["keyboard.hold ShiftLeft", "keyboard.hold AltLeft", "keyboard.hold MetaLeft"],
      ...["keyboard.hold c", ...released, "keyboard.release MetaLeft"],
    ]);
  });
}

function platformOf(value: string): Disposable {
  const { platform } = navigator;
  const become = (value: string) =>
    Object.defineProperty(navigator, "platform", { value, configurable: true });
  become(value);
  return { [Symbol.dispose]: () => void become(platform) };
}
