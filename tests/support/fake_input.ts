/** Input devices without a system: they keep what is pressed and what was sent, in order. */

import { FieldError } from "../../src/core/errors.ts";
import { available, missing } from "../../src/platform/capability.ts";
import type {
  Button,
  Capability,
  HeldByOthers,
  Input,
  Key,
  Keyboard,
  Mouse,
  Point,
  TextPlan,
} from "../../src/platform/types/mod.ts";

export class FakeInput {
  /** What was sent, one line each: `move 3,4`, `press left`, `scroll 1,0`, `press key a`, `type h`. */
  readonly sent: string[] = [];
  readonly mouse = new FakeMouse(this.sent);
  readonly keyboard = new FakeKeyboard(this.sent);
  /** While set, `confirm` waits for it. */
  held: Promise<void> | undefined;
  /** The port that the service uses. */
  readonly port: Input;

  /** @param noKeyboard why there is no keyboard, if there is none */
  constructor(noKeyboard?: string) {
    this.port = {
      driver: "fake",
      mouse: this.mouse,
      keyboard: noKeyboard === undefined ? available(this.keyboard) : missing(noKeyboard),
      confirm: async () => await this.held,
      releaseAll: () => this.#releaseAll(),
    };
  }

  #releaseAll(): Promise<void> {
    for (const button of [...this.mouse.down]) this.mouse.release(button);
    for (const name of [...this.keyboard.down]) this.keyboard.release({ name, keysym: 0 });
    return Promise.resolve();
  }
}

export class FakeMouse implements Mouse {
  cursor: Point = { x: 0, y: 0 };
  readonly notchesAtOnce = 1;
  readonly pixels = { ready: false, reason: "a fake has no pixels" } as const;
  readonly down = new Set<Button>();

  constructor(readonly sent: string[]) {}

  move({ x, y }: Point): void {
    this.cursor = { x, y };
    this.sent.push(`move ${x},${y}`);
  }

  press(button: Button): void {
    this.down.add(button);
    this.sent.push(`press ${button}`);
  }

  release(button: Button): void {
    this.down.delete(button);
    this.sent.push(`release ${button}`);
  }

  separate(ms: number): void {
    this.sent.push(`separate ${ms}`);
  }

  scroll({ up, right }: { readonly up: number; readonly right: number }): void {
    this.sent.push(`scroll ${up},${right}`);
  }

  position(): Promise<Point> {
    return Promise.resolve(this.cursor);
  }
}

export class FakeKeyboard implements Keyboard {
  /** Names of the keys that are down. */
  readonly down = new Set<string>();
  /** Everything that was typed. */
  typed = "";
  /** Modifiers that a person holds down. */
  others: readonly string[] = [];
  heldByOthers: Capability<HeldByOthers> = {
    ready: true,
    use: {
      seen: () => this.others.length > 0,
      modifiers: () => Promise.resolve(this.others),
    },
  };
  /** Characters that this keyboard cannot type. */
  readonly untypable = new Set<string>();

  constructor(readonly sent: string[]) {}

  prepare(_keys: readonly Key[]): void | Promise<void> {}

  press({ name }: Key): void {
    this.down.add(name);
    this.sent.push(`press key ${name}`);
  }

  release({ name }: Key): void {
    this.down.delete(name);
    this.sent.push(`release key ${name}`);
  }

  plan(text: string): Promise<TextPlan> {
    const strokes = text.match(/\r\n|[\s\S]/gu) ?? [];
    const bad = strokes.findIndex((stroke) =>
      this.untypable.has(stroke) || /^(?![\n\r\t])\p{Cc}$/u.test(stroke)
    );
    if (bad >= 0) {
      return Promise.reject(new FieldError("text", `Cannot type the character at ${bad}`));
    }
    return Promise.resolve({
      length: strokes.length,
      sliceSize: 50,
      send: (from, to) => this.#type(strokes.slice(from, to)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  }

  #type(strokes: readonly string[]): void {
    for (const stroke of strokes) {
      this.typed += stroke;
      this.sent.push(`type ${stroke}`);
    }
  }
}
