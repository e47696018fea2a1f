/** The elements of an X display, as tests look for them. */

import type {
  Accessibility,
  Element,
  TreeReading,
  Windows,
} from "../../../../../src/platform/types/mod.ts";
import { openX11Display } from "../../../../../src/platform/linux/x11/display.ts";
import { waitFor } from "../../../../support/wait.ts";

export interface Elements extends AsyncDisposable {
  readonly port: Accessibility;
  /** What the port asks about windows. */
  readonly windows: Windows;
  read(reading?: Partial<TreeReading>): ReturnType<Accessibility["read"]>;
  /** Waits for an element whose position its program says; firefox names elements before that. */
  find(role: string, name: string | RegExp): Promise<Element>;
  refresh(element: Element): Promise<Element | undefined>;
}

export const NEVER = new AbortController().signal;

export const EVERYTHING: TreeReading = {
  scope: "all windows",
  hidden: false,
  maxElements: 10_000,
  maxDepth: 100,
  timeMs: 10_000,
  signal: NEVER,
};

export async function openElements(display: string): Promise<Elements> {
  const x = await openX11Display({ displayNum: 1, xDisplay: display, keymapSettleMs: 0 });
  const port = x.accessibility.use;
  if (!x.windows.ready) throw new Error("The display tells of no windows");
  const read = (reading = {}) => port.read({ ...EVERYTHING, ...reading });
  return {
    port,
    windows: x.windows.use,
    read,
    find(role, name) {
      const look = async () =>
        flatten((await read()).roots).find((each) =>
          each.role === role && each.bounds !== undefined &&
          (typeof name === "string" ? each.name === name : name.test(each.name))
        );
      return waitFor(look, { what: `the ${role} ${name}` });
    },
    refresh: async ({ id }) => (await port.refresh([id], NEVER))[0],
    [Symbol.asyncDispose]: () => x[Symbol.asyncDispose](),
  };
}

/** The elements and everything below them, parents first. */
export function flatten(elements: readonly Element[]): Element[] {
  return elements.flatMap((each) => [each, ...flatten(each.children)]);
}
