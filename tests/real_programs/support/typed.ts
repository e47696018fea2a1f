/** Each program as something that text is typed into, whatever kind of program it is. */

import type { RealDesktop } from "./desktop.ts";

export const PROGRAMS = [
  "chromium",
  "firefox",
  "mousepad",
  "gnome-text-editor",
  "featherpad",
  "xterm",
  "calc",
] as const;

export type ProgramName = typeof PROGRAMS[number];

export interface TypedInto extends AsyncDisposable {
  /** What it holds when it has got everything; `typed` is only needed to know when that is. */
  received(typed: string): Promise<string>;
  /** What `type` needs beside the text. */
  readonly typing: Readonly<Record<string, unknown>>;
}

/** Opens it with the focus and nothing in it. */
export async function openForTyping(desktop: RealDesktop, name: ProgramName): Promise<TypedInto> {
  switch (name) {
    case "chromium":
    case "firefox": {
      const browser = await desktop[name]();
      const read = () => browser.evaluate<string>("document.querySelector('textarea').value");
      return withEnd(browser, async () => {
        await browser.caughtUp();
        return await read();
      });
    }
    case "xterm": {
      const xterm = await desktop.xterm();
      return withEnd(xterm, async (typed) => {
        const bytes = new TextEncoder().encode(typed).length;
        return (await xterm.received(bytes)).replaceAll("\r", "\n"); // what Enter sends
      });
    }
    case "calc": {
      const calc = await desktop.calc();
      const received = async () => (await calc.savedCells()).map(([cell]) => `${cell}\n`).join("");
      // It takes the same key twice within a millisecond for one that repeats itself.
      return { ...withEnd(calc, received), typing: { typing_delay: 2 } };
    }
    default: {
      const editor = await desktop.editor(name);
      return withEnd(editor, () => editor.savedText());
    }
  }
}

function withEnd(program: AsyncDisposable, received: TypedInto["received"]): TypedInto {
  return { received, typing: {}, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}
